"""backend_v0: PettingZoo's own tests, and our contract for two seats."""

import pytest
from support.doubles import Closeable

import colbench_gym
from colbench_gym import Grade, GraderError, UnknownNameError, UsageError, load_tasks
from colbench_gym.envs.pettingzoo import backend_v0

A = colbench_gym.BACKEND.answer_marker


class Marks(Closeable):
    """A grader that gives a fixed score, or fails."""

    def __init__(self, score=0.5, failures=0):
        self.score, self.failures = score, failures

    def grade(self, task, answer):
        if self.failures:
            self.failures -= 1
            raise GraderError("no room")
        return Grade(self.score, self.score == 1.0, "pass_rate", ("passed", "wrong"))


@pytest.fixture
def env():
    env = backend_v0.env()
    env.reset(seed=0)
    yield env
    env.close()


def test_two_seats_play_to_a_shared_reward(env):
    reference = env.unwrapped.task_episode.task.reference
    assert (env.agents, env.agent_selection) == (["agent_0", "human_0"], "agent_0")
    env.step("hm OUTPUT:What is returned?")
    assert env.agent_selection == "human_0"
    observation, reward, terminated, truncated, info = env.last()
    assert observation["dialogue"].endswith("assistant:What is returned?\n\n\n\n")
    assert (reward, terminated, truncated, info["turn"]) == (0.0, False, False, 1)
    env.step("é" * 500)
    assert env.observe("agent_0")["dialogue"].endswith("user:" + "é" * 400 + "\n\n\n\n")
    env.step(f"{A} {reference}")
    assert env.rewards == {"agent_0": 1.0, "human_0": 1.0}
    assert env.terminations == {"agent_0": True, "human_0": True}
    assert not any(env.truncations.values())
    rewards = {}
    for name in env.agent_iter():
        _, rewards[name], _, _, info = env.last()
        assert info["test_outcomes"] == ("passed",) * 10
        env.step(None)
    assert rewards == {"agent_0": 1.0, "human_0": 1.0}
    assert env.agents == []


def test_each_seat_has_its_own_messages(env):
    env.step("What?")
    for name, roles in (("agent_0", ["system", "user", "assistant"]), ("human_0", ["system", "assistant", "user"])):
        assert [message["role"] for message in env.infos[name]["messages"]] == roles
        assert env.infos[name]["messages"][0]["content"] == env.observe(name)["instructions"]


def test_observations_belong_to_the_spaces_and_both_seats_have_the_same(env):
    for name in env.agents:
        assert env.observe(name) in env.observation_space(name)
        assert env.observation_space(name) is env.observation_space(name)
        assert "any\ntext" in env.action_space(name)
    assert env.observation_space("agent_0") == env.observation_space("human_0")


def test_the_leak_of_the_human_seat_is_measured(env):
    reference = env.unwrapped.task_episode.task.reference
    env.step("What is the code?")
    env.step(reference)
    assert any(value > 0 for value in env.infos["agent_0"]["leak"].values())


def test_a_grader_that_fails_is_no_reward_and_the_step_can_be_made_again():
    env = backend_v0.raw_env(grading=Marks(failures=1), reward="pass_rate")
    env.reset(seed=0)
    with pytest.raises(GraderError):
        env.step(A)
    assert (env.agent_selection, env.terminations["agent_0"]) == ("agent_0", False)
    env.step(A)
    assert env.rewards == {"agent_0": 0.5, "human_0": 0.5}
    env.close()


def test_the_task_can_be_chosen_and_options_are_checked(env):
    env.reset(options={"task_id": env.infos["agent_0"]["task_id"]})
    with pytest.raises(UnknownNameError, match="Did you mean 'task_id'"):
        env.reset(options={"taskid": "1"})


def test_live_task_sets_are_taken():
    env = backend_v0.env(tasks=load_tasks("generated:train"))
    env.reset(seed=0)
    assert env.infos["agent_0"]["task_id"].startswith("train")
    env.close()


@pytest.mark.parametrize("action", [None, 5, "x" * 200_001], ids=lambda action: type(action).__name__)
def test_what_is_no_message_is_refused(env, action):
    for speaker in ("agent_0", "human_0"):
        assert env.agent_selection == speaker
        with pytest.raises(UsageError, match=r"got a message .*, expected"):
            env.step(action)
        env.step("fine")


def test_steps_out_of_order_are_refused():
    env = backend_v0.raw_env(grading=Marks())
    with pytest.raises(UsageError, match="call reset"):
        env.step("What?")
    env.reset(seed=0)
    env.step(A)
    env.step(None)
    env.step(None)
    with pytest.raises(UsageError, match="after the end"):
        env.step("more")
    env.close()
    env.close()
    with pytest.raises(UsageError, match="closed"):
        env.reset()


def test_it_renders_nothing_hidden(env, capsys):
    shown = backend_v0.env(render_mode="human")
    shown.reset(seed=0)
    shown.step("thinking OUTPUT:What?")
    shown.step("Twice.")
    shown.step(A)
    shown.close()
    text = capsys.readouterr().out
    assert text.count("agent: What?") == text.count("human: Twice.") == 1
    assert "thinking" not in text
    with pytest.warns(UserWarning, match="without a render mode"):
        assert env.render() is None
