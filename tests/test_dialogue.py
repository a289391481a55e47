"""Dialogue: messages as either seat sees them, and the transcript."""

import pytest

from colbench_gym import Dialogue, Turn, UnknownNameError

DIALOGUE = Dialogue(
    (Turn("human", "Write f."), Turn("agent", "Of what?", output="hm OUTPUT:Of what?"), Turn("human", "Of x."))
)


def test_each_seat_sees_its_own_words_as_the_assistants():
    assert DIALOGUE.messages("agent") == (
        {"role": "user", "content": "Write f."},
        {"role": "assistant", "content": "Of what?"},
        {"role": "user", "content": "Of x."},
    )
    assert [message["role"] for message in DIALOGUE.messages("human")] == ["assistant", "user", "assistant"]


def test_messages_are_new_objects_each_time():
    first, second = DIALOGUE.messages("agent"), DIALOGUE.messages("agent")
    first[0]["content"] = "changed"
    assert second[0]["content"] == "Write f."
    assert DIALOGUE.turns[0].content == "Write f."


def test_the_transcript_has_the_official_wording():
    assert DIALOGUE.transcript() == "user:Write f.\n\n\n\nassistant:Of what?\n\n\n\nuser:Of x.\n\n\n\n"


def test_thinking_is_in_neither_view():
    seen = DIALOGUE.transcript() + str(DIALOGUE.messages("agent")) + str(DIALOGUE.messages("human"))
    assert "hm" not in seen


def test_turns_are_counted_without_the_opening():
    assert (DIALOGUE.count("agent"), DIALOGUE.count("human")) == (1, 1)


@pytest.mark.parametrize("seat", ["assistant", "agent_0", ""])
def test_an_unknown_seat_is_refused(seat):
    with pytest.raises(UnknownNameError, match="agent, human"):
        DIALOGUE.messages(seat)
