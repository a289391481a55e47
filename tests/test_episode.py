"""Episode: whose turn it is, when it is over, what the answer is; and the 400 official dialogues."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from colbench_gym import BACKEND, FRONTEND, UsageError
from colbench_gym.dialogue import OFFICIAL_ROLE
from colbench_gym.episode import Episode, clean
from colbench_gym.jsonl import read_rows
from colbench_gym.prompts import OFFICIAL_FILES, load_prompts
from colbench_gym.testing import agent_texts

A = BACKEND.answer_marker


def test_the_official_dialogues_message_by_message(official_data, tmp_path):
    for name, text in zip(OFFICIAL_FILES["backend"], ("", "{dialogue_history}"), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    prompts = load_prompts(tmp_path, "backend")
    rows = [row for _, row in read_rows(official_data / "official_dialogues.jsonl")]
    assert len(rows) == 400
    for row in rows:
        episode = Episode(BACKEND, row["dialogue"][0]["content"])
        replies, human_saw = iter(row["human_replies"]), ""
        for text in row["agent_messages"]:
            if episode.over:
                break
            episode.say("agent", text)
            if not episode.over:
                human_saw = episode.dialogue.transcript()
                episode.say("human", next(replies))
        assert [_official(turn) for turn in episode.dialogue.turns] == [
            {name: message[name] for name in ("role", "content", "output") if name in message}
            for message in row["dialogue"]
        ]
        assert episode.answer == row["answer"]
        if row["human_saw_dialogue"]:
            assert prompts.human_brief("", "", BACKEND, human_saw) == row["human_saw_dialogue"][-1]


def _official(turn):
    message = {"role": OFFICIAL_ROLE[turn.seat], "content": turn.content}
    return message if turn.output is None else message | {"output": turn.output}


def play(rules, *texts):
    episode = Episode(rules, "Write f.")
    for at, text in enumerate(texts):
        episode.say("human" if at % 2 else "agent", text)
    return episode


def test_seats_alternate_until_the_answer():
    episode = Episode(BACKEND, "Write f.")
    assert (episode.next_seat, episode.over, episode.answer, episode.outcome) == ("agent", False, None, "ongoing")
    episode.say("agent", "What is x?")
    assert (episode.next_seat, episode.turn) == ("human", 1)
    episode.say("human", "A number.")
    episode.say("agent", f"{A} code {A} more")
    assert (episode.next_seat, episode.over, episode.answer, episode.outcome) == (None, True, " code ", "answered")


def test_the_last_message_is_the_answer_whatever_it_says():
    single = replace(BACKEND, max_turns=1)
    assert (play(single, "hm OUTPUT:What?").answer, play(single, "What?").outcome) == ("What?", "out_of_turns")
    assert (play(single, f"{A}code").answer, play(single, f"{A}code").outcome) == ("code", "answered")


def test_an_empty_answer_is_an_answer():
    assert (play(BACKEND, A).over, play(BACKEND, A).answer) == (True, "")


def test_the_humans_reply_is_cut():
    assert len(play(BACKEND, "q", "x" * 1000).dialogue.turns[-1].content) == 400
    assert len(play(FRONTEND, "q", "x" * 1001).dialogue.turns[-1].content) == 1000


def test_the_human_cannot_end_the_dialogue():
    episode = play(BACKEND, "q", f"{A} my own code")
    assert (episode.over, episode.next_seat) == (False, "agent")


def test_frontend_grades_the_last_page():
    episode = play(FRONTEND, "<html>one</html>", "No.", "<html>two</html>", "Better.", A)
    assert (episode.answer, episode.page) == ("<html>two</html>", "<html>two</html>")
    assert play(FRONTEND, A).answer == ""


@pytest.mark.parametrize("seat", ["human", "robot", ""])
def test_speaking_out_of_turn_is_refused(seat):
    with pytest.raises(UsageError, match="it is the turn of 'agent'"):
        Episode(BACKEND, "Write f.").say(seat, "text")


def test_speaking_after_the_end_is_refused():
    with pytest.raises(UsageError, match="the dialogue is over"):
        play(BACKEND, A).say("agent", "more")


@pytest.mark.parametrize("text", [None, 5, b"bytes", ["text"]])
def test_what_is_no_string_is_refused_and_changes_nothing(text):
    episode = Episode(BACKEND, "Write f.")
    with pytest.raises(ValueError, match="expected str"):
        episode.say("agent", text)
    assert (episode.turn, episode.next_seat) == (0, "agent")


def test_a_message_is_bounded():
    episode = Episode(BACKEND, "Write f.")
    with pytest.raises(ValueError, match="200001 characters, expected at most 200000"):
        episode.say("agent", "x" * 200_001)
    episode.say("agent", "x" * 200_000)
    assert episode.turn == 1


def test_a_copy_is_played_on_by_itself():
    episode = play(BACKEND, "q", "a")
    twin = episode.copy()
    twin.say("agent", A)
    assert (twin.over, episode.over, len(episode.dialogue.turns)) == (True, False, 3)


def test_the_recorded_prompt_is_kept_with_the_turn():
    episode = Episode(BACKEND, "Write f.")
    prompt = ({"role": "system", "content": "brief"},)
    episode.say("agent", "q", input=list(prompt))
    assert episode.dialogue.turns[-1].input == prompt


def test_lone_surrogates_are_replaced():
    assert clean("a\ud800b") == "a?b"
    episode = play(BACKEND, "q\udfff", "a\ud800")
    assert [turn.content for turn in episode.dialogue.turns[1:]] == ["q?", "a?"]


@given(st.lists(agent_texts(), max_size=12), st.lists(agent_texts(), min_size=12, max_size=12), st.integers(1, 12))
def test_an_episode_ends_in_time_and_never_raises(texts, replies, max_turns):
    rules = replace(BACKEND, max_turns=max_turns)
    runs = [_run(rules, texts, replies) for _ in range(2)]
    assert runs[0] == runs[1]
    dialogue, answer, over = runs[0]
    assert dialogue.count("agent") <= max_turns
    assert over == (answer is not None)
    if dialogue.count("agent") == max_turns:
        assert over
    dialogue.transcript().encode("utf-8")


def _run(rules, texts, replies):
    episode = Episode(rules, "Write f.")
    for text, reply in zip(texts, replies, strict=False):
        episode.say("agent", text)
        if episode.over:
            break
        episode.say("human", reply)
    return episode.dialogue, episode.answer, episode.over
