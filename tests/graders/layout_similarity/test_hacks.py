"""What pays with layout-2, and what must not: texts nobody sees, a picture for everything, pages without measure."""

from dataclasses import replace

import numpy as np
import pytest
from support.tables import cases, named, program

from colbench_gym.graders.layout_similarity import LayoutSimilarity, compare
from colbench_gym.graders.layout_similarity.coarse_pixels import CELL_PX, coarse, read_png
from colbench_gym.graders.layout_similarity.part_matching import text_likeness, texts_agreement
from colbench_gym.graders.layout_similarity.seen_parts import seen_parts
from colbench_gym.rendering.layout import EMPTY, Rect, TextBlock
from colbench_gym.tasks import FrontendTask

WANTED = program(__file__, "hacks_wanted.txt")
WORDS = tuple(cases(__file__, "words"))
HONEST = """<html><body style="margin:0;font-family:sans-serif"><div style="background:#2563eb;color:white;padding:20px">
<h1 style="margin:0">Green Valley Farm</h1></div><div style="padding:16px"><h2>Harvest</h2>
<p>We grow vegetables in the valley and bring them to your door.</p><div style="background:#dcfce7;padding:16px">Carrots</div>
<button style="background:#16a34a;color:white;padding:8px">Order</button></div></body></html>"""
LINES = "".join(f"<p>{words}</p>" for words in WORDS)
PAGE = "<html><body style='margin:0'>{}</body></html>"
COVER = "<div style='position:{};inset:0;background:{};z-index:9'></div>"
NAMES = {"COVER": COVER, "LINES": LINES, "PAGE": PAGE, "WANTED": WANTED}
HACKS = named(__file__, "hacks.txt", "HACKS", NAMES)


def task(html=WANTED):
    return FrontendTask("farm", "A page for a farm", html)


@pytest.mark.sampled(3)
@pytest.mark.browser
@pytest.mark.parametrize("name", HACKS)
def test_tricks_pay_less_than_an_honest_rough_page(renderer, name):
    grader = LayoutSimilarity(renderer)
    honest = grader.grade(task(), HONEST).score
    assert grader.grade(task(), HACKS[name]).score < min(honest, 0.4)
    assert honest > 0.3


@pytest.mark.browser
def test_texts_below_a_sheet_are_worth_what_the_sheet_is_worth(renderer):
    sheet = COVER.format("fixed", "white")
    wanted, bare, hidden = (renderer.render(page) for page in (WANTED, PAGE.format(sheet), PAGE.format(LINES + sheet)))
    assert compare(hidden, wanted).texts == compare(bare, wanted).texts == 0.0
    below = renderer.render(HACKS["the wanted page below a sheet"])
    assert compare(below, wanted).elements == 0.0


@pytest.mark.browser
def test_what_can_be_seen_is_kept(renderer):
    page = renderer.render(WANTED)
    assert seen_parts(page.layout, read_png(page.png)) == page.layout
    assert len(page.layout.texts) == len(WORDS)
    small = renderer.render(
        PAGE.format("<p style='color:#9ca3af;font-size:10px;font-weight:100'>fine print, i l . :</p>" * 9)
    )
    assert len(seen_parts(small.layout, read_png(small.png)).texts) == 9


@pytest.mark.browser
def test_blank_none_and_the_page_itself(renderer):
    grader = LayoutSimilarity(renderer)
    assert grader.grade(task(), WANTED).score == 1.0
    assert grader.grade(task(), "").score == 0.0
    assert grader.grade(task(), PAGE.format("")).score < 0.1
    other = (
        WANTED.replace("<DIV", "<div")
        .replace("\n", "\n\n  ")
        .replace("<header ", "<HEADER\n  ")
        .replace("</h1>", "</H1 >")
    )
    assert other != WANTED
    assert grader.grade(task(), other).score == 1.0
    one, two = renderer.render(WANTED), renderer.render(HONEST)
    assert compare(one, two) == compare(two, one)
    assert compare(one, two).score < 1.0


def text(words, x, y, width, height, color=(0, 0, 0)):
    return TextBlock(words, Rect(x, y, width, height), color, (255, 255, 255), 16.0, False, "left", "text")


def test_a_text_is_seen_where_its_colour_is_and_others_too():
    pixels = np.full((100, 100, 3), 255, dtype=np.uint8)
    pixels[10:20:2, 10:50:3] = 0
    pixels[60:80] = 0
    seen, blank, solid, outside = (
        text("seen", 8, 8, 50, 14), text("blank", 8, 30, 50, 14), text("solid", 8, 62, 50, 14), text("outside", 8, 200, 50, 14)
    )  # fmt: skip
    layout = replace(EMPTY, texts=(seen, blank, solid, outside))
    assert seen_parts(layout, pixels).texts == (seen,)


def test_the_coarse_picture_is_the_mean_of_its_cells():
    pixels = np.random.default_rng(0).integers(0, 256, (CELL_PX * 2 + 5, CELL_PX + 3, 3), dtype=np.uint8)
    cells = coarse(pixels)
    assert cells.shape == (3, 2, 3)
    assert cells[2, 1] == pytest.approx(1 - pixels[2 * CELL_PX :, CELL_PX:].mean(axis=(0, 1)) / 255)
    assert cells[0, 0] == pytest.approx(1 - pixels[:CELL_PX, :CELL_PX].mean(axis=(0, 1)) / 255)


def test_texts_of_many_letters_cost_what_both_sides_share():
    many = ["".join(chr(0x4E00 + (at * 97 + step * 31) % 20000) for step in range(80)) for at in range(1000)]
    likeness = text_likeness(many, ["Our harvest", many[3]])
    assert likeness.shape == (1000, 2)
    assert likeness[3, 1] == 1.0
    assert likeness[:, 0].max() == 0.0


def stretched(words, width):
    return TextBlock(words, Rect(0, 0, width, 40), (0, 0, 0), (255, 255, 255), 24.0, True, "left", "heading")


def test_nothing_is_gained_by_stretching_a_text():
    wanted = replace(EMPTY, texts=(stretched("Green Valley Farm", 300), text("We grow carrots", 0, 100, 300, 20)))
    scores = [
        texts_agreement(replace(EMPTY, texts=(stretched("Green Valley Farm", w),)), wanted) for w in (300, 900, 5000)
    ]
    assert scores[0] > scores[1] > scores[2]


@pytest.mark.browser
def test_a_stretched_name_and_a_bar_are_worth_less_than_an_honest_heading(renderer):
    wanted = renderer.render(WANTED)
    name = "<p style='letter-spacing:60px;word-spacing:200px;margin:0'>Green Valley Farm</p>"
    bar = "<div style='position:absolute;left:0;top:0;width:1280px;height:64px;background:#2563eb'></div>"
    heading = (
        "<div style='background:#2563eb;color:white;padding:20px'><h1 style='margin:0'>Green Valley Farm</h1></div>"
    )
    tricks, honest, draft = (renderer.render(page) for page in (PAGE.format(name + bar), PAGE.format(heading), HONEST))
    both = renderer.render(
        HONEST.replace("</body>", f"<div style='position:absolute;top:900px'>{name}{bar}</div></body>")
    )
    assert compare(tricks, wanted).score < compare(honest, wanted).score
    assert compare(both, wanted).score < compare(draft, wanted).score


@pytest.mark.browser
def test_colours_count_more_than_room(renderer):
    wanted = renderer.render(WANTED)
    roomier = renderer.render(WANTED.replace("padding:16px", "padding:24px"))
    recolored = WANTED
    others = {"1e3a8a": "b91c1c", "dcfce7": "fde68a", "fee2e2": "bfdbfe", "16a34a": "7c3aed", "1f2937": "0e7490"}
    for color, other in others.items():
        recolored = recolored.replace(f"#{color}", f"#{other}")
    assert compare(roomier, wanted).score > compare(renderer.render(recolored), wanted).score + 0.1
    other_words = renderer.render(
        WANTED.replace("carrots, onions and apples", "plums, quinces and grapes").replace("Order", "Fetch")
    )
    assert compare(other_words, wanted).score > compare(renderer.render(PAGE.format(LINES)), wanted).score + 0.2


@pytest.mark.browser
@pytest.mark.parametrize("before", ["<!DOCTYPE html>", "\n <!-- a page --> <!doctype html>\n"])
def test_a_doctype_costs_nothing(renderer, before):
    full = "<html><body style='margin:0'><div style='height:100%;background:#1e3a8a;color:white'><h1>Full height</h1></div></body></html>"
    grader = LayoutSimilarity(renderer)
    assert compare(renderer.render(before + full), renderer.render(full)).score < 0.9
    assert grader.grade(task(full), before + full).score == 1.0
    assert grader.grade(task(before + full), before + full).score == 1.0
