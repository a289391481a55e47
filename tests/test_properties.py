"""Properties of the whole environment: it ends in time, is deterministic, and shows nothing hidden, whatever is said."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import gymnasium
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.doubles import Closeable
from support.frontend_seats import DRAFT, OTHER, Bakeries, Flaky
from support.samples import sample
from support.tables import values

from colbench_gym import BACKEND, BackendEnv, ColBenchError, FrontendEnv, InfrastructureError, load_tasks
from colbench_gym.envs.pettingzoo import backend_v0, frontend_v0
from colbench_gym.envs.registration import BACKEND_ID
from colbench_gym.envs.vector import BackendVectorEnv, FrontendVectorEnv
from colbench_gym.graders.layout_similarity import LayoutSimilarity
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans.page.human import PageHuman
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.testing import agent_texts, check_grader, check_human, record, unbatch_info

A = BACKEND.answer_marker  # of both tracks
TASK_COUNT = 50
PAGES = Bakeries(TASK_COUNT)
RENDERER = ScriptedRenderer()
slow_but_sure = settings(
    deadline=None, max_examples=sample(25), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
PROBING = values(__file__, "probing_messages.txt", {"A": A, "DRAFT": DRAFT, "OTHER": OTHER})
dialogues = st.lists(agent_texts() | st.sampled_from(PROBING), min_size=1, max_size=10)


@dataclass(frozen=True)
class Kit:
    """How a track is played: its environments, what all of them are made of, and what nobody may be shown of a task."""

    parts: dict
    alone: type
    many: type
    seats: Callable
    hidden: Callable


def hidden_lines(task):
    """The lines of the reference and the tests that say more than the public signature does."""
    lines = [line.strip() for line in task.reference.splitlines()]
    telling = [line for line in lines if len(line) > 12 and not line.startswith(("def ", "import ", "from ", "#"))]
    return [line for line in [*telling, *task.calls] if line not in task.description]


def hidden_parts(task):
    """The page itself line by line, and the class names that no person would say."""
    return [*task.reference.splitlines(), task.reference.partition("text-")[2][:16]]


@pytest.fixture(scope="module")
def parts():
    """One human, one sandbox and one grader for all examples."""
    sandbox = open_sandbox("process")
    yield {"tasks": load_tasks("generated"), "human": FunctionHuman(), "grading": UnitTestGrader(sandbox)}
    sandbox.close()


@pytest.fixture(scope="module", params=["backend", "frontend"])
def kit(request, parts):
    """The default human and grader of a track; pages are rendered by no browser."""
    if request.param == "backend":
        return Kit(parts, BackendEnv, BackendVectorEnv, backend_v0.raw_env, hidden_lines)
    pages = {"tasks": PAGES, "human": PageHuman(), "similarity": LayoutSimilarity(RENDERER), "renderer": RENDERER}
    return Kit(pages, FrontendEnv, FrontendVectorEnv, frontend_v0.raw_env, hidden_parts)


def play(env, seed, texts):
    """All that the agent gets to see, from reset to the end; the texts are followed by an answer."""
    yield env.reset(seed=seed)
    for text in [*texts, A]:
        step = env.step(text)
        yield step
        if step[2]:
            return


@pytest.mark.slow
@slow_but_sure
@given(texts=dialogues, seed=st.integers(0, 2**31 - 1))
def test_an_episode_ends_in_time_and_two_runs_are_equal(kit, texts, seed):
    env, fresh = kit.alone(**kit.parts), kit.alone(**kit.parts)
    first, second, third = list(play(env, seed, texts)), list(play(env, seed, texts)), list(play(fresh, seed, texts))
    assert first == second == third
    assert len(first) <= 11
    assert first[-1][2] is True
    assert not any(step[3] for step in first[1:])
    assert all(step[1] == 0.0 for step in first[1:-1])
    assert 0.0 <= first[-1][1] <= 1.0
    assert first[-1][1] == first[-1][4].get("similarity", first[-1][1])
    for step in first:
        assert step[0] in env.observation_space
    json.dumps(first, allow_nan=False).encode("utf-8")


def assert_not_in(hidden, shown, said):
    """Nothing hidden is in what was shown, but what the agent has said by itself."""
    own_words = "\n".join(said)
    for part in hidden:
        assert json.dumps(part, ensure_ascii=False)[1:-1] not in shown or part in own_words, part


@pytest.mark.slow
@slow_but_sure
@given(texts=dialogues, at=st.integers(0, TASK_COUNT - 1))
def test_nothing_hidden_is_shown(kit, logged, texts, at):
    env, task = kit.alone(**kit.parts, render_mode="ansi"), kit.parts["tasks"].at(at)
    shown = [env.reset(options={"task_id": task.task_id}), repr(env), repr(env.task_episode), repr(task)]
    try:
        for text in [*texts, A]:
            shown += [env.step(text), env.render(), repr(env.task_episode), repr(env.__dict__)]
            if shown[-4][2]:
                break
    except ColBenchError as e:
        shown.append(str(e))
    seen = json.dumps([*shown, repr(kit.parts["tasks"])], ensure_ascii=False, default=str) + logged.text
    assert_not_in(kit.hidden(task), seen, texts)


@pytest.fixture(scope="module")
def logged():
    """Return what the package logs, over all examples."""

    class Kept(logging.Handler):
        text = ""

        def emit(self, record):
            self.text += record.getMessage()

    kept, logger = Kept(), logging.getLogger("colbench_gym")
    before = logger.level
    logger.addHandler(kept)
    logger.setLevel(logging.DEBUG)
    yield kept
    logger.removeHandler(kept)
    logger.setLevel(before)


@pytest.mark.slow
@slow_but_sure
@given(texts=dialogues, replies=st.lists(agent_texts(), min_size=10, max_size=10), at=st.integers(0, TASK_COUNT - 1))
def test_agent_0_is_shown_nothing_hidden(kit, texts, replies, at):
    task = kit.parts["tasks"].at(at)
    env = kit.seats(**{name: part for name, part in kit.parts.items() if name != "human"})
    env.reset(options={"task_id": task.task_id})
    said = iter(replies)
    for text in [*texts, A]:
        env.step(text)
        if env.terminations["agent_0"]:
            break
        env.step(next(said))
    seen = [env.observe("agent_0"), env.infos["agent_0"], repr(env), repr(env.task_episode)]
    assert_not_in(kit.hidden(task), json.dumps(seen, ensure_ascii=False), [*texts, *replies])
    assert task.reference in env.observe("human_0")["instructions"]
    for name in env.possible_agents:
        assert env.observe(name) in env.observation_space(name)


@pytest.mark.slow
@settings(slow_but_sure, max_examples=10)
@given(texts=st.lists(agent_texts() | st.sampled_from(PROBING), min_size=4, max_size=8), seed=st.integers(0, 2**31 - 1))
def test_episodes_at_once_equal_episodes_alone(kit, texts, seed):
    """The vector environment, in threads, against one environment after the other."""
    envs = kit.many(3, **kit.parts, max_turns=4, autoreset_mode="Disabled")
    alone = [list(play(kit.alone(**kit.parts, max_turns=4), seed + at, texts)) for at in range(3)]
    observations, infos = envs.reset(seed=seed)
    together = [[_at(observations, infos, at)] for at in range(3)]
    for text in [*texts, A]:
        observations, rewards, terminations, _, infos = envs.step([text] * 3)
        for at in range(3):
            observation, info = _at(observations, infos, at)
            together[at].append((observation, float(rewards[at]), bool(terminations[at]), False, info))
        if terminations.any():  # all have heard the same, so all end together
            break
    envs.close()
    assert together == alone


def _at(observations, infos, at):
    return {name: texts[at] for name, texts in observations.items()}, unbatch_info(infos, at)


@slow_but_sure
@given(
    texts=dialogues,
    seed=st.integers(0, 2**31 - 1),
    down=st.lists(st.sampled_from(["replies", "grades", "pages"]), min_size=1, max_size=4),
)
def test_whatever_is_down_for_a_while_the_episode_is_the_same(texts, seed, down):
    seats = Flaky(**{kind: down.count(kind) for kind in set(down)})
    steady, shaky = (FrontendEnv(tasks=PAGES, human=one, similarity=one, renderer=one) for one in (Flaky(), seats))
    expected = list(play(steady, seed, texts))
    got = [shaky.reset(seed=seed)]
    failures = 0
    for text in [*texts, A]:
        while True:
            try:
                got.append(shaky.step(text))
                break
            except InfrastructureError:
                failures += 1
        if got[-1][2]:
            break
    assert got == expected
    assert failures + sum(seats.left.values()) == len(down)


CHILD = "import json, sys; from colbench_gym.testing import record; print(json.dumps(record(*json.load(sys.stdin))))"


@settings(deadline=None, max_examples=2)
@given(
    texts=st.lists(agent_texts(), min_size=3, max_size=5), seed=st.integers(0, 2**31 - 2), hash_seed=st.integers(0, 9)
)
def test_another_process_with_another_hash_seed_gives_the_same(texts, seed, hash_seed):
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=json.dumps([f"colbench_gym:{BACKEND_ID}", texts, [seed, seed + 1]]),
        env={"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": ":".join(filter(None, sys.path)), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == record(BACKEND_ID, texts, [seed, seed + 1])


def test_humans_and_graders_pass_their_checks(kit):
    tasks = [kit.parts["tasks"].at(at) for at in range(5)]
    check_human(kit.parts["human"], tasks, **({"renderer": RENDERER} if "renderer" in kit.parts else {}))
    check_grader(kit.parts.get("grading") or kit.parts["similarity"], tasks)


class Moody(Closeable):
    """A human and a grader that break their contracts."""

    def __init__(self):
        self.calls = 0

    def reply(self, task, dialogue, shown):
        self.calls += 1
        return f"reply {self.calls}"

    def grade(self, task, answer):
        from colbench_gym.graders import Grade

        return Grade(0.5, True, "pass_rate", ("passed", "wrong"))


def test_the_checks_notice_what_breaks_its_contract(parts):
    task = parts["tasks"].at(0)
    with pytest.raises(AssertionError, match="'reply 1', then 'reply"):
        check_human(Moody(), [task])
    check_human(Moody(), [task], deterministic=False)
    with pytest.raises(AssertionError, match="success is True"):
        check_grader(Moody(), [task])


def test_minari_keeps_the_episodes(tmp_path, monkeypatch):
    """Without Minari's DataCollector, which needs jax: what an agent saw and said is stored, and read back equal."""
    minari = pytest.importorskip("minari", reason="Minari is not installed (extra: dev)")
    pytest.importorskip("h5py", reason="h5py is not installed (extra: dev)")
    from minari.data_collector import EpisodeBuffer

    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    texts = ["Was heißt „größer“? 日本\n", "", f"{A} def f(): pass"]
    with gymnasium.make(BACKEND_ID, max_turns=3) as env:
        seen = [env.reset(seed=0), *(env.step(text) for text in texts)]
        buffer = EpisodeBuffer(
            seed=0, observations={name: [step[0][name] for step in seen] for name in seen[0][0]}, actions=texts,
            rewards=[step[1] for step in seen[1:]], terminations=[step[2] for step in seen[1:]],
            truncations=[step[3] for step in seen[1:]],
        )  # fmt: skip
        dataset = minari.create_dataset_from_buffers(
            "colbench/backend-v0", [buffer], env=env, eval_env=BACKEND_ID, algorithm_name="none", author="nobody",
            author_email="nobody@example.org", code_permalink="https://example.org", description="one episode",
            requirements=[],
        )  # fmt: skip
    (episode,) = minari.load_dataset(dataset.spec.dataset_id).iterate_episodes()
    assert list(episode.actions) == texts
    assert list(episode.observations["dialogue"]) == [step[0]["dialogue"] for step in seen]
    assert list(episode.observations["instructions"]) == [step[0]["instructions"] for step in seen]
    assert list(episode.rewards) == [step[1] for step in seen[1:]]
    assert dataset.spec.env_spec.kwargs["max_turns"] == 3
