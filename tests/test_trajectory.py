"""Trajectories round-trip with our format and the official one, in both directions."""

import json
import os
import pickle
import tracemalloc
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import cases, named

from colbench_gym import BACKEND, BackendTask, Episode, FrontendTask, InputFileError, UsageError
from colbench_gym.dialogue import Dialogue, FirstMessages, SampledMessage
from colbench_gym.jsonl import dump_row, write_rows
from colbench_gym.testing import agent_texts
from colbench_gym.trajectory import Trajectory, from_row, read_trajectories, write_trajectories

TASK = BackendTask(
    task_id="t-1", description="Double it.", reference="def f(x):\n    return 2 * x", calls=("f(1)", "f(2)"),
    test_names=("test_1", "test_2"), hidden_information="secret", row={"note": "naïve", "task_id": "t-1"},
)  # fmt: skip


def ours(**change):
    return {"colbench_gym": trajectory().to_row()["colbench_gym"] | change}


def trajectory(texts=("What is x?", "I WANT TO ANSWER: def f(x): return 2 * x"), reply="A number.", **fields):
    episode = Episode(BACKEND, TASK.description)
    for text in texts:
        episode.say("agent", text, input=[{"role": "system", "content": "brief"}])
        if episode.over:
            break
        episode.say("human", reply)
    played = {
        "task": TASK, "dialogue": episode.dialogue, "answer": episode.answer or "", "rules": BACKEND,
        "outcome": "answered", "env_id": "ColBench-Backend-v0", "repeat": 2, "seed": 7, "leak": {"code": 0.5},
        "versions": {"python": "3"},
    }  # fmt: skip
    graded = {"reward": 1.0, "success": True, "pass_rate": 1.0, "metric": "pass_rate", "test_outcomes": ("passed",) * 2}
    return Trajectory(**played | graded | fields)


OUR_RULES = asdict(BACKEND)
FAILED = trajectory(
    ("q",), reward=None, success=False, pass_rate=None, test_outcomes=(), outcome="human_error",
    error="HumanError: down",
)  # fmt: skip


@pytest.mark.parametrize("one", [trajectory(), FAILED], ids=["graded", "failed"])
def test_our_format_round_trips(tmp_path, one):
    write_trajectories(tmp_path / "t.jsonl", [one, one])
    assert read_trajectories(tmp_path / "t.jsonl") == (one, one)
    assert read_trajectories(tmp_path / "t.jsonl")[0].task.row["note"] == "naïve"


def test_the_official_format_round_trips(tmp_path):
    one = trajectory(reward=0.0, success=False, pass_rate=0.5)
    write_trajectories(tmp_path / "o.jsonl", [one], official=True)
    row = json.loads((tmp_path / "o.jsonl").read_text(encoding="utf-8"))
    assert set(row) == {"task", "dialogue_history", "answer", "reward"}
    assert row["reward"] == 0.5  # the official reward is the pass rate, whatever the environment paid
    assert row["task"]["test_cases"] == {"test_1": "f(1)", "test_2": "f(2)"}
    assert [message["role"] for message in row["dialogue_history"]] == ["user", "assistant", "user", "assistant"]
    assert row["dialogue_history"][1]["input"] == [{"role": "system", "content": "brief"}]
    assert "output" not in row["dialogue_history"][0]
    (back,) = read_trajectories(tmp_path / "o.jsonl")
    assert (back.task, back.dialogue, back.answer) == (one.task, one.dialogue, one.answer)
    assert (back.reward, back.pass_rate, back.success, back.outcome) == (0.5, 0.5, False, "answered")
    write_trajectories(tmp_path / "again.jsonl", [back], official=True)
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "o.jsonl").read_bytes()


def test_sampled_ids_stay_with_their_turn_and_no_official_row_has_them(tmp_path):
    played = Episode(BACKEND, "Write f.")
    played.say("agent", SampledMessage("I think.\nOUTPUT: Why?", [5, 0, 7]))
    played.say("human", "So.")
    played.say("agent", "I WANT TO ANSWER: 1")
    one = replace(trajectory(), dialogue=played.dialogue)
    write_trajectories(tmp_path / "t.jsonl", [one])
    row = json.loads((tmp_path / "t.jsonl").read_text(encoding="utf-8"))
    assert [message.get("token_ids") for message in row["dialogue_history"]] == [None, [5, 0, 7], None, None]
    assert read_trajectories(tmp_path / "t.jsonl")[0].dialogue == played.dialogue
    assert pickle.loads(pickle.dumps(SampledMessage("x", [1]))).token_ids == (1,)
    assert not any("token_ids" in message for message in one.to_official_row()["dialogue_history"])


def test_an_official_row_of_another_hand_is_read(tmp_path):
    row = cases(__file__, "row")
    one = from_row(row, tmp_path, 1, position=5)
    assert isinstance(one.task, FrontendTask)
    assert (one.task.task_id, one.similarity, one.success, one.outcome) == ("5", 1.0, False, "out_of_turns")
    assert one.dialogue.turns[1].input == ({"role": "user", "content": "one prompt"},)


def test_what_was_never_graded_has_no_official_row():
    with pytest.raises(UsageError, match="ended as 'human_error' without a grade"):
        FAILED.to_official_row()


@given(st.lists(agent_texts(), max_size=10), agent_texts())
def test_any_dialogue_round_trips(texts, reply):
    one = trajectory(texts, reply)
    line = dump_row(one.to_row())
    back = from_row(json.loads(line), None, 1)
    assert back == one
    assert dump_row(back.to_row()) == line


@pytest.mark.parametrize(("part", "change", "says"), cases(__file__, "a_broken_row_is_named"))
def test_a_broken_row_is_named(tmp_path, part, change, says):
    change = {"row": change, "ours": ours(**change), "rules": ours(rules=OUR_RULES | change)}[part]
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(trajectory().to_row() | change) + "\n", encoding="utf-8")
    with pytest.raises(InputFileError) as caught:
        read_trajectories(path)
    assert str(caught.value).startswith(f"{path}, line 1: ")
    assert says in str(caught.value)


@pytest.mark.parametrize("content", [5, None, {"a": 1}])
def test_a_recorded_prompt_without_texts_is_kept_as_one_text(tmp_path, content):
    row = trajectory().to_official_row()
    row["dialogue_history"][1]["input"] = [{"role": "system", "content": content}]
    kept = from_row(row, tmp_path / "x", 1).dialogue.turns[1].input
    assert kept == ({"role": "user", "content": str(row["dialogue_history"][1]["input"])},)


def test_a_row_with_lone_surrogates_can_be_written_again(tmp_path):
    path = tmp_path / "t.jsonl"
    row = trajectory().to_row()
    row |= {"answer": "\ud800", "task": row["task"] | {"problem_description": "a \udfff"}, **ours(error="\udc00")}
    row["dialogue_history"][0]["content"] = "\ud83d it"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (back,) = read_trajectories(path)
    assert (back.answer, back.task.description, back.error) == ("?", "a ?", "?")
    assert back.dialogue.turns[0].content == "? it"


def test_a_write_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "t.jsonl"
    write_trajectories(path, [trajectory()])
    before = path.read_bytes()
    with pytest.raises(UsageError):
        write_trajectories(path, [trajectory(), FAILED], official=True)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["t.jsonl"]


def test_an_unwritable_place_is_named(tmp_path):
    with pytest.raises(InputFileError, match="cannot be written"):
        write_trajectories(tmp_path / "missing" / "t.jsonl", [trajectory()])


def test_a_trajectory_shows_nothing_hidden():
    assert "2 * x" not in repr(trajectory(texts=("q",))).replace("I WANT", "")
    assert "secret" not in repr(trajectory())


def test_a_pipe_or_device_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_rows(pipe, [{"a": 1}])
    assert os.read(reader, 100) == b'{"a": 1}\n'
    os.close(reader)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def with_prompts(*prompts):
    """The usual dialogue with these prompts, one for each message of the agent."""
    base, given = trajectory(), iter(prompts)
    turns = tuple(replace(turn, input=next(given)) if turn.seat == "agent" else turn for turn in base.dialogue.turns)
    return replace(base, dialogue=Dialogue(turns))


def usual(brief, before):
    return ({"role": "system", "content": brief}, *Dialogue(before).messages("agent"))


TURNS = trajectory().dialogue.turns
FIRST, SECOND = usual("The brief.", TURNS[:1]), usual("The brief.", TURNS[:3])


PROMPTS = named(__file__, "trajectory_prompts.txt", "CASES", globals())


@pytest.mark.parametrize(("prompts", "kept"), PROMPTS.values(), ids=PROMPTS)
def test_prompts_stand_in_a_row_only_where_they_cannot_be_rebuilt(tmp_path, prompts, kept):
    played = with_prompts(*prompts)
    row = json.loads(dump_row(played.to_row()))
    assert ["input" in message for message in row["dialogue_history"] if message["role"] == "assistant"] == kept
    back = from_row(row, tmp_path / "x", 1)
    assert [turn.input for turn in back.dialogue.turns] == [turn.input for turn in played.dialogue.turns]
    assert back.to_row() == played.to_row()
    assert back.to_official_row() == played.to_official_row()


def long_row(turns, max_turns):
    """A row of a stranger with a brief and a number of turns of each seat."""
    row = with_prompts(FIRST, SECOND).to_row()
    said = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "output": "b"}]
    rules = row["colbench_gym"]["rules"] | {"max_turns": max_turns}
    return row | {"dialogue_history": said * turns, "colbench_gym": row["colbench_gym"] | {"rules": rules}}


def test_the_memory_that_a_row_takes_grows_as_its_turns_do(tmp_path):
    taken = []
    for turns in (300, 1200):
        row = long_row(turns, turns)
        tracemalloc.start()
        back = from_row(row, tmp_path / "x", 1)
        taken.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert back.dialogue.turns[5].input == usual("The brief.", back.dialogue.turns[:5])
    assert taken[1] < 6 * taken[0]


def test_a_row_with_more_turns_than_its_rules_allow_is_refused(tmp_path):
    assert from_row(long_row(3, 3), tmp_path / "x", 1).dialogue.count("agent") == 3
    with pytest.raises(InputFileError, match=r"'dialogue_history' has 4 turns of the agent; expected at most 3"):
        from_row(long_row(4, 3), tmp_path / "x", 1)


def test_shared_prompts_are_read_as_tuples_are():
    messages = usual("The brief.", TURNS)
    prompt = FirstMessages(messages, 2)
    assert (len(prompt), prompt[-1], prompt[:1], list(prompt)) == (2, messages[1], messages[:1], list(messages[:2]))
    assert prompt == messages[:2] == prompt == FirstMessages(messages, 2) != FirstMessages(messages, 3)
    assert prompt != list(messages[:2])
    assert repr(prompt) == repr(messages[:2])
    with pytest.raises(IndexError):
        prompt[2]


def test_rows_of_another_schema_or_without_a_brief_that_is_a_text_are_refused(tmp_path):
    row = with_prompts(FIRST, SECOND).to_row()
    for broken, says in (
        ({"schema": 1}, "got schema 1, expected 2; read it with the version"),
        ({"brief": 3}, r"colbench_gym\.brief"),
        ({"brief": ["x"]}, r"colbench_gym\.brief"),
    ):
        with pytest.raises(InputFileError, match=says):
            from_row(row | {"colbench_gym": row["colbench_gym"] | broken}, tmp_path / "x", 1)
