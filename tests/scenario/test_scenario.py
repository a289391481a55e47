"""One Scenario: what an episode is played with, opened and closed in one place; its episodes and its rows."""

import ast
import asyncio
import copy
import threading
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import gymnasium
import pytest
from support.tables import cases, values

import colbench_gym.scenario as scenario_room
from colbench_gym.errors import HumanError, UnknownNameError, UsageError
from colbench_gym.rules import ENV_IDS
from colbench_gym.scenario import OPTIONS, HumanSeat, check_options, open_checked, open_scenario

OFFLINE = {"backend": {}, "frontend": {"renderer": "scripted"}}
DRAFT = "<html><p>one</p></html>"


class Seats:
    """A human and a grader that count how often they are closed, and fail while they are told to."""

    def __init__(self, failures=0):
        self.closed, self.failures = 0, failures

    def reply(self, task, dialogue, shown):
        if self.failures:
            self.failures -= 1
            raise HumanError("gone")
        return "Hm."

    def close(self):
        self.closed += 1


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_an_episode_is_what_the_environment_plays(track):
    with (
        open_scenario(track, **OFFLINE[track]) as scenario,
        gymnasium.make(ENV_IDS[track], **OFFLINE[track]) as env,
    ):
        episode, (_, info) = scenario.episode(seed=5), env.reset(seed=5)
        assert (episode.messages, episode.info) == (info["messages"], info)
        for text in ("What is it?", DRAFT, "I WANT TO ANSWER: x"):
            reply = episode.say(text)
            _, reward, over, _, info = env.step(text)
            assert (episode.info, episode.reward, episode.over) == (info, reward, over)
            assert reply == (None if over else info["messages"][-1]["content"])
        assert episode.task is not None
        assert episode.over


def test_an_episode_of_a_named_task():
    with open_scenario("backend", tasks="generated:train") as scenario:
        first = scenario.tasks.at(0)
        assert scenario.episode(first.task_id).task == first


def test_a_fork_is_played_on_by_itself():
    with open_scenario("backend", tasks="generated:train") as scenario:
        episode = scenario.episode(scenario.tasks.at(0).task_id)
        episode.say("What should be returned?")
        before, fork = episode.info, episode.fork()
        fork.say(f"I WANT TO ANSWER:\n{fork.task.reference}")
        assert (fork.over, fork.reward) == (True, 1.0)
        assert (episode.over, episode.reward, episode.info) == (False, 0.0, before)


def test_a_message_that_fails_half_way_changes_nothing():
    with open_scenario("backend", human=Seats(failures=1)) as scenario:
        episode = scenario.episode(seed=0)
        before = episode.info
        with pytest.raises(HumanError):
            episode.say("What?")
        assert episode.info == before
        assert episode.say("What?") == "Hm."


def test_many_episodes_go_on_at_once_in_an_event_loop():
    async def play(scenario):
        episodes = [scenario.episode(seed=seed) for seed in range(4)]
        replies = await asyncio.gather(*(episode.asay("What should be returned?") for episode in episodes))
        return replies, [episode.info["turn"] for episode in episodes]

    with open_scenario("backend") as scenario:
        replies, turns = asyncio.run(play(scenario))
        alone = [scenario.episode(seed=seed).say("What should be returned?") for seed in range(4)]
    assert (replies, turns) == (alone, [1] * 4)


class Waiting(Seats):
    """A human that replies once ``replying`` many are waiting for it."""

    def __init__(self, replying):
        super().__init__()
        self.together = threading.Barrier(replying, timeout=30)

    def reply(self, task, dialogue, shown):
        self.together.wait()
        return "Hm."


@pytest.mark.slow
def test_as_many_calls_wait_at_once_as_there_are():
    async def play(scenario):
        return await asyncio.gather(*(scenario.episode(seed=seed).asay("What?") for seed in range(40)))

    with open_scenario("backend", human=Waiting(40)) as scenario:
        assert asyncio.run(play(scenario)) == ["Hm."] * 40


def test_a_task_that_is_cancelled_changes_nothing():
    async def play(episode, human):
        saying = asyncio.create_task(episode.asay("What?"))
        while not human.together.n_waiting:
            await asyncio.sleep(0.01)
        saying.cancel()
        with pytest.raises(asyncio.CancelledError):
            await saying
        await asyncio.to_thread(human.together.wait)

    human = Waiting(2)
    with open_scenario("backend", human=human) as scenario:
        episode = scenario.episode(seed=0)
        before = episode.info
        asyncio.run(play(episode, human))
        assert episode.info == before


def test_of_two_messages_at_once_one_is_refused():
    async def play(episode):
        return await asyncio.gather(episode.asay("One?"), episode.asay("Two?"), return_exceptions=True)

    with open_scenario("backend", human=Waiting(2)) as scenario:
        episode = scenario.episode(seed=0)
        replies = asyncio.run(play(episode))
    assert episode.info["turn"] == 1
    assert "Hm." in replies
    (refused,) = (reply for reply in replies if reply != "Hm.")
    assert isinstance(refused, UsageError)
    assert "two messages at once" in str(refused)


def test_a_deep_copy_is_a_fork():
    with open_scenario("backend") as scenario:
        episode = scenario.episode(seed=0)
        copied = copy.deepcopy(episode)
        copied.say("I WANT TO ANSWER: x")
        assert (episode.over, copied.over, copied.human) == (False, True, episode.human)


def test_nothing_is_played_with_a_closed_scenario():
    with open_scenario("backend") as scenario:
        episode = scenario.episode(seed=0)
    for use in (lambda: scenario.episode(seed=0), lambda: episode.say("What?"), lambda: scenario.rows(1)):
        with pytest.raises(UsageError, match="the scenario is closed; open another one with open_scenario"):
            use()
    with pytest.raises(UsageError, match="closed"):
        asyncio.run(episode.asay("What?"))
    assert episode.messages


@pytest.mark.parametrize(("arguments", "says"), cases(__file__, "what_names_no_episode_is_refused"))
def test_what_names_no_episode_is_refused(arguments, says):
    with open_scenario("backend") as scenario, pytest.raises(UsageError, match=says):
        scenario.episode(**arguments)


@pytest.mark.parametrize(("reward", "track", "paid"), values(__file__, "scenario_rewards.txt", globals()))
def test_a_reward_is_a_name_or_a_function_of_the_info(reward, track, paid):
    with open_scenario(track, tasks="generated:train", reward=reward, **OFFLINE[track]) as scenario:
        episode = scenario.episode(scenario.tasks.at(0).task_id)
        episode.say(f"I WANT TO ANSWER: {episode.task.reference}")
        assert episode.reward == pytest.approx(paid)


def test_a_reward_that_is_none_is_refused():
    with pytest.raises(UnknownNameError, match=r"backend reward 'sucess'.*Did you mean 'success'"):
        open_scenario("backend", reward="sucess")
    with pytest.raises(UsageError, match="got reward=1, expected one of success, pass_rate, score"):
        open_scenario("backend", reward=1)
    with open_scenario("backend", reward=lambda info: None) as scenario:
        episode = scenario.episode(seed=0)
        with pytest.raises(UsageError, match="the reward function returned None, expected a finite number"):
            episode.say("I WANT TO ANSWER: x")
        assert not episode.over


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_rows_hold_what_a_dialogue_begins_with_and_nothing_hidden(track):
    with open_scenario(track, **OFFLINE[track]) as scenario:
        rows = scenario.rows(3)
        assert [row["task_id"] for row in rows] == [scenario.tasks.at(index).task_id for index in range(3)]
        for index, row in enumerate(rows):
            assert [message["role"] for message in row["prompt"]] == ["system", "user"]
            assert row["prompt"] == list(scenario.episode(row["task_id"]).messages)
            assert scenario.tasks.at(index).reference not in str(row)
        with pytest.raises(UsageError, match="have no end; say how many"):
            scenario.rows()


def test_what_was_given_stays_open_and_what_was_lent_too():
    seats = Seats()
    with open_scenario("backend", human=seats, tasks="generated:train") as scenario:
        scenario.lent().close()
        assert scenario.episode(seed=1).say("What?") == "Hm."
    scenario.close()
    assert seats.closed == 0


def test_a_seat_played_from_outside_is_never_asked():
    with open_scenario("backend", human=HumanSeat.OUTSIDE) as scenario:
        episode = scenario.episode(seed=0)
        assert episode.say("What?") is None
        assert episode.say("Twice x.", seat="human") is None
        assert [turn.seat for turn in episode.episode.dialogue.turns] == ["human", "agent", "human"]


def test_options_are_checked_once_and_frozen():
    with pytest.raises(UnknownNameError, match="keyword argument of frontend scenario 'sandbox'"):
        check_options("frontend", {"sandbox": "process"})
    with pytest.raises(UsageError, match="human: got temperature=-1"):
        check_options("backend", {"human_temperature": -1})
    chosen = check_options("backend", {"profile": "paper", "human": "openai:m"})
    assert (chosen.grading, chosen.human_model.temperature) == ("paper", 0.0)
    with pytest.raises(FrozenInstanceError):
        chosen.grading = "strict"
    with open_checked(check_options("backend", {"human": HumanSeat.OUTSIDE, "max_turns": 2})) as scenario:
        assert scenario.rules.max_turns == 2


def test_the_keywords_that_type_checkers_see_are_the_options():
    stub = ast.parse(Path(scenario_room.__file__).with_name("keywords.pyi").read_text(encoding="utf-8"))
    both, *of_tracks = (node for node in stub.body if isinstance(node, ast.ClassDef))
    for track, own in zip(("backend", "frontend"), of_tracks, strict=True):
        seen = {line.target.id for node in (both, own) for line in node.body if isinstance(line, ast.AnnAssign)}
        assert seen == {option.name for option in fields(OPTIONS[track])}


def test_versions_name_what_can_change_a_number():
    with open_scenario("frontend", renderer="scripted") as scenario:
        assert {"colbench_gym", "python", "numpy", "scipy", "pillow", "metric", "browser"} <= set(scenario.versions)
        assert scenario.settings["similarity"] == "layout"
