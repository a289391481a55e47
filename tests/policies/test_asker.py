"""The scripted agent: what asking is worth, and that it knows nothing but what was said."""

from functools import cache

import pytest

from colbench_gym.action import parse_action
from colbench_gym.episode import Episode
from colbench_gym.errors import UsageError
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.policies.asker import GENERIC, Asker
from colbench_gym.policies.asker.family_decisions import understood
from colbench_gym.rules import BACKEND
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks.generated_backend.families.task_set import FAMILIES, FamilyTasks


@cache
def tasks():
    return [FamilyTasks("test").at(index) for index in range(90)]


BRIEF = {"role": "system", "content": "Write a function."}


@pytest.fixture(scope="module")
def grader():
    with open_sandbox() as sandbox:
        yield UnitTestGrader(sandbox)


def play(task, questions, human=None, rules=BACKEND):
    episode, asker = Episode(rules, task.description), Asker(questions)
    while not episode.over:
        episode.say("agent", asker.act((BRIEF, *episode.dialogue.messages("agent"))))
        if not episode.over:
            reply = human(episode.dialogue) if human else CodeReader().reply(task, episode.dialogue)
            episode.say("human", reply)
    return episode


def wins(grader, questions, rules=BACKEND):
    return sum(grader.grade(task, play(task, questions, rules=rules).answer).success for task in tasks())


@pytest.mark.slow
def test_asking_is_worth_it(grader):
    few, more, all_of_it = wins(grader, 1), wins(grader, 4), wins(grader, 9)
    assert few < more < all_of_it
    assert few <= 0.05 * len(tasks())
    assert all_of_it >= 0.97 * len(tasks())


@pytest.mark.slow
def test_without_a_word_it_loses(grader):
    assert wins(grader, 0) <= 0.05 * len(tasks())
    assert wins(grader, 9, rules=BACKEND.with_max_turns(1)) == 0


@pytest.mark.parametrize("questions", [0, 1, 2, 3])
def test_it_asks_as_many_questions_as_it_may(questions):
    for task in tasks()[:30]:
        turns = play(task, questions).dialogue.turns[1:]
        assert len(turns) == 2 * questions + 1
        assert all(parse_action(turn.content, BACKEND).answer is None for turn in turns[:-1])


def test_it_learns_from_what_is_said_only():
    for task in tasks()[:30]:
        silent = play(task, 9, human=lambda dialogue: "I don't know.")
        assert silent.dialogue.count("agent") == 10
        asked = [turn.content for turn in silent.dialogue.turns if turn.seat == "agent"][:-1]
        assert not any(says in question for question in asked for d in task.decisions for says in d.says)
        assert silent.answer.strip() != task.reference.strip()


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


@pytest.mark.parametrize(
    ("name", "key", "reply", "value"),
    [
        ("income_tax", "allowance", "Hmm, let me think. I guess it was 2500, yes.", 2500),
        ("income_tax", "allowance", "Either 2500 or 3000.", None),
        ("income_tax", "allowance", "I don't know.", None),
        ("income_tax", "rounded", "Two decimals would be good.", 0),
        ("file_name", "joiner", 'I like "_" best.', "_"),
        ("parse_settings", "again", "If a name appears twice, the first should win.", 1),
        ("weekly_pay", "factor", "1.25 times as much", 1.25),
    ],
)
def test_free_words_are_understood_when_they_point_to_one_alternative(name, key, reply, value):
    family = next(family for family in FAMILIES if name in family.names)
    choice = next(choice for choice in family.choices if choice.key == key)
    told = understood(family, reply, choice)
    assert ({k: choice.setting(alternative) for k, alternative in told.items()}) == (
        {} if value is None else {key: value}
    )
