"""ColBench-Backend-v0 and ColBench-Frontend-v0 alike: Gymnasium's checks, infos, answers, refusals, JSON."""

import json

import gymnasium
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from support.tables import cases

from colbench_gym import BACKEND, UnknownNameError, UsageError
from colbench_gym.envs.registration import BACKEND_ID, FRONTEND_ID
from colbench_gym.testing import check_determinism

A = BACKEND.answer_marker  # of both tracks
OFFLINE = {BACKEND_ID: {}, FRONTEND_ID: {"renderer": "scripted"}}
INFO_TYPES = {"task_id": str, "turn": int, "messages": tuple, "outcome": str, "success": bool, "leak": dict}
GRADED = {
    BACKEND_ID: {"pass_rate": float, "test_outcomes": tuple},
    FRONTEND_ID: {"similarity": float, "metric": str, "test_outcomes": tuple},
}
BOTH = pytest.mark.parametrize("env_id", OFFLINE)


@pytest.fixture(params=OFFLINE)
def env(request):
    env = gymnasium.make(request.param, **OFFLINE[request.param])
    yield env
    env.close()


def test_gymnasiums_own_check(env):
    check_env(env.unwrapped)


@BOTH
@pytest.mark.slow
def test_our_check_of_determinism(env_id):
    check_determinism(env_id, **OFFLINE[env_id])
    reward = {} if OFFLINE[env_id] else {"reward": "pass_rate"}
    check_determinism(env_id, max_turns=2, tasks="generated:train", **reward, **OFFLINE[env_id])


def test_the_oracle_earns_one_and_an_empty_answer_nothing(env):
    for seed in range(3):
        env.reset(seed=seed)
        reference, graded = env.unwrapped.task_episode.task.reference, GRADED[env.spec.id]
        _, reward, terminated, truncated, info = env.step(f"{A}\n```python\n{reference}\n```")
        assert (terminated, truncated, info["success"]) == (True, False, "pass_rate" in graded)
        assert reward == info[next(iter(graded))] == pytest.approx(1.0, abs=1e-6)
        assert info["test_outcomes"] == ("passed",) * (10 if "pass_rate" in graded else 0)
        env.reset(seed=seed)
        _, reward, terminated, _, info = env.step(A)
        assert (reward, terminated, info["success"], info["outcome"]) == (0.0, True, False, "answered")


def test_info_has_the_same_keys_and_types_from_reset_to_the_end(env):
    infos = [env.reset(seed=0)[1], env.step("<html><p>one</p></html>")[4], env.step(A)[4]]
    for info in infos:
        assert {key: type(value) for key, value in info.items()} == INFO_TYPES | GRADED[env.spec.id]
        assert all(type(value) is float for value in info["leak"].values())
        assert all(type(value) is str for value in info["test_outcomes"])
        json.dumps(info, allow_nan=False)
    assert [info["turn"] for info in infos] == [0, 1, 2]
    assert [info.get("metric", "") for info in infos[:2]] == ["", ""]
    assert len({frozenset(info["leak"]) for info in infos}) == 1


@pytest.mark.parametrize(("env_id", "wrong", "says"), cases(__file__, "unknown_names_list_the_known"))
@pytest.mark.filterwarnings("ignore:.*that is not in the possible render_modes")  # gymnasium's, before our error
def test_unknown_names_list_the_known(env_id, wrong, says):
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(UnknownNameError, match=says):
            make(env_id, **(OFFLINE[env_id] | wrong))


@pytest.mark.parametrize(("env_id", "wrong", "says"), cases(__file__, "values_of_the_wrong_type_are_refused_at_once"))
def test_values_of_the_wrong_type_are_refused_at_once(env_id, wrong, says):
    for make in (gymnasium.make, gymnasium.make_vec):
        with pytest.raises(UsageError, match=says):
            make(env_id, **(OFFLINE[env_id] | wrong))


@BOTH
def test_the_spec_is_json_and_makes_the_same_environment(env_id):
    kwargs = {"tasks": "generated:train", "max_turns": 3, "prompts": {"agent": "A", "human": "H"}, **OFFLINE[env_id]}
    kwargs |= {"similarity": "layout"} if OFFLINE[env_id] else {"reward": "pass_rate"}
    with gymnasium.make(env_id, **kwargs) as env:
        spec = EnvSpec.from_json(env.spec.to_json())
        first = env.reset(seed=5)
    assert spec.kwargs == kwargs
    with gymnasium.make(spec) as again:
        assert again.reset(seed=5) == first
        assert first[0]["instructions"] == "A"
