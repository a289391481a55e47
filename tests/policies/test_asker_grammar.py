"""The scripted agent on tasks of the grammar: what asking is worth, and that it reads nothing but the request."""

from functools import cache

import pytest

from colbench_gym import BACKEND, Episode, make_human, parse_action
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.policies.asker import Asker
from colbench_gym.policies.asker.phrasing import question_about
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks


@cache
def tasks():
    return [GeneratedBackendTasks("test").at(index) for index in range(40)]


def play(task, questions, human=None):
    episode, asker = Episode(BACKEND, task.description), Asker(questions)
    while not episode.over:
        episode.say("agent", asker.act(episode.dialogue.messages("agent")))
        if not episode.over:
            episode.say("human", human(task) if human else FunctionHuman().reply(task, episode.dialogue))
    return episode


@pytest.mark.slow
def test_asking_is_worth_it():
    with open_sandbox() as sandbox:
        grader = UnitTestGrader(sandbox)
        won = {k: sum(grader.grade(task, play(task, k).answer).success for task in tasks()) for k in (0, 2, 9)}
    assert won[0] <= 0.05 * len(tasks())
    assert won[0] <= won[2] < won[9]
    assert won[9] >= 0.9 * len(tasks())


@pytest.mark.slow
def test_it_learns_from_what_is_said_only():
    for task in tasks()[:5]:
        silent = play(task, 9, human=lambda task: "I don't know.")
        asked = [turn.content for turn in silent.dialogue.turns if turn.seat == "agent"][:-1]
        assert len(asked) == 9
        assert silent.answer.strip() != task.reference.strip()
        assert not any(says in question for question in asked for d in task.decisions for says in d.says)


@pytest.mark.slow
@pytest.mark.parametrize("questions", [0, 1, 3])
def test_it_asks_at_most_as_often_as_it_may(questions):
    for task in tasks()[:10]:
        turns = [turn for turn in play(task, questions).dialogue.turns if turn.seat == "agent"]
        assert len(turns) <= questions + 1
        assert all(parse_action(turn.content, BACKEND).answer is None for turn in turns[:-1])


def test_a_topic_is_asked_for_in_several_phrasings():
    matter = GeneratedBackendTasks("test").member(0).matters[0]
    asked = {question_about([matter], [0], f"task {number}", turn) for number in range(40) for turn in range(3)}
    assert len(asked) >= 10
    assert question_about([matter], [0], "task", 1) == question_about([matter], [0], "task", 1)


@pytest.mark.slow
@pytest.mark.parametrize("persona", ["terse", "layperson", "incomplete"])
def test_other_manners_are_understood(persona):
    human = make_human(f"scripted:{persona}")
    with open_sandbox() as sandbox:
        grader = UnitTestGrader(sandbox)
        won = 0
        for task in tasks()[:12]:
            episode, asker = Episode(BACKEND, task.description), Asker(9)
            while not episode.over:
                episode.say("agent", asker.act(episode.dialogue.messages("agent")))
                if not episode.over:
                    episode.say("human", human.reply(task, episode.dialogue))
            won += grader.grade(task, episode.answer).success
    human.close()
    assert won >= 10
