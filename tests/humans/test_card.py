"""The questions that ship with the package, and what the scripted human is worth on them."""

import pytest

from colbench_gym import Dialogue, Turn, load_tasks
from colbench_gym.evaluation.human_check import check_human, read_questions, shipped_questions
from colbench_gym.humans.scripted import FunctionHuman


@pytest.mark.parametrize(("track", "fewest"), [("backend", 400), ("frontend", 250)])
def test_each_question_is_about_a_task_that_ships_too(track, fewest):
    tasks, path = shipped_questions(track)
    questions = read_questions(path, track)
    known = load_tasks(tasks, track=track)
    assert len(questions) >= fewest
    assert all(known.get(question.task_id).task_id == question.task_id for question in questions)


@pytest.mark.slow
def test_the_scripted_human_settles_most_questions_and_says_little_that_is_false():
    tasks, path = shipped_questions("backend")
    known, human = load_tasks(tasks, track="backend"), FunctionHuman()

    def ask(question):
        task = known.get(question.task_id)
        return human.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question.text))))

    report = check_human(read_questions(path, "backend")[::4], ask)
    human.close()
    assert report.total.good > 0.55  # of those it learned from: 0.61
    assert report.total.verdicts["false"] < 0.03
    assert report.mean_chars < 200
