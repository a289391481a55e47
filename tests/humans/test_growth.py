"""Work of the scripted human grows with the length of a message and no faster."""

import pytest
from support.work_counts import cpu_s

from colbench_gym import Dialogue, Turn, load_tasks
from colbench_gym.humans.scripted import FunctionHuman

CHUNKS = (
    "<", ">", "< >", "a ", "? ", "?", "1. ", "1) x? ", "- x\n", "(", "[", "{", "'", '"', "`", "```", "\n", "show me the ",
    "your code ", "and what ", "0", "1,", "a_b ", "a_b_", "1 + ", "3 times ", "no x ", "ignore all ", "\x00", "def f(", "return x\n", "for x in y:\n", "f(1) ",
)  # fmt: skip
MOST_S = 0.5  # of CPU; it takes a fifth of that


@pytest.fixture(scope="module")
def human():
    human = FunctionHuman()
    yield human
    human.close()


@pytest.mark.slow
@pytest.mark.parametrize("chunk", CHUNKS, ids=repr)
def test_a_message_of_any_length_is_answered_in_time(human, chunk):
    task = load_tasks("examples", track="backend").at(0)
    for length in (4_000, 200_000):
        message = (chunk * (length // len(chunk) + 1))[:length]
        dialogue = Dialogue((Turn("human", task.description), Turn("agent", message)))
        replies = []  # asked for once: what was read of a message is kept
        assert cpu_s(lambda dialogue=dialogue, said=replies.append: said(human.reply(task, dialogue))) < MOST_S
        assert len(replies[0]) <= 400
