"""Whatever a browser says that a page's layout is: it is read within limits and has a score, or it is refused."""

import json
import math
from dataclasses import astuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.samples import sample
from support.tables import cases
from support.work_counts import calls_made

from colbench_gym.graders.layout_similarity import compare
from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.layout import LIMITS, MAX_PX, Layout, read_layout
from colbench_gym.rendering.scripted import ScriptedRenderer

WANTED = ScriptedRenderer().render("<h1>Our harvest</h1><p>Carrots, onions and apples</p>")
GROWTH = 8  # times the work for 4 times the parts; a search through all parts for each would need 16 times
SMALL, LARGE = 50, 200  # parts

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4), max_leaves=6
)  # fmt: skip
NUMBERS = st.floats(-50, 2000) | st.sampled_from([0, -1, 1e308, -1e308, math.inf, math.nan, 10**400, True, "1", None])
RECTS = st.lists(NUMBERS, min_size=4, max_size=4) | JSON
COLORS = st.lists(st.integers(0, 255) | NUMBERS, min_size=3, max_size=3) | JSON
WORDS = st.sampled_from(["Our harvest", "Carrots", "", "\ud800", "\x00", "a" * 2000, "a" * 2001]) | JSON


def some(**parts):
    return st.fixed_dictionaries(parts)


TEXTS = some(
    text=WORDS, rect=RECTS, color=COLORS, background=COLORS, font=NUMBERS, bold=JSON,
    align=st.sampled_from(["left", "center", "inherit"]), role=st.sampled_from(["heading", "text", "title"]),
)  # fmt: skip
ELEMENTS = some(
    kind=st.sampled_from(["box", "picture", "button", "iframe"]), rect=RECTS, color=COLORS, border=st.none() | COLORS,
    radius=NUMBERS, label=WORDS,
)  # fmt: skip
LAYOUTS = some(
    width=NUMBERS, height=NUMBERS, background=COLORS, cut=JSON,
    texts=st.lists(TEXTS | JSON, max_size=4) | JSON, elements=st.lists(ELEMENTS | JSON, max_size=4) | JSON,
)  # fmt: skip
BOX = {"kind": "box", "rect": [0, 0, 9, 9], "color": [0, 0, 0], "border": None, "radius": 0, "label": ""}
TEXT = cases(__file__, "text")
PLAIN = {"width": 1280, "height": 720, "background": [255, 255, 255], "cut": False, "texts": [], "elements": []}


def numbers_of(layout):
    parts = (*layout.texts, *layout.elements)
    yield from (layout.width, layout.height, *(number for part in parts for number in astuple(part.rect)))
    yield from (text.font_px for text in layout.texts)
    yield from (element.radius_px for element in layout.elements)


def with_layout(layout):
    return RenderedPage("rendered", WANTED.png, layout)


@given(LAYOUTS | JSON)
@settings(max_examples=sample(200), deadline=None)
@example(PLAIN | {"texts": [TEXT | {"rect": [math.nan, 0, 1, 1]}]})
@example(PLAIN | {"elements": [BOX | {"rect": [0, 0, math.inf, 10**400]}]})
@example(PLAIN | {"background": [math.inf, 0, 0]})
def test_any_layout_has_a_score_or_is_refused(raw):
    try:
        layout = read_layout(raw)
    except (ValueError, KeyError, TypeError):
        return
    assert isinstance(layout, Layout)
    assert all(abs(number) <= MAX_PX for number in numbers_of(layout))
    score = compare(with_layout(layout), WANTED).score
    assert 0.0 <= score <= 1.0
    assert score == compare(WANTED, with_layout(layout)).score


@pytest.mark.parametrize(("name", "part"), [("texts", TEXT), ("elements", BOX)])
def test_more_parts_than_the_script_keeps_are_refused(name, part):
    assert len(getattr(read_layout(PLAIN | {name: [part] * LIMITS[name]}), name)) == LIMITS[name]
    with pytest.raises(ValueError, match=f"expected a list of at most {LIMITS[name]}"):
        read_layout(PLAIN | {name: [part] * (LIMITS[name] + 1)})
    with pytest.raises(ValueError, match="expected a text"):
        read_layout(PLAIN | {"texts": [TEXT | {"text": "a" * (LIMITS["chars"] + 1)}]})


def raw_of(count):
    """A layout of different parts, as JSON."""
    places = [[at % 40 * 30, at // 40 * 30, 25, 20] for at in range(count)]
    texts = [TEXT | {"rect": place, "text": f"Harvest {at} of {at % 7}"} for at, place in enumerate(places)]
    boxes = [BOX | {"rect": place, "label": str(at)} for at, place in enumerate(places)]
    return json.loads(json.dumps(PLAIN | {"texts": texts, "elements": boxes}))


def test_reading_and_comparing_take_work_in_proportion_to_the_parts():
    other = with_layout(read_layout(raw_of(SMALL)))
    small, large = (calls_made(lambda n=n: compare(with_layout(read_layout(raw_of(n))), other)) for n in (SMALL, LARGE))
    assert large <= GROWTH * small
