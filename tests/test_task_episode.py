"""A budget of questions: how they are counted, what the human hears of a message, what it says when it is used up."""

import gymnasium
import pettingzoo
import pytest

from colbench_gym import BACKEND, Rules, UnknownNameError, UsageError, open_scenario
from colbench_gym.prompts import default_prompts
from colbench_gym.task_episode import NO_MORE_QUESTIONS


class Listening:
    """A human who keeps what it heard."""

    def __init__(self, reply="Fine."):
        self.heard, self._reply = [], reply

    def reply(self, task, dialogue, shown):
        self.heard.append(dialogue.turns[-1].content)
        return self._reply

    def close(self):
        pass


def replies(messages, **options):
    with open_scenario("backend", **options) as scenario:
        episode = scenario.episode(task_id="test-0")
        return [episode.say(message) for message in messages], episode


def test_questions_are_counted_however_many_stand_in_a_message():
    messages = ["What about ties? Is it rounded?", "What about empty lists?"]
    human = Listening()
    assert replies(messages, human=human, max_questions=3)[0] == ["Fine.", "Fine."]
    assert human.heard == messages


def test_of_a_message_that_goes_beyond_only_the_first_questions_are_heard():
    human = Listening()
    said, episode = replies(["What about ties?", "Is it rounded? What is returned?"], human=human, max_questions=2)
    assert human.heard == ["What about ties?", "Is it rounded?"]
    assert said[1] == f"Fine. {NO_MORE_QUESTIONS}"
    assert episode.episode.dialogue.turns[-2].content == "Is it rounded? What is returned?"


def test_a_draft_is_heard_beside_the_first_questions():
    human = Listening()
    replies(["Is this right?\n```python\ndef f(): 1\n```\nIs it rounded?"], human=human, max_questions=1)
    assert human.heard[0].startswith("Is this right?\n```\ndef f(): 1\n")
    assert "rounded" not in human.heard[0]


def test_a_used_up_budget_is_said_and_the_dialogue_goes_on():
    human = Listening()
    said, episode = replies(
        ["Thanks.", "What about ties?", "And empty lists?", "I WANT TO ANSWER: 1"], human=human, max_questions=1
    )
    assert said == ["Fine.", NO_MORE_QUESTIONS, NO_MORE_QUESTIONS, None]
    assert human.heard == ["Thanks."]
    assert episode.over


def test_the_notice_has_room_in_a_long_reply():
    said, _ = replies(["Is it rounded? What is returned?"], human=Listening("word " * 200), max_questions=1)
    assert len(said[0]) <= BACKEND.human_chars
    assert said[0].endswith(NO_MORE_QUESTIONS)


def test_the_environments_have_it_and_tell_the_agent():
    with gymnasium.make("ColBench-Backend-v0", max_questions=0) as env:
        observation, _ = env.reset(seed=1)
        assert observation["instructions"].endswith(
            "Questions that the person answers in all, however many stand in one message: 0."
        )
        assert NO_MORE_QUESTIONS in env.step("What about ties?")[0]["dialogue"]
    assert (
        default_prompts("backend").agent_brief(BACKEND) + "\n\n"
        == observation["instructions"].partition("Questions that")[0]
    )


@pytest.mark.parametrize("number", [-1, 1.5, "3", True])
def test_what_is_no_budget_is_refused(number):
    with pytest.raises(UsageError, match=r"max_questions is .*expected an integer of at least 0, or None"):
        Rules("backend", 400, max_questions=number)


def test_a_seat_from_outside_and_the_paper_have_no_budget():
    with pytest.raises(UnknownNameError, match="max_questions"):
        pettingzoo.make("aec", "colbench/backend_v0", max_questions=3)
    with pytest.raises(UsageError, match="max_questions=3"), open_scenario("backend", profile="paper", max_questions=3):
        pass
