"""ColBench-Frontend-v0, one episode at a time: Gymnasium's checks, our contract, errors, rendering, JSON."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from support.frontend_seats import DRAFT, OTHER, Bakeries, Flaky, Viewer

from colbench_gym import FRONTEND, FrontendEnv, GraderError, HumanError, RendererError, TaskError, load_tasks
from colbench_gym.envs.registration import FRONTEND_ID
from colbench_gym.graders.layout_similarity import LayoutSimilarity
from colbench_gym.rendering.pictures import as_array
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.testing import check_determinism

A = FRONTEND.answer_marker


def quick(**kwargs):
    """The environment with the default human and similarity, without a browser."""
    return gymnasium.make(FRONTEND_ID, renderer="scripted", **kwargs)


def doubles(**kwargs):
    seats = Viewer()
    return FrontendEnv(
        **({"tasks": Bakeries(), "human": seats, "similarity": seats, "renderer": ScriptedRenderer()} | kwargs)
    )


@pytest.fixture
def env():
    env = quick()
    yield env
    env.close()


@pytest.mark.full
@pytest.mark.browser
def test_the_checks_with_a_browser(renderer):
    env = gymnasium.make(FRONTEND_ID, tasks="generated:train")
    try:
        check_env(env.unwrapped)
    finally:
        env.close()
    check_determinism(FRONTEND_ID, max_turns=3)


@pytest.mark.browser
def test_an_episode_with_a_browser(renderer):
    with gymnasium.make(FRONTEND_ID, render_mode="rgb_array") as env:
        env.reset(seed=0)
        assert (env.render() == 255).all()
        reference = env.unwrapped.task_episode.task.reference
        env.step("<html><body style='background:#123456'><h1>Hello</h1></body></html>")
        assert tuple(env.render()[700, 1200]) == (0x12, 0x34, 0x56)
        _, reward, terminated, _, info = env.step(f"{reference} {A}")
        assert (terminated, info["outcome"]) == (True, "answered")
        assert reward == info["similarity"] == pytest.approx(1.0, abs=1e-6)


def test_the_last_page_is_graded_when_the_turns_are_used_up():
    with doubles(max_turns=3) as env:
        env.reset(seed=0)
        steps = [env.step(text) for text in (DRAFT, OTHER, "Is that it?")]
        assert [step[2] for step in steps] == [False, False, True]
        assert env.task_episode.episode.answer == OTHER
        assert steps[-1][1] == len(OTHER) / 100
        assert steps[-1][4]["outcome"] == "out_of_turns"


def test_the_human_replies_to_the_pictures(env):
    env.reset(seed=0)
    first = env.step("What is it for?")[0]["dialogue"]
    second = env.step(DRAFT)[0]["dialogue"]
    assert first != second
    assert second.startswith(first)


@pytest.mark.parametrize(
    ("seats", "message", "error"),
    [
        (Flaky(replies=2), DRAFT, HumanError),
        (Flaky(pages=2), DRAFT, RendererError),
        (Flaky(pages=2), "What is it for?", RendererError),
        (Flaky(grades=2), f"{DRAFT} {A}", GraderError),
    ],
)
def test_what_fails_is_no_reward_and_the_step_can_be_made_again(seats, message, error):
    with doubles(human=seats, similarity=seats, renderer=seats) as env:
        before = env.reset(seed=0)
        for _ in range(2):
            with pytest.raises(error, match="it is down"):
                env.step(message)
            assert (
                env.task_episode.observation_for("agent"),
                env.task_episode.info,
                env.task_episode.episode.page,
            ) == (*before, None)
        assert env.step(message)[4]["turn"] == 1


class Sometimes(ScriptedRenderer):
    """Fails on its second page."""

    def __init__(self):
        self.calls = 0

    def render(self, html):
        self.calls += 1
        if self.calls == 2:
            raise RendererError("it is down")
        return super().render(html)


def test_a_browser_that_fails_while_grading_is_the_graders_failure():
    renderer = Sometimes()
    with doubles(similarity=LayoutSimilarity(renderer), renderer=renderer) as env:
        env.reset(seed=0)
        with pytest.raises(GraderError, match="down"):
            env.step(f"{env.task_episode.task.reference} {A}")
        assert env.task_episode.episode.outcome == "ongoing"
        assert env.step(f"{env.task_episode.task.reference} {A}")[1] == pytest.approx(1.0)


def test_tasks_of_the_other_track_are_refused():
    with doubles(tasks=load_tasks("generated")) as env, pytest.raises(TaskError, match="of the backend track"):
        env.reset(seed=0)


def test_live_objects_stay_open_and_what_was_opened_is_closed():
    class Counting(ScriptedRenderer):
        closed = 0

        def close(self):
            self.closed += 1

    renderer = Counting()
    doubles(renderer=renderer).close()
    assert renderer.closed == 0


def test_rgb_array_shows_the_agents_page_and_nothing_hidden():
    with doubles(render_mode="rgb_array") as env:
        env.reset(seed=0)
        assert (env.render() == 255).all()
        for text, page in (("What is it for?", ""), (DRAFT, DRAFT), (f"{OTHER} {A}", OTHER)):
            env.step(text)
            shown = env.render()
            assert (shown.shape, shown.dtype) == ((720, 1280, 3), np.uint8)
            assert (shown == (as_array(ScriptedRenderer().render(page).png, shown.shape) if page else 255)).all()


def test_pictures_of_other_sizes_are_cut_or_filled_up_with_white():
    png = ScriptedRenderer().render(DRAFT).png
    color = as_array(png, (720, 1280, 3))[0, 0]
    larger = as_array(png, (730, 1290, 3))
    assert (larger[:720, :1280] == color).all()
    assert (larger[720:] == 255).all()
    assert (larger[:, 1280:] == 255).all()
    assert (as_array(png, (10, 20, 3)) == color).all()
    assert as_array(png, (10, 20, 3)).shape == (10, 20, 3)


def test_ansi_and_human_show_the_dialogue(capsys):
    with doubles(render_mode="ansi") as env:
        env.reset(seed=0)
        env.step(f"thinking OUTPUT:{DRAFT} {A}")
        assert env.render().endswith(f"turn 1 of 10, answered, letters-1 {len(DRAFT) / 100:.2f}]")
        assert "thinking" not in env.render()
    with doubles(render_mode="human") as env:
        env.reset(seed=0)
        env.step(DRAFT)
        assert env.render() is None
    assert capsys.readouterr().out.count(f"agent: {DRAFT}") == 1
