"""What the page critic says is true, on layouts drawn at random: no browser, many pages, odd ones too."""

import random
from dataclasses import replace

import pytest
from support.drawn_pages import element, heading, layout, text
from support.page_truth import lies

from colbench_gym.humans.page.differences import AREAS, COLOURS, DETAILS, LAYOUT, TEXTS, differences, ranked, tier
from colbench_gym.humans.page.view import View
from colbench_gym.page_language.sentences import read_statements

COLORS = [
    (255, 255, 255),
    (0, 0, 0),
    (30, 58, 138),
    (229, 231, 235),
    (239, 68, 68),
    (16, 185, 129),
    (55, 65, 81),
    (75, 85, 99),
    (253, 230, 138),
]
WORDS = "alpha beta gamma “quoted” fresh bread. every day! menu, home: contact us? Learn more …".split()  # noqa: SIM905


def _words(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.choice([1, 1, 2, 2, 3, 5, 15, 30])))


def _page(rng):
    parts = []
    top = 0
    for _ in range(rng.randint(1, 6)):
        ground, height, columns = rng.choice(COLORS), rng.choice([60, 120, 260]), rng.choice([1, 1, 2, 3])
        if rng.random() < 0.7:
            edge = {"border": rng.choice([None, (0, 0, 0)]), "radius_px": rng.choice([0, 4, 8, 40])}
            parts.append(element("box", 0, top, 1280, height, ground, **edge))
        for column in range(columns):
            parts += _column(rng, 20 + column * 1280 / columns, top, ground)
        top += height + rng.choice([0, 20])
    return layout(*parts, background=rng.choice(COLORS[:3]), height=max(720.0, top))


def _column(rng, x, y, ground):
    look = {"color": rng.choice(COLORS), "bold": rng.random() < 0.3, "font_px": rng.choice([14.0, 16.0, 24.0, 36.0])}
    size = rng.choice([100, 200]), rng.choice([20, 48])
    yield rng.choice([text, heading])(
        _words(rng), x, y + 8, *size, background=ground, align=rng.choice(["left", "center", "right"]), **look
    )
    if rng.random() < 0.5:
        yield text(
            _words(rng), x, y + 60, 100, 20, role=rng.choice(["link", "text", "button", "label"]), background=ground
        )
    if rng.random() < 0.3:
        yield element("picture", x, y + 90, rng.choice([80, 300]), 100)
    if rng.random() < 0.3:
        yield element("input", x, y + 200, 200, 30, label=rng.choice(["", "Email", "Name"]), border=(0, 0, 0))
    if rng.random() < 0.2:
        yield element("button", x - 5, y + 55, 130, 30)


def _changed(rng, page):
    parts = [*page.texts, *page.elements]
    for _ in range(rng.randint(1, 5)):
        at = rng.randrange(len(parts) or 1)
        if at >= len(parts):
            break
        part, rect = parts[at], parts[at].rect
        if rng.random() < 0.15:
            del parts[at]
            continue
        changes = [
            {"rect": replace(rect, x=rect.x + rng.choice([-60, 15, 40, 300]))},
            {"rect": replace(rect, y=max(0, rect.y + rng.choice([-60, 15, 40, 300])))},
            {"rect": replace(rect, width=rect.width * rng.choice([0.5, 0.9, 1.5]))},
            {"color": rng.choice(COLORS)},
        ]
        if hasattr(part, "text"):
            changes += [
                {"text": _words(rng)},
                {"font_px": rng.choice([12.0, 18.0, 48.0]), "bold": not part.bold},
                {"align": "center"},
            ]
        parts[at] = replace(part, **rng.choice(changes))
    return layout(*parts, background=page.background if rng.random() < 0.8 else rng.choice(COLORS), height=page.height)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_every_difference_that_could_be_said_is_true(seed):
    kinds = set()
    for number in range(60):
        rng = random.Random(f"{seed}/{number}")
        wanted = _page(rng)
        got = _changed(rng, wanted) if number % 3 else _page(rng)
        for sentence in ranked(differences(View(wanted), View(got))):
            assert lies(sentence, wanted, got) == [], sentence
            kinds |= {statement.kind for statement in read_statements(sentence)}
    assert len(kinds) >= 10


@pytest.mark.parametrize("seed", range(20))
def test_a_page_differs_from_itself_in_nothing(seed):
    page = _page(random.Random(seed))
    assert differences(View(page), View(page)) == ()


def test_areas_come_first_then_colours_layout_texts_and_details():
    cards = [heading(name, 40 + 420 * at, 300, font_px=20.0) for at, name in enumerate(("Rye", "Oat"))]
    lead, news = text("Baked at night.", 40, 200), heading("News", 40, 600)
    title = heading("Fresh bread", 40, 100, font_px=40.0)
    wanted = layout(title, lead, *cards, news)
    stacked = [cards[0], replace(cards[1], rect=replace(cards[1].rect, x=40, y=400))]
    got = layout(replace(title, bold=not title.bold), *stacked, background=(31, 41, 55))
    found = differences(View(wanted), View(got))
    assert [tier(one) for one in found] == sorted(tier(one) for one in found)
    assert {AREAS, COLOURS, LAYOUT, TEXTS, DETAILS} == {tier(one) for one in found}
    sentences = ranked(found)
    assert "“News”" in sentences[0]
    assert ranked(found, [sentences[0]]).index(sentences[0]) > 0  # what was said makes room
