"""ColBench-Backend-v0, one episode at a time: Gymnasium's checks, our contract, errors, rendering, JSON."""

import json
import pickle
import sys

import gymnasium
import numpy as np
import pytest
from support.doubles import Closeable

import colbench_gym
from colbench_gym import BackendEnv, Grade, open_scenario
from colbench_gym.envs.registration import BACKEND_ID
from colbench_gym.errors import HumanError, MissingExtraError, UnknownTaskError, UsageError
from colbench_gym.prompts import default_prompts

A = colbench_gym.BACKEND.answer_marker


@pytest.fixture
def env():
    env = gymnasium.make(BACKEND_ID)
    yield env
    env.close()


class Seats(Closeable):
    """A human and grader that say the same whatever is said to them."""

    def __init__(self, reply="Twice é."):
        self.answer = reply

    def reply(self, task, dialogue, shown):
        return self.answer

    def grade(self, task, answer):
        return Grade(0.5, False, "pass_rate", ("passed", "wrong"))


def test_messages_are_the_observation_as_chat(env):
    env.reset(seed=0)
    observation, _, _, _, info = env.step("What?")
    system, *rest = info["messages"]
    assert system == {"role": "system", "content": observation["instructions"]}
    assert [message["role"] for message in rest] == ["user", "assistant", "user"]
    assert all(message["content"] in observation["dialogue"] for message in rest)


def test_the_last_message_is_the_answer(env):
    env.reset(seed=0)
    steps = [env.step("What?") for _ in range(10)]
    assert [step[2] for step in steps] == [False] * 9 + [True]
    assert steps[-1][4]["outcome"] == "out_of_turns"
    assert not any(step[3] for step in steps)


def test_single_turn():
    with gymnasium.make(BACKEND_ID, max_turns=1) as env:
        env.reset(seed=0)
        assert env.step("What?")[2]


def test_reward_is_what_was_asked_for():
    for reward, paid in (("success", 0.0), ("pass_rate", 0.5)):
        with BackendEnv(human=Seats(), grading=Seats(), reward=reward) as env:
            env.reset(seed=0)
            assert env.step(A)[1] == paid


def test_the_task_can_be_chosen(env, tmp_path):
    _, info = env.reset(seed=3)
    assert env.reset(options={"task_id": info["task_id"]})[1]["task_id"] == info["task_id"]
    with pytest.raises(UnknownTaskError):
        env.reset(options={"task_id": "no-such-task"})


def test_a_task_of_a_file_can_be_chosen_by_number(official_data):
    with gymnasium.make(BACKEND_ID, tasks=str(official_data / "backend_tasks.jsonl")) as env:
        by_text = env.reset(options={"task_id": "3"})
        assert by_text == env.reset(options={"task_id": 3}) == env.reset(options={"task_id": np.int64(3)})


@pytest.mark.parametrize("action", [None, 5, b"x", ["x"], "x" * 200_001], ids=lambda action: type(action).__name__)
def test_an_action_that_is_no_message_is_refused_and_changes_nothing(env, action):
    observation, info = env.reset(seed=0)
    with pytest.raises(ValueError, match=r"got a message .*, expected"):
        env.unwrapped.step(action)
    assert env.unwrapped.task_episode.observation_for("agent") == observation
    assert env.unwrapped.task_episode.info == info


def test_lone_surrogates_are_replaced(env):
    env.reset(seed=0)
    observation = env.unwrapped.step("What \ud800?")[0]
    assert "What ??" in observation["dialogue"]
    assert observation in env.observation_space


@pytest.mark.parametrize(
    ("reply", "said"), [(None, "of type NoneType"), (5, "of type int"), ("x" * 200_001, "cannot be used")]
)
def test_a_reply_that_is_no_message_is_the_humans_failure(reply, said):
    with BackendEnv(human=Seats(reply=reply), grading=Seats()) as env:
        env.reset(seed=0)
        with pytest.raises(HumanError, match=said):
            env.step("What?")


def test_steps_out_of_order_are_refused(env):
    raw = env.unwrapped
    with pytest.raises(UsageError, match="call reset"):
        raw.step("What?")
    raw.reset(seed=0)
    raw.step(A)
    with pytest.raises(UsageError, match=r"after the end of the episode \(answered\); call reset"):
        raw.step("more")
    raw.close()
    raw.close()
    for call in (raw.reset, lambda: raw.step("What?")):
        with pytest.raises(UsageError, match="closed"):
            call()


def test_a_time_limit_is_refused_with_the_name_of_the_right_option():
    for make in (gymnasium.make, gymnasium.make_vec, lambda env_id, **kwargs: BackendEnv(**kwargs)):
        with pytest.raises(UsageError, match=r"got max_episode_steps=5 .*expected max_turns"):
            make(BACKEND_ID, max_episode_steps=5)
    gymnasium.make(BACKEND_ID, max_episode_steps=-1).close()  # Gymnasium's way to ask for no limit


def test_a_scenario_and_its_options_exclude_each_other():
    with open_scenario("backend", grading=Seats()) as scenario:
        with pytest.raises(UsageError, match="got a scenario and max_turns, expected either"):
            BackendEnv(scenario=scenario, max_turns=3)
        with BackendEnv(scenario=scenario) as env:
            assert env.reset(seed=0)[1]["messages"] == scenario.episode(seed=0).messages


def test_a_sandbox_that_no_grader_uses_is_checked_too():
    with pytest.raises(UsageError, match="sandbox=5"):
        BackendEnv(grading=Seats(), sandbox=5)


def test_wording_can_be_given_as_live_prompts():
    with BackendEnv(prompts=default_prompts("backend")) as env, BackendEnv() as plain:
        assert env.reset(seed=0) == plain.reset(seed=0)


def test_the_package_registers_when_named_with_the_id():
    with gymnasium.make("colbench_gym:ColBench-Backend-v0") as env:
        assert env.spec.max_episode_steps is None


def test_ansi_renders_the_dialogue(env):
    with gymnasium.make(BACKEND_ID, render_mode="ansi") as env:
        env.reset(seed=0)
        assert env.render().endswith("turn 0 of 10, ongoing]")
        env.step("thinking OUTPUT:What is x?")
        assert "agent: What is x?" in env.render()
        assert "thinking" not in env.render()
        env.step(A)
        assert env.render().endswith("turn 2 of 10, answered, pass_rate 0.00]")


def test_rgb_array_renders_the_end_of_the_dialogue_as_a_picture():
    pytest.importorskip("PIL")
    with gymnasium.make(BACKEND_ID, render_mode="rgb_array") as env:
        env.reset(seed=0)
        first = env.render()
        assert (first.shape, str(first.dtype)) == ((720, 1280, 3), "uint8")
        assert 0.001 < (first < 128).mean() < 0.2  # black on white
        env.step("What is x?")
        second = env.render()
        assert (first != second).any()
        env.step("\n".join(f"line {number}" for number in range(500)))
        assert (env.render()[-60:] < 128).any()  # its end


def test_rgb_array_without_pillow_names_the_pip_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with BackendEnv(render_mode="rgb_array") as env:
        env.reset(seed=0)
        with pytest.raises(MissingExtraError, match=r"colbench-gym\[render\]"):
            env.render()


def test_human_prints_every_message_once(capsys):
    with gymnasium.make(BACKEND_ID, render_mode="human") as env:
        env.reset(seed=0)
        env.step("What is x?\x1b[2J")
        assert env.render() is None
        env.step(A)
    shown = capsys.readouterr().out
    assert shown.count("agent: What is x?") == 1
    assert "\x1b" not in shown
    assert shown.count("human: ") == 2
    assert "pass_rate" in shown


def test_nothing_is_rendered_without_a_mode(env, capsys):
    env.unwrapped.reset(seed=0)
    with pytest.warns(UserWarning, match=r"without a render mode, expected one of 'ansi', 'human'.*render_mode='ansi'"):
        assert env.unwrapped.render() is None
    assert capsys.readouterr().out == ""


def test_the_opening_must_be_a_message(tmp_path):
    row = {"problem_description": "x" * 200_001, "ground_truth": "def f(): pass", "test_cases": {"t": "f()"}}
    path = tmp_path / "tasks.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    with gymnasium.make(BACKEND_ID, tasks=str(path)) as env, pytest.raises(UsageError, match="200001 characters"):
        env.reset(seed=0)


def test_spaces_travel_between_processes(env):
    assert pickle.loads(pickle.dumps(env.observation_space)) == env.observation_space


def test_an_environment_goes_on_after_a_first_reset_that_was_refused():
    """Gymnasium's passive checker would fail in every step after it."""
    env = gymnasium.make("ColBench-Backend-v0", tasks="examples")
    with pytest.raises(UsageError, match="wagse"):
        env.reset(options={"task_id": "wagse"})
    env.reset(options={"task_id": "wages"})
    assert env.step("What is returned?")[2] is False
    env.close()


def test_the_spec_of_an_environment_with_a_scenario_can_be_read():
    with open_scenario("backend") as scenario:
        env = gymnasium.make("ColBench-Backend-v0", scenario=scenario)
        assert env.spec is not None
        assert env.spec.kwargs["scenario"] is scenario
