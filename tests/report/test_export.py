"""Runs in the formats of others: what the rows hold, and that they come back."""

import json
import sys
from dataclasses import replace

import pytest
from support.command import colbench_here
from support.json_lines import read_rows
from support.tables import cases
from support.tiny import make_tokenizer

from colbench_gym import BACKEND, FRONTEND, BackendTask, Dialogue, FrontendTask, MissingExtraError, Turn, UsageError
from colbench_gym.evaluation.scored_runs import read_run
from colbench_gym.rendering import RenderedPage
from colbench_gym.report.export import export_conversations, export_official, export_pairs, export_parquet
from colbench_gym.trajectory import Trajectory, read_trajectories, write_trajectories

PAGE = "<html><h1>Héllo</h1></html>"


def backend(task_id="a", repeat=0, score=0.5):
    task = BackendTask(task_id, f"Write {task_id}.", "def f(): return 1", ("f()",), ("t1",), "hidden")
    brief = ({"role": "system", "content": "brief"}, {"role": "user", "content": f"Write {task_id}."})
    dialogue = Dialogue(
        (
            Turn("human", f"Write {task_id}."),
            Turn("agent", "Which?", output="thought OUTPUT: Which?", input=brief),
            Turn("human", "This."),
            Turn("agent", "I WANT TO ANSWER: def f(): return 2"),
        )
    )
    outcome = "human_error" if score is None else "answered"
    return Trajectory(
        task, dialogue, " def f(): return 2", score, BACKEND, outcome, pass_rate=score, repeat=repeat,
        metric="pass_rate",
    )  # fmt: skip


def frontend(answer=PAGE):
    task = FrontendTask("p", "A page.", PAGE)
    dialogue = Dialogue((Turn("human", "A page."), Turn("agent", f"Here: {answer}")))
    return Trajectory(task, dialogue, answer, 0.7, FRONTEND, "out_of_turns", similarity=0.7, metric="layout-2")


class Drawer:
    """A renderer that draws one picture for every page."""

    closed = False

    @property
    def versions(self):
        return {}

    def render(self, html):
        return RenderedPage("rendered", b"\x89PNG")

    def close(self):
        self.closed = True


def template(messages):
    return "".join(f"<{message['role']}>{message['content']}" for message in messages) + "<agent>"


def refuse():
    raise AssertionError("programs need no renderer")


def test_official_rows_are_repeat_by_repeat_without_ids_and_prompts_are_text(tmp_path):
    out = tmp_path / "o.jsonl"
    played = [backend("b", 1), backend("b", 0), backend("a", 0), backend("a", 1), backend("c", 0, score=None)]
    assert export_official(played, out, refuse, template) == 4
    rows = read_rows(out)
    assert [row["task"]["problem_description"] for row in rows] == ["Write b.", "Write a."] * 2
    assert all(set(row) == {"task", "dialogue_history", "answer", "reward"} for row in rows)
    assert all({"task_id", "index"}.isdisjoint(row["task"]) for row in rows)
    assert rows[0]["dialogue_history"][1]["input"] == "<system>brief<user>Write b.<agent>"
    assert rows[0]["dialogue_history"][1]["output"] == "thought OUTPUT: Which?"
    assert rows[0]["reward"] == 0.5


def test_repeats_are_known_again_by_the_text_of_their_task(tmp_path):
    out = tmp_path / "o.jsonl"
    export_official([backend(task, repeat) for repeat in range(3) for task in "abcd"], out, refuse, template)
    back = read_trajectories(out)
    assert [(t.task.task_id, t.repeat) for t in back] == [(str(n), repeat) for repeat in range(3) for n in range(4)]
    run = read_run(out)
    assert (len(run.scores), sum(map(len, run.scores.values()))) == (4, 12)
    assert set(run.turns.values()) == {(2.0, 2.0, 2.0)}


def test_a_task_that_lacks_a_repeat_is_left_out_whole(tmp_path):
    """The released scripts take the rows apart by their number: with one missing, tasks and repeats would be mixed up."""
    out = tmp_path / "o.jsonl"
    played = [
        backend(task, repeat, score=None if (task, repeat) == ("b", 1) else 1.0)
        for repeat in range(2)
        for task in "abc"
    ]
    assert export_official(played, out, refuse, template) == 4
    assert [row["task"]["problem_description"] for row in read_rows(out)] == ["Write a.", "Write c."] * 2


def test_official_pages_are_pictures_on_disk_and_stand_in_the_dialogue(tmp_path):
    out, drawer = tmp_path / "o.jsonl", Drawer()
    assert export_official([frontend(), frontend("no page")], out, lambda: drawer, template) == 2
    first, second = read_rows(out)
    assert first["answer"] == str(tmp_path / "o_pages" / "0.png")
    assert (tmp_path / "o_pages" / "0.png").read_bytes() == b"\x89PNG"
    assert second["answer"] is None
    assert drawer.closed
    assert [t.answer for t in read_trajectories(out)] == [PAGE, ""]


def test_a_second_export_replaces_the_first(tmp_path):
    out = tmp_path / "o.jsonl"
    for _ in range(2):
        export_official([frontend()], out, Drawer, template)
    assert len(read_rows(out)) == 1


def test_conversations_begin_with_the_brief_and_keep_thoughts(tmp_path):
    out = tmp_path / "c.jsonl"
    assert export_conversations([backend(score=1.0), backend(score=0.2), backend(score=None)], out, 0.5) == 1
    (row,) = read_rows(out)
    assert [message["role"] for message in row["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert row["messages"][2]["content"] == "thought OUTPUT: Which?"
    assert (row["task_id"], row["score"]) == ("a", 1.0)


def test_a_brief_of_parts_is_told_as_text(tmp_path):
    first, asked, *rest = backend(score=1.0).dialogue.turns
    parts = [{"type": "text", "text": "the "}, "?", {"type": "image_url"}, {"type": "text", "text": "brief"}]
    played = Dialogue((first, replace(asked, input=({"role": "system", "content": parts},)), *rest))
    assert export_conversations([replace(backend(score=1.0), dialogue=played)], tmp_path / "c.jsonl") == 1
    assert read_rows(tmp_path / "c.jsonl")[0]["messages"][0] == {"role": "system", "content": "the brief"}


def test_nothing_to_export_is_said(tmp_path):
    with pytest.raises(UsageError, match="each repeat was graded; finish the run"):
        export_official([backend(score=None)], tmp_path / "o.jsonl", refuse, template)
    with pytest.raises(UsageError, match="scored at least"):
        export_conversations([backend(score=0.1)], tmp_path / "o.jsonl", 0.5)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.train
def test_the_command(tmp_path):
    make_tokenizer().save_pretrained(tmp_path / "model")
    run = tmp_path / "run"
    run.mkdir()
    write_trajectories(run / "trajectories.jsonl", [backend(), backend("b")])
    for form in ("official", "trl-sft"):
        named = ("--chat-template", tmp_path / "model") if form == "official" else ()
        done = colbench_here("export", "run", "--out", f"{form}.jsonl", "--format", form, *named, cwd=tmp_path)
        assert "2 of 2 dialogues written" in done.stdout
        assert len(read_rows(tmp_path / f"{form}.jsonl")) == 2
    wrong = colbench_here("export", "run", "--out", "x.jsonl", "--min-score", "2", cwd=tmp_path, status=2)
    assert "from 0 to 1" in wrong.stderr
    unread = colbench_here("export", "run", "--out", "x.jsonl", "--min-score", "0.5", cwd=tmp_path, status=2)
    assert "expected trl-sft" in unread.stderr
    assert "nowhere" in colbench_here("export", "nowhere", "--out", "x.jsonl", cwd=tmp_path, status=2).stderr


def test_pairs_across_the_agents_of_several_runs(tmp_path):
    good = replace(backend(score=1.0), success=True)
    good = replace(good, dialogue=Dialogue((*good.dialogue.turns[:-1], Turn("agent", "Better."))))
    for name, played in (("good", good), ("bad", backend(score=0.5)), ("worse", backend(score=0.1))):
        (tmp_path / name).mkdir()
        write_trajectories(tmp_path / name / "trajectories.jsonl", [played])
    more = ("--out", "pairs.jsonl", "--format")
    alone = colbench_here("export", "good", *more, "trl-dpo", cwd=tmp_path, status=2)
    assert "no pair of dialogues" in alone.stderr
    done = colbench_here("export", "bad", "good", "worse", *more, "trl-dpo", cwd=tmp_path)
    assert "2 pairs of 3 dialogues written to pairs.jsonl" in done.stdout
    rows = read_rows(tmp_path / "pairs.jsonl")
    assert [(row["score_chosen"], row["score_rejected"]) for row in rows] == [(1.0, 0.5), (1.0, 0.1)]
    assert "## Run 3" in (tmp_path / "pairs.md").read_text()
    refused = colbench_here("export", "bad", "good", *more, "official", cwd=tmp_path, status=2)
    assert "expected one run for --format official" in refused.stderr
    told = replace(good.dialogue.turns[1], input=({"role": "system", "content": "Another brief."},))
    other = replace(good, dialogue=Dialogue((good.dialogue.turns[0], told, *good.dialogue.turns[2:])))
    write_trajectories(tmp_path / "good" / "trajectories.jsonl", [other])
    unlike = colbench_here("export", "bad", "good", *more, "trl-dpo", cwd=tmp_path, status=2)
    assert "were told different things" in unlike.stderr


def test_an_official_answer_of_null_is_nothing_answered(tmp_path):
    row = cases(__file__, "row")
    (tmp_path / "o.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert read_trajectories(tmp_path / "o.jsonl")[0].answer == ""
    colbench_here("grade", "--answers", "o.jsonl", "--out", "g.jsonl", "--grading", "strict", cwd=tmp_path)
    assert read_rows(tmp_path / "g.jsonl")[0]["pass_rate"] == 0.0


def test_pairs_hold_the_dialogues_and_what_both_begin_with(tmp_path):
    worse = replace(backend(score=0.5), answer="")
    turns = worse.dialogue.turns
    best = replace(
        backend(repeat=1, score=1.0), dialogue=Dialogue((*turns[:-1], Turn("agent", "Better."))), success=True
    )
    assert export_pairs([worse, best, backend("b")], tmp_path / "pairs.jsonl") == 1
    (row,) = map(json.loads, (tmp_path / "pairs.jsonl").read_text().splitlines())
    assert [message["role"] for message in row["prompt"]] == ["system", "user"]
    assert [message["content"] for message in row["chosen"]] == ["thought OUTPUT: Which?", "This.", "Better."]
    assert row["rejected"][-1]["content"] == "I WANT TO ANSWER: def f(): return 2"
    assert (row["task_id"], row["score_chosen"], row["score_rejected"]) == ("a", 1.0, 0.5)
    with pytest.raises(UsageError, match="no pair of dialogues"):
        export_pairs([worse], tmp_path / "none.jsonl")


def test_parquet_rows_come_back_through_datasets(tmp_path):
    """Ungraded dialogues are among them, with null; what UTF-8 cannot carry is replaced; references are nowhere."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed (extra: hub)")
    ungraded = replace(backend("b", 1, score=None), reward=None, seed=7, error="the human is gone", answer="\ud800")
    graded = replace(backend(), reward=1.0, test_outcomes=("passed", "wrong"))
    out = tmp_path / "rows.parquet"
    assert export_parquet([graded, ungraded, frontend()], out) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["rows.parquet"]
    rows = list(datasets.load_dataset("parquet", data_files=str(out), split="train", cache_dir=str(tmp_path / "cache")))
    assert rows[:1] == cases(__file__, "parquet_row")
    unknown = {"score": None, "reward": None, "seed": 7, "repeat": 1, "error": "the human is gone", "answer": "?"}
    assert unknown.items() <= rows[1].items()
    assert (rows[2]["track"], rows[2]["score"], rows[2]["answer"]) == ("frontend", 0.7, PAGE)
    assert "return 1" not in str(rows)
    with pytest.raises(UsageError, match="got no dialogue"):
        export_parquet([], out)


def test_parquet_without_pyarrow_names_the_pip_line(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r'pip install "colbench-gym\[hub\]"'):
        export_parquet([backend()], tmp_path / "rows.parquet")
