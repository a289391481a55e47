"""An episode of a frontend task, and rollouts of it: pictures for the human, what is graded, whose failure it was."""

import pytest
from support.doubles import Closeable

from colbench_gym import BACKEND, FRONTEND, FrontendTask, Grade, TaskEpisode, load_tasks, open_scenario
from colbench_gym.errors import (
    AssetError,
    GraderError,
    HumanError,
    RendererError,
    TaskError,
    UnknownNameError,
    UsageError,
)
from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs, play
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.prompts import Prompts, default_prompts
from colbench_gym.rendering import MAX_HTML_BYTES, RenderedPage
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.trajectory import read_trajectories, write_trajectories

A = FRONTEND.answer_marker
PROMPTS = default_prompts("frontend")
RENDERER = ScriptedRenderer()
TASK = FrontendTask("7", "A page for my bakery.", "<html><body><h1>Rye &amp; Co</h1></body></html>")
DRAFT = "<html><p>one</p></html>"
OTHER = "<html><p>two</p></html>"


class Viewer(Closeable):
    """A human and a grader that keep what they were shown."""

    def __init__(self):
        self.shown, self.graded = [], []

    def reply(self, task, dialogue, shown):
        self.shown.append(shown)
        return "More blue, please. " * 100

    def grade(self, task, answer):
        self.graded.append(answer)
        return Grade(0.25, False, "words-1")


def episode(viewer=None, renderer=RENDERER, prompts=PROMPTS, reward=None):
    viewer = viewer or Viewer()
    return TaskEpisode(TASK, FRONTEND, prompts, human=viewer, grader=viewer, renderer=renderer, reward=reward)


def test_the_human_is_shown_the_last_page_and_the_reference():
    viewer = Viewer()
    playing = episode(viewer)
    for text in ("What is it for?", f"Look: {DRAFT}", "And the header?", f"{OTHER} and {DRAFT}"):
        playing.say(text)
    reference = RENDERER.render(TASK.reference)
    pages = [None, RENDERER.render(DRAFT), RENDERER.render(DRAFT), RENDERER.render(OTHER)]
    assert viewer.shown == [Shown(page, reference) for page in pages]
    assert len(playing.episode.dialogue.turns[-1].content) == FRONTEND.human_chars


def test_each_page_is_rendered_once_for_all_who_look_at_it():
    class Counting(ScriptedRenderer):
        def __init__(self):
            self.rendered = []

        def render(self, html):
            self.rendered.append(html)
            return super().render(html)

    renderer = Counting()
    viewer = Viewer()
    playing = episode(viewer, renderer)
    for text in ("What is it for?", DRAFT, "And the header?", OTHER, "Fine?"):
        playing.say(text)
        playing.shown_page()
        playing.shown()
    assert renderer.rendered == [TASK.reference, DRAFT, OTHER]


def test_the_last_page_is_graded_and_similarity_is_the_reward():
    viewer = Viewer()
    playing = episode(viewer)
    keys = {"task_id", "turn", "messages", "outcome", "success", "similarity", "metric", "test_outcomes", "leak"}
    assert set(playing.info) == keys
    assert (playing.info["similarity"], playing.info["metric"], playing.reward) == (0.0, "", 0.0)
    playing.say(DRAFT)
    playing.say(f"Done. {A} see above")
    info = playing.info
    assert viewer.graded == [DRAFT]
    assert set(info) == keys
    assert (info["similarity"], info["metric"], playing.reward) == (0.25, "words-1", 0.25)
    assert (info["success"], info["outcome"]) == (False, "answered")
    with pytest.raises(UnknownNameError, match=r"frontend reward.*expected one of: .*score, similarity"):
        episode(reward="success")


def test_without_a_page_nothing_is_graded_but_the_empty_one():
    viewer = Viewer()
    playing = episode(viewer)
    playing.say(f"{A} <p>no page</p>")
    assert viewer.graded == [""]
    assert playing.shown() == Shown(None, RENDERER.render(TASK.reference))


def test_a_page_that_cannot_be_rendered_is_the_agents_and_replaces_the_one_before():
    viewer = Viewer()
    playing = episode(viewer)
    bomb = f"<html>{'ü' * (MAX_HTML_BYTES // 2)}</html>"
    playing.say(DRAFT)
    playing.say(bomb)
    assert viewer.shown[-1] == Shown(RenderedPage("too_large"), RENDERER.render(TASK.reference))
    playing.say(A)
    assert viewer.graded == [bomb]


def test_the_agents_brief_holds_nothing_and_the_humans_holds_the_reference():
    playing = episode()
    assert TASK.reference not in str(playing.observation_for("agent")) + str(playing.info) + repr(playing)
    assert playing.brief("human").count(TASK.reference) == 1
    own = Prompts(agent="A", human="You want {hidden_information}.")
    assert episode(prompts=own).brief("human") == f"You want {TASK.reference}."


class Broken(Closeable):
    """A renderer that fails in one way for pages that hold a word."""

    versions = ScriptedRenderer.versions

    def __init__(self, word, error):
        self.word, self.error = word, error

    def render(self, html):
        if self.word not in html:
            return RENDERER.render(html)
        if isinstance(self.error, Exception):
            raise self.error
        return RenderedPage(self.error)


@pytest.mark.parametrize("error", [RendererError("it is gone"), AssetError("fetch it with: colbench assets fetch")])
def test_a_browser_that_fails_is_neither_a_reply_nor_a_page(error):
    viewer = Viewer()
    playing = episode(viewer, Broken("one", error))
    with pytest.raises(type(error)):
        playing.say(DRAFT)
    assert (playing.episode.turn, viewer.shown) == (0, [])


def test_a_reference_that_cannot_be_rendered_is_the_tasks_failure():
    with pytest.raises(TaskError, match=r"reference of task .7. cannot be rendered \(timed_out"):
        episode(renderer=Broken("Rye", "timed_out")).say("What is it?")


def test_episodes_that_cannot_be_played_are_refused():
    with pytest.raises(UsageError, match="without a renderer"):
        TaskEpisode(TASK, FRONTEND, PROMPTS)
    with pytest.raises(TaskError, match="of the frontend track; expected a backend task"):
        TaskEpisode(TASK, BACKEND, PROMPTS, renderer=RENDERER)
    with pytest.raises(TaskError, match="hidden information of 200001"):
        TaskEpisode(FrontendTask("1", "x", "x" * 200_001), FRONTEND, PROMPTS, renderer=RENDERER)


def test_a_backend_episode_needs_no_renderer_and_shows_nothing():
    task = load_tasks("generated").at(0)
    for renderer in (None, RENDERER):
        playing = TaskEpisode(task, BACKEND, default_prompts("backend"), renderer=renderer)
        assert (playing.shown(), playing.shown_page()) == (NOTHING_SHOWN, None)


class Sketcher:
    """An agent that shows a page, then answers."""

    def act(self, messages):
        return DRAFT if len(messages) == 2 else A


def scenario(**changed):
    given = {"human": Viewer(), "similarity": Viewer(), "prompts": PROMPTS, "renderer": RENDERER}
    return open_scenario("frontend", **(given | changed))


JOB = make_jobs([TASK], repeats=1, seed=0)[0]


def test_a_trajectory_has_the_similarity_its_metric_and_what_rendered_it(tmp_path):
    played = play(JOB, Sketcher(), scenario())
    assert (played.reward, played.similarity, played.pass_rate, played.score) == (0.25, 0.25, None, 0.25)
    assert (played.answer, played.metric, played.success) == (DRAFT, "words-1", False)
    assert {"colbench_gym", "python", "numpy"} < set(played.versions)
    assert [played.versions[name] for name in ("browser", "fonts", "assets")] == ["scripted 1", "none", "none"]
    write_trajectories(tmp_path / "t.jsonl", [played])
    assert read_trajectories(tmp_path / "t.jsonl") == (played,)


def test_a_scenario_pays_what_its_track_can_pay():
    assert scenario().reward == "similarity"
    assert open_scenario("backend", grading=Viewer()).reward == "success"
    with pytest.raises(UnknownNameError, match="unknown frontend reward 'success'"):
        scenario(reward="success")


class Failing(Closeable):
    """A human or a grader that always fails."""

    def __init__(self, error):
        self.error = error

    def reply(self, task, dialogue, shown):
        raise self.error("gone")

    def grade(self, task, answer):
        raise self.error("gone")


@pytest.mark.parametrize(
    ("changed", "outcome"),
    [
        ({"renderer": Broken("one", RendererError("gone"))}, "human_error"),
        *(({"human": Failing(error)}, "human_error") for error in (HumanError, RendererError)),
        *(({"similarity": Failing(error)}, "grader_error") for error in (GraderError, RendererError)),
    ],
)
def test_our_failures_are_outcomes_without_reward(changed, outcome):
    played = []
    collect([JOB], Sketcher(), scenario(**changed), played.append, ConcurrencyLimits(1))
    (lost,) = played
    assert (lost.outcome, lost.reward, lost.similarity, lost.pass_rate) == (outcome, None, None, None)
    assert "gone" in lost.error


def test_an_asset_that_is_not_there_stops_the_run():
    with pytest.raises(AssetError, match="colbench assets fetch"):
        collect(
            [JOB], Sketcher(), scenario(renderer=Broken("one", AssetError("colbench assets fetch"))), print,
            ConcurrencyLimits(1),
        )  # fmt: skip


def test_the_scripted_renderer_keeps_the_protocol():
    page = RENDERER.render("<html><title>no</title><style>p{}</style><h1>Rye\n &amp; oats</h1><p>Open</p><![x[</html>")
    assert [block.text for block in page.layout.texts][:2] == ["Rye & oats", "Open"]
    assert page == RENDERER.render("<html><title>no</title><style>p{}</style><h1>Rye\n &amp; oats</h1><p>Open</p><![x[</html>")  # fmt: skip
    assert page.png_sha256 != RENDERER.render("<html></html>").png_sha256
    assert RENDERER.render("x" * (MAX_HTML_BYTES + 1)) == RenderedPage("too_large")
