"""The scripted agent on tasks that its grammar does not have, and what it refuses."""

import pytest

from colbench_gym import BACKEND, UsageError, parse_action
from colbench_gym.policies.asker import GENERIC, Asker

BRIEF = {"role": "system", "content": "Write a function."}


def test_an_unknown_task_gets_general_questions_and_a_function_that_fits():
    task = "Tell me which of my cats are hungry, please. The signature of the function is: def hungry(cats, hour=12)"
    messages = [BRIEF, {"role": "user", "content": task}]
    for number in range(9):
        question = Asker(9).act(messages)
        assert question == GENERIC[number]
        messages += [{"role": "assistant", "content": question}, {"role": "user", "content": "I don't know."}]
    answer = parse_action(Asker(9).act(messages), BACKEND).answer
    space = {}
    exec(answer, space)
    space["hungry"](["Tom"], hour=3)


@pytest.mark.parametrize("messages", [[], [BRIEF], [{"role": "assistant", "content": "Hello?"}]])
def test_it_answers_whatever_it_is_given(messages):
    assert parse_action(Asker(0).act(messages), BACKEND).answer


@pytest.mark.parametrize("wrong", [-1, True, "3", None])
def test_a_wrong_number_of_questions_is_refused(wrong):
    with pytest.raises(UsageError, match="at least 0"):
        Asker(wrong)
