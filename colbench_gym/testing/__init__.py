"""Checks for environments, sandboxes, renderers, humans and graders of yours; hypothesis strategies for agent texts.

Each check returns nothing, or raises ``AssertionError`` with both the value and the expected one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym.errors import MissingExtraError
from colbench_gym.graders import Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.prompts import default_prompts
from colbench_gym.rendering import Renderer
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.rules import RULES, Rules, Track
from colbench_gym.task_episode import TaskEpisode
from colbench_gym.tasks import Task
from colbench_gym.testing.renderer import check_renderer as check_renderer  # the public home is here
from colbench_gym.testing.sandbox import check_sandbox as check_sandbox  # the public home is here

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_MARKERS = (RULES["backend"].thinking_marker, RULES["backend"].answer_marker)
TEXTS = json.loads(Path(__file__).with_name("texts.json").read_text(encoding="utf-8"))
_PIECES: tuple[str, ...] = (*_MARKERS, *(marker.lower() for marker in _MARKERS), *TEXTS["pieces"])
_LONG_CHARS = 100_000
ODD_TEXTS: tuple[str, ...] = (*TEXTS["odd_texts"], "x" * _LONG_CHARS)
_PAGE: str = TEXTS["default_page"]
_DEFAULT_ACTIONS = (*ODD_TEXTS[:4], _PAGE, *ODD_TEXTS[4:8], "I WANT TO ANSWER: def f(): return 1")
_NO_ANSWERS: Mapping[Track, tuple[str, ...]] = {  # what earns nothing
    "backend": ("", "not Python at all", "raise SystemExit(0)"),
    "frontend": ("",),
}
_SAME_SCORE = 1e-6


def agent_texts(max_pieces: int = 6) -> SearchStrategy[str]:
    """Return a hypothesis strategy for agent messages: any Unicode, markers and fences in odd places, empty, 100 kB.

    Raises:
        MissingExtraError: hypothesis is not installed.
    """
    try:
        from hypothesis import strategies as st
    except ImportError as e:
        raise MissingExtraError.of("hypothesis", "hypothesis", "agent_texts()") from e
    piece = st.sampled_from(_PIECES) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    pieces = st.lists(piece, max_size=max_pieces).map("".join)
    long = pieces.map(lambda text: text + "x" * _LONG_CHARS)
    return st.one_of(pieces, pieces, pieces, long)


def record(
    env_id: str, actions: Sequence[str], seeds: Sequence[int], kwargs: Mapping[str, Any] | None = None
) -> list[Any]:  # Any: what the environment returned, as JSON
    """Return all that an environment returns over one episode per seed; ``actions`` are repeated until it ends."""
    import gymnasium

    env = gymnasium.make(env_id, **dict(kwargs or {}))
    rows: list[Any] = []
    try:
        for seed in seeds:
            rows.append(env.reset(seed=seed))
            for text in _repeated(actions):
                rows.append(env.step(text))
                if rows[-1][2] or rows[-1][3]:
                    break
    finally:
        env.close()
    plain: list[Any] = json.loads(json.dumps(rows))
    return plain


def _repeated(actions: Sequence[str], limit: int = 1000) -> Sequence[str]:
    return (tuple(actions) * (limit // len(actions) + 1))[:limit]


def check_determinism(
    env_id: str, *, seed: int = 0, actions: Sequence[str] = _DEFAULT_ACTIONS, **kwargs: Any
) -> None:  # Any: the environment's own keyword arguments, which must be JSON
    """Check that equal seeds and actions give equal observations, rewards and infos.

    Compared are: the same process again, several threads at once, fresh processes with other hash seeds, and the
    vector environments of ``gymnasium.make_vec`` (sync, and the environment's own).

    Args:
        env_id: a registered id; ``"module:Env-v0"`` imports the module first, in the fresh processes too.
        seed: of the first episode; the second has the next one.
        actions: the messages of each episode, repeated until it ends.
        kwargs: the environment's keyword arguments.

    Raises:
        AssertionError: two runs differ; the message names them and the first difference.
    """
    seeds = (seed, seed + 1)
    expected = record(env_id, actions, seeds, kwargs)
    _same("the same process", record(env_id, actions, seeds, kwargs), expected)
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(record, env_id, actions, seeds, kwargs) for _ in range(4)]
    for run in runs:
        _same("a thread among four", run.result(), expected)
    for hash_seed in ("0", "4711"):
        elsewhere = _record_elsewhere(env_id, actions, seeds, kwargs, hash_seed)
        _same(f"a process with PYTHONHASHSEED={hash_seed}", elsewhere, expected)
    for mode in (None, "sync"):
        vector = _record_vector(env_id, actions, seeds, kwargs, mode)
        _same(f"make_vec(vectorization_mode={mode!r})", vector, expected)


def _same(where: str, got: list[Any], expected: list[Any]) -> None:
    for at, (one, expected_row) in enumerate(zip(got, expected, strict=False)):
        assert one == expected_row, f"{where} differs at return value {at}: got {one!r}, expected {expected_row!r}"
    assert len(got) == len(expected), f"{where} gave {len(got)} return values; expected {len(expected)}"


_CHILD = "import json, sys; from colbench_gym.testing import record; print(json.dumps(record(*json.load(sys.stdin))))"


def _record_elsewhere(
    env_id: str, actions: Sequence[str], seeds: Sequence[int], kwargs: Mapping[str, Any], hash_seed: str
) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-c", _CHILD],
        input=json.dumps([env_id, list(actions), list(seeds), dict(kwargs)]),
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"a process with PYTHONHASHSEED={hash_seed} failed: {done.stderr[-2000:]}"
    rows: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return rows


def _record_vector(
    env_id: str, actions: Sequence[str], seeds: Sequence[int], kwargs: Mapping[str, Any], mode: str | None
) -> list[Any]:
    import gymnasium
    from gymnasium.vector.utils import iterate

    envs = gymnasium.make_vec(env_id, num_envs=len(seeds), vectorization_mode=mode, **dict(kwargs))
    rows: list[list[Any]] = [[] for _ in seeds]
    try:
        observations, infos = envs.reset(seed=seeds[0])
        for at, observation in enumerate(iterate(envs.observation_space, observations)):
            rows[at].append((observation, unbatch_info(infos, at)))
        playing = set(range(len(seeds)))
        for text in _repeated(actions):
            observations, rewards, terminations, truncations, infos = envs.step((text,) * len(seeds))
            for at, observation in enumerate(iterate(envs.observation_space, observations)):
                if at in playing:
                    ends = bool(terminations[at]), bool(truncations[at])
                    rows[at].append((observation, float(rewards[at]), *ends, unbatch_info(infos, at)))
                    playing -= {at} if any(ends) else set()
            if not playing:
                break
    finally:
        envs.close()
    plain: list[Any] = json.loads(json.dumps([row for episode in rows for row in episode]))
    return plain


def unbatch_info(infos: Mapping[str, Any], at: int) -> dict[str, Any]:  # Any: as in gymnasium's infos
    """Return the info of one sub-environment out of those of a Gymnasium vector environment."""
    info: dict[str, Any] = {}
    for key, value in infos.items():
        if f"_{key}" in infos and infos[f"_{key}"][at]:
            one = unbatch_info(value, at) if isinstance(value, dict) else value[at]
            info[key] = one.item() if hasattr(one, "item") else one
    return info


def check_human(
    human: HumanSimulator,
    tasks: Sequence[Task],
    *,
    rules: Rules | None = None,
    deterministic: bool = True,
    renderer: Renderer | None = None,
) -> None:
    """Check that a human replies with text whatever the agent says, and keeps its head when asked by many at once.

    Args:
        human: a live one.
        tasks: what to talk about.
        rules: those of the tasks' track by default.
        deterministic: whether equal dialogues must get equal replies; False for a language model.
        renderer: makes the pages that it is shown, on the frontend track; a scripted one by default.

    Raises:
        AssertionError: it has no reply() or close(), a reply is no string, or differs when asked again or in another
            thread.
        Exception: whatever the human raises.
    """
    missing = [name for name in ("reply", "close") if not callable(getattr(human, name, None))]
    assert not missing, f"{type(human).__name__} has no method {' and no '.join(missing)}; see HumanSimulator"
    asked = [(task, text) for task in tasks for text in (*ODD_TEXTS, _PAGE)]

    def reply(one: tuple[Task, str]) -> str:
        task, text = one
        episode = TaskEpisode(
            task, rules or RULES[task.track], default_prompts(task.track), renderer=renderer or ScriptedRenderer()
        )
        episode.speak("agent", text)
        said = human.reply(task, episode.episode.dialogue, episode.shown())
        assert isinstance(said, str), f"task {task.task_id!r}: a reply of type {type(said).__name__}; expected str"
        return said

    alone = [reply(one) for one in asked]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(reply, asked))
    if deterministic:
        for (task, text), first, second in zip(asked, alone, together, strict=True):
            assert first == second, f"task {task.task_id!r}, asked {text[:80]!r}: {first!r}, then {second!r}"


def check_grader(grader: Grader, tasks: Sequence[Task]) -> None:
    """Check that every reference earns 1.0, that what is no answer earns 0.0, and that many can be graded at once.

    Scores may be off by one in a million, as similarities are.

    Raises:
        AssertionError: one of them does not, or a grade contradicts itself.
    """

    def grade(one: tuple[Task, str]) -> float:
        task, answer = one
        given = grader.grade(task, answer)
        assert 0.0 <= given.score <= 1.0, f"task {task.task_id!r}: a score of {given.score}; expected 0 to 1"
        if given.test_outcomes:
            passed = given.test_outcomes.count("passed") / len(given.test_outcomes)
            assert given.score == passed, f"task {task.task_id!r}: a score of {given.score}, but {passed} passed"
            assert given.success == (passed == 1.0), f"task {task.task_id!r}: success is {given.success}"
        return given.score

    right = [(task, task.reference) for task in tasks]
    wrong = [(task, answer) for task in tasks for answer in _NO_ANSWERS[task.track]]
    for (task, answer), score in zip(right + wrong, map(grade, right + wrong), strict=True):
        expected = 1.0 if (task, answer) in right else 0.0
        close = abs(score - expected) <= _SAME_SCORE
        assert close, f"task {task.task_id!r}: {answer[:80]!r} scored {score}; expected {expected}"
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(grade, right))
    all_right = all(abs(score - 1.0) <= _SAME_SCORE for score in together)
    assert all_right, f"graded at once, the references scored {together}; expected 1.0 each"
