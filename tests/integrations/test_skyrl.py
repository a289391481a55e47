"""The bridge to SkyRL-gym: its registry, its environment, and what it does with an outage."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from support.examples import run_example
from support.small_tasks import write_small_tasks

from colbench_gym.errors import HumanError, UnknownNameError, UsageError

pytestmark = pytest.mark.integration("skyrl")


@pytest.fixture
def options(tmp_path):
    return {"tasks": write_small_tasks(tmp_path), "human": "python:support.small_tasks:Told", "max_turns": 3}


def make(options, **extras):
    import skyrl_gym

    from colbench_gym.integrations.skyrl import register

    register()
    return skyrl_gym.make("colbench", env_config=options, extras=extras)


def test_registers_once():
    import skyrl_gym

    from colbench_gym.integrations.skyrl import register

    register()
    register()
    assert skyrl_gym.spec("colbench").entry_point == "colbench_gym.integrations.skyrl:ColBenchTextEnv"


def test_plays_an_episode(options):
    from omegaconf import OmegaConf

    env = make(OmegaConf.create(options), task_id="triple", env_class="colbench")
    messages, info = env.init([{"role": "user", "content": "what the data set says"}])
    assert [message["role"] for message in messages] == ["system", "user"]
    assert info == {"task_id": "triple"}
    assert env.max_turns == 3
    asked = env.step("What is the factor?")
    assert asked["observations"] == [{"role": "user", "content": "Multiply it by 3."}]
    assert (asked["reward"], asked["done"]) == (0.0, False)
    paid = env.step("I WANT TO ANSWER: def f(x): return 3 * x")
    assert paid["observations"] == []
    assert (paid["reward"], paid["done"], paid["metadata"]) == (1.0, True, {"outcome": "answered"})
    assert env.get_metrics() == {"success": 1.0, "pass_rate": 1.0, "turns": 2}
    assert type(env).aggregate_metrics([env.get_metrics()]) == env.get_metrics()


def test_a_group_has_one_task_and_one_scenario(options):
    group = [make(options, seed=7) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        begun = list(threads.map(lambda env: env.init([])[1], group))
    assert begun == [begun[0]] * 4
    assert len({id(env._scenario) for env in group}) == 1
    with pytest.raises(UsageError, match="task_id or seed"):
        make(options).init([])
    with pytest.raises(UsageError, match="call init"):
        make(options, task_id="triple").step("Hello?")


def test_an_outage_is_raised_and_changes_nothing(options):
    env = make({**options, "human": "python:support.small_tasks:out"}, task_id="triple")
    env.init([])
    with pytest.raises(HumanError, match="the line is dead"):
        env.step("What is the factor?")
    assert env.get_metrics()["turns"] == 0
    assert env.step("I WANT TO ANSWER: def f(x): return 3 * x")["reward"] == 1.0


def test_options_are_checked(options):
    with pytest.raises(UnknownNameError, match="track"):
        make({**options, "track": "middle"})
    with pytest.raises(UsageError, match="strings and numbers"):
        make({**options, "human": object()})


def test_the_example_evaluates_an_agent(tmp_path):
    lines = run_example("evaluate_with_skyrl", "asker:9", 5, cwd=tmp_path).splitlines()
    assert len(lines) == 5
    assert sum(float(line.split()[1]) for line in lines) > 3
