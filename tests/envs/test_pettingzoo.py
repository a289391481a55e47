"""backend_v0 and frontend_v0: PettingZoo's own tests, and what holds for both."""

import gymnasium
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from support.tables import values

from colbench_gym.envs.pettingzoo import backend_v0, frontend_v0
from colbench_gym.envs.registration import AEC_BACKEND_ID, AEC_FRONTEND_ID, BACKEND_ID, FRONTEND_ID
from colbench_gym.errors import UnknownNameError, UsageError

# PettingZoo warns of every environment whose spaces are text, and of seats that see different things; both are meant.
text_is_no_box = values(__file__, "pettingzoo_text_is_no_box.txt", {"pytest": pytest})
BOTH = pytest.mark.parametrize(
    ("module", "given"), [(backend_v0, {}), (frontend_v0, {"renderer": "scripted"})], ids=["backend", "frontend"]
)


class TestPettingZoosOwn:
    pytestmark = text_is_no_box

    @BOTH
    @pytest.mark.parametrize("kind", ["env", "raw_env"])
    def test_api(self, module, given, kind, capsys):
        env = getattr(module, kind)(**given)
        api_test(env, num_cycles=30)
        env.close()

    @BOTH
    @pytest.mark.slow
    def test_seed(self, module, given):
        seed_test(lambda: module.env(**given), num_cycles=20)

    @BOTH
    def test_render(self, module, given, capsys):
        opened = []

        def make(**kwargs):
            opened.append(module.env(**given, **kwargs))
            return opened[-1]

        render_test(make)
        for env in opened:  # render_test does not close the first one
            env.close()

    @pytest.mark.browser
    def test_api_with_a_browser(self, renderer, capsys):
        env = frontend_v0.env()
        api_test(env, num_cycles=15)
        env.close()


@pytest.mark.parametrize("env_id", [AEC_BACKEND_ID, "colbench/backend", AEC_FRONTEND_ID, "colbench/frontend"])
def test_it_is_in_pettingzoos_registry(env_id):
    given = {"renderer": "scripted"} if "rontend" in env_id else {}
    env = pettingzoo.make("aec", env_id, max_turns=3, **given)
    env.reset(seed=0)
    assert env.unwrapped.task_episode.episode.rules.max_turns == 3
    assert str(env) == ("frontend_v0" if given else "backend_v0")
    env.close()


@BOTH
def test_agent_0_sees_what_the_gymnasium_agent_sees(module, given):
    with gymnasium.make(FRONTEND_ID if given else BACKEND_ID, **given) as gym_env:
        observation, info = gym_env.reset(seed=4)
    env = module.env(**given)
    env.reset(seed=4)
    assert env.observe("agent_0") == observation
    assert env.infos["agent_0"] == info
    env.close()


@BOTH
@pytest.mark.parametrize(
    "wrong", [{"human": "scripted"}, {"task": "x"}, {"render_mode": "x"}, {"reward": "x"}, {"grading": "x"}]
)
def test_unknown_names_list_the_known(module, given, wrong):
    with pytest.raises(UnknownNameError, match="expected one of"):
        module.env(**given, **wrong)


@BOTH
@pytest.mark.parametrize("value", [None, 5, {}])
def test_values_of_the_wrong_type_are_refused_at_once(module, given, value):
    for name in ("similarity", "renderer", "tasks") if given else ("grading", "sandbox", "tasks"):
        with pytest.raises(UsageError, match=r"got.*expected"):
            module.env(**given | {name: value})
