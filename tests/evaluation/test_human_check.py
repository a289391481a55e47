"""Questions of a file, and what replies to them are worth."""

import json
import re

import pytest
from support.tables import cases

from colbench_gym.cli import human
from colbench_gym.errors import HumanError, InputFileError, UsageError
from colbench_gym.evaluation.human_check import Question, check_human, judge, read_questions
from colbench_gym.scenario import given_options


def question(**changes):
    fields = {
        "task_id": "7", "track": "backend", "text": "Is a guest of exactly 18 an adult?", "kind": "threshold",
        "settled_by": ((re.compile("adult", re.I),),), "wrong": (re.compile("child", re.I),), "polarity": "yes",
    }  # fmt: skip
    return Question(**fields | changes)


@pytest.mark.parametrize(("reply", "verdict"), cases(__file__, "a_reply_to_what_the_reference_determines"))
def test_a_reply_to_what_the_reference_determines(reply, verdict):
    assert judge(question(), reply) == verdict


@pytest.mark.parametrize(("reply", "verdict"), cases(__file__, "a_reply_to_what_the_reference_leaves_open"))
def test_a_reply_to_what_the_reference_leaves_open(reply, verdict):
    admission = (re.compile("preference|up to you|don't know", re.I),)
    assert judge(question(unknowable=True, settled_by=(admission,), polarity=None), reply) == verdict


def test_every_group_has_to_be_conveyed():
    both = question(settled_by=((re.compile("list"),), (re.compile("dict|mapping"),)), polarity=None, wrong=())
    assert judge(both, "It is a list.") == "unsettled"
    assert judge(both, "It is a **list** of  mappings.") == "settled"


def test_shares_by_kind_and_a_human_that_fails():
    def ask(asked):
        if asked.kind == "order":
            raise HumanError("the server is down")
        return "Yes, an adult."

    progress = []
    report = check_human([question(), question(kind="order")], ask, lambda done, total: progress.append((done, total)))
    assert report.total.good == 0.5
    assert report.by_kind["order"].verdicts["failed"] == 1.0
    assert progress == [(1, 2), (2, 2)]
    assert json.loads(json.dumps(report.as_json()))["replies"][1]["reply"] == "the server is down"


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


ROW = {"index": 3, "question": "How many?", "settled_by": [["three|3"]], "track": "backend"}


def test_rows_of_the_other_track_are_left_out(tmp_path):
    path = write(tmp_path / "questions.jsonl", ROW, ROW | {"track": "frontend", "index": 4})
    assert [q.task_id for q in read_questions(path, "backend")] == ["3"]
    assert [q.task_id for q in read_questions(path, "frontend")] == ["4"]


@pytest.mark.parametrize(("change", "says"), cases(__file__, "a_broken_row_is_named"))
def test_a_broken_row_is_named(tmp_path, change, says):
    path = write(tmp_path / "questions.jsonl", ROW, ROW | change)
    with pytest.raises(InputFileError, match=rf"questions.jsonl, line 2: .*{re.escape(says)}"):
        read_questions(path, "backend")


def test_a_file_without_questions_of_the_track(tmp_path):
    with pytest.raises(InputFileError, match="got no question about a frontend task"):
        read_questions(write(tmp_path / "questions.jsonl", ROW), "frontend")


def test_the_flags_of_a_model_reach_the_human_and_are_checked(tmp_path):
    models = {"human_temperature": 0.5, "human_extra_body": {"top_k": 1}}
    assert given_options("backend", human.HumanModelFlags(**models)) == models
    flags = human.HumanModelFlags(human_temperature=-1.0)
    with pytest.raises(UsageError, match=r"^human: .*temperature"):
        human.check("scripted", flags, "generated", write(tmp_path / "questions.jsonl", ROW))
