"""frontend_v0: PettingZoo's own tests, and our contract for two seats, of which one sees pictures."""

import numpy as np
import pytest
from gymnasium.spaces import Box
from support.frontend_seats import DRAFT, OTHER, Bakeries, Flaky, Viewer

from colbench_gym import FRONTEND, GraderError, RendererError, TaskError
from colbench_gym.envs.pettingzoo import frontend_v0
from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.pictures import as_array
from colbench_gym.rendering.scripted import ScriptedRenderer

A = FRONTEND.answer_marker
SHAPE = (720, 1280, 3)


def picture(html):
    return as_array(ScriptedRenderer().render(html).png, SHAPE)


def doubles(**kwargs):
    given = {"tasks": Bakeries(), "similarity": Viewer(), "renderer": ScriptedRenderer()}
    return frontend_v0.raw_env(**(given | kwargs))


@pytest.fixture
def env():
    env = doubles()
    env.reset(seed=0)
    yield env
    env.close()


def test_the_human_sees_both_pictures_and_the_agent_none(env):
    reference = picture(env.task_episode.task.reference)
    assert set(env.observe("agent_0")) == {"instructions", "dialogue"}
    shown = env.observe("human_0")
    assert (shown["page"] == 255).all()
    assert (shown["reference"] == reference).all()
    env.step(f"Like this? {DRAFT}")
    assert (env.observe("human_0")["page"] == picture(DRAFT)).all()
    env.step("é" * 1100)
    assert env.observe("agent_0")["dialogue"].endswith("user:" + "é" * 1000 + "\n\n\n\n")
    env.step("What else?")
    assert (env.observe("human_0")["page"] == picture(DRAFT)).all()
    env.step("Green.")
    env.step(f"{OTHER} {A}")
    shown = env.observe("human_0")
    assert (shown["page"] == picture(OTHER)).all()
    assert (shown["reference"] == reference).all()
    assert env.rewards == {"agent_0": len(OTHER) / 100, "human_0": len(OTHER) / 100}
    assert env.infos["human_0"]["similarity"] == len(OTHER) / 100
    env.reset(seed=0)
    assert (env.observe("human_0")["page"] == 255).all()


def test_observations_belong_to_the_spaces(env):
    for text in (DRAFT, "Green.", A):
        for name in env.agents:
            assert env.observe(name) in env.observation_space(name)
            assert env.observation_space(name) is env.observation_space(name)
        env.step(text)
    for name in ("page", "reference"):
        assert env.observation_space("human_0")[name] == Box(0, 255, SHAPE, np.uint8)
    assert set(env.observation_space("agent_0")) == {"instructions", "dialogue"}


def test_what_is_observed_can_be_written_to(env):
    env.observe("human_0")["reference"][:] = 0
    assert env.observe("human_0")["reference"].any()


def test_a_page_that_cannot_be_rendered_is_white():
    class Slow(ScriptedRenderer):
        def render(self, html):
            return RenderedPage("timed_out") if html == OTHER else super().render(html)

    env = doubles(renderer=Slow())
    env.reset(seed=0)
    for text in (DRAFT, "Green.", OTHER):
        env.step(text)
    assert (env.observe("human_0")["page"] == 255).all()
    env.close()


@pytest.mark.parametrize(
    ("seats", "message", "error"),
    [(Flaky(grades=1), f"{DRAFT} {A}", GraderError), (Flaky(pages=1), DRAFT, RendererError)],
)
def test_what_fails_is_no_reward_and_the_step_can_be_made_again(seats, message, error):
    env = doubles(similarity=seats, renderer=seats)
    failures, seats.left = seats.left, dict.fromkeys(seats.left, 0)  # not at reset
    env.reset(seed=0)
    seats.left = failures
    with pytest.raises(error):
        env.step(message)
    assert (env.agent_selection, env.terminations["agent_0"], env.task_episode.episode.page) == ("agent_0", False, None)
    assert (env.observe("human_0")["page"] == 255).all()
    env.step(message)
    assert (env.observe("human_0")["page"] == picture(DRAFT)).all()
    env.close()


def test_a_reset_that_fails_can_be_made_again():
    seats = Flaky(pages=1)
    env = doubles(renderer=seats)
    with pytest.raises(RendererError):
        env.reset(seed=0)
    env.reset(seed=0)
    assert (env.observe("human_0")["reference"] == picture(env.task_episode.task.reference)).all()
    env.close()


def test_a_reference_that_cannot_be_rendered_is_told_at_reset():
    class Never(ScriptedRenderer):
        def render(self, html):
            return RenderedPage("crashed")

    with pytest.raises(TaskError, match="cannot be rendered"):
        doubles(renderer=Never()).reset(seed=0)


def test_it_renders_nothing_hidden(capsys):
    shown = doubles(render_mode="human")
    shown.reset(seed=0)
    for text in (f"thinking OUTPUT:{DRAFT}", "Greener.", A):
        shown.step(text)
    shown.close()
    text = capsys.readouterr().out
    assert text.count(f"agent: {DRAFT}") == text.count("human: Greener.") == 1
    assert "thinking" not in text
    pictured = doubles(render_mode="rgb_array")
    pictured.reset(seed=0)
    assert (pictured.render() == 255).all()
    pictured.step(DRAFT)
    assert (pictured.render() == picture(DRAFT)).all()
    pictured.close()
