"""Marks on pictures: what a reply names is found where it is, and nowhere else."""

import json

import pytest
from support.tables import cases

from colbench_gym.page_language.sentences import say
from colbench_gym.page_language.statements import Statement, Subject
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.report.marks import add_marks, marks, parts_of, place_of, subjects_said

DRAFT = "<html><body><h1>Our classes</h1><p>Come in</p><p>Come in</p></body></html>"
WANTED = "<html><body><h1>Our classes</h1><p>Come in</p><p>Opening hours</p></body></html>"


def parts(html):
    return parts_of(ScriptedRenderer().render(html).layout)


def rect_of(html, text, nth=0):
    rect = [block.rect for block in ScriptedRenderer().render(html).layout.texts if block.text == text][nth]
    return [rect.x, rect.y, rect.width, rect.height]


def test_a_statement_is_read_back_and_found_on_both_pages():
    reply = say([Statement("missing", Subject("text", "Opening hours"))])
    names, places = marks(reply, {"page": parts(DRAFT), "wanted": parts(WANTED)}, 2.0)
    assert len(names) == 1
    assert "Opening hours" in names[0]
    assert places["page"] == []
    ((number, x, y, width, height),) = places["wanted"]
    size = parts(WANTED)["size"]
    assert number == 1
    assert [x * size[0], width * size[0]] == pytest.approx(rect_of(WANTED, "Opening hours")[::2], abs=0.1)
    assert 0 <= y < y + height <= 1


def test_an_ordinal_names_one_of_several():
    assert place_of(Subject("text", "Come in", 2), parts(DRAFT)) == pytest.approx(rect_of(DRAFT, "Come in", 1))
    assert place_of(Subject("text", "Come in", 3), parts(DRAFT)) is None


def test_what_a_model_quotes_is_marked():
    said = subjects_said('I would move "Our classes" down, and “Come in” should be bolder. Also "Our classes".')
    assert [subject.text for subject in said] == ["Our classes", "Come in"]
    assert subjects_said("I like it.") == ()


def test_what_stands_below_the_picture_is_not_marked():
    page = {"size": [100, 1000], "parts": [["text", "Low", 1, [0, 500, 10, 10], None]]}
    names, places = marks("The “Low” one.", {"page": page}, 2.0)
    assert (len(names), places) == (1, {"page": []})


def test_each_draft_gets_the_marks_of_the_reply_to_it(tmp_path):
    for key, html in (("draft", DRAFT), ("wanted", WANTED)):
        (tmp_path / f"{key}.json").write_text(json.dumps(parts(html)))
    turns = cases(__file__, "turns")
    add_marks([{"task": 0, "turns": turns}], [{"page": "wanted"}], tmp_path, 2.0)
    assert [len(turns[1]["marks"][name]) for name in ("page", "wanted")] == [1, 1]
    assert len(turns[2]["marked"]) == 1
    assert "marks" not in turns[3]
    assert "marked" not in turns[4]
