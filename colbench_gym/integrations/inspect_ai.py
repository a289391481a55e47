"""Inspect AI: the tasks `colbench_gym/backend` and `colbench_gym/frontend`, found by the entry point `inspect_ai`.

    inspect eval colbench_gym/backend --model openai/gpt-4o -T n=20 -T human=scripted --epochs 4

An outage is the error of its sample: Inspect leaves such samples out of the scores, and ``--retry-on-error`` plays
them again. A sample that one of Inspect's limits stops has no score.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping
from typing import Any

from colbench_gym.errors import MissingExtraError
from colbench_gym.evaluation.statistics.groups import groups_of
from colbench_gym.integrations.run_scenario import RunScenario
from colbench_gym.rules import Track
from colbench_gym.scenario import first_tasks
from colbench_gym.task_episode import TaskEpisode

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.hooks import Hooks, RunEnd, hooks
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
    from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
except ImportError as e:
    raise MissingExtraError.of("inspect_ai", "inspect", "the bridge to Inspect AI") from e

__all__ = ["backend", "frontend"]

ENDLESS_N = 100  # tasks of an evaluation of generated tasks, where `n` is not given
_TARGETS: Mapping[Track, str] = {"backend": "all hidden tests pass", "frontend": "looks like the wanted page"}
_RESULT = "colbench"  # key in the sample's store, which the log shows


_in_use: set[RunScenario] = set()  # by the samples of this run


class CloseScenarios(Hooks):
    """Hook that closes the scenarios of a run at its end."""

    async def on_run_end(self, data: RunEnd) -> None:  # noqa: ARG002
        """Close the scenarios that the run has used."""
        while _in_use:
            await asyncio.to_thread(_in_use.pop().close)


@functools.cache
def _register_hook() -> None:
    """Register the hook with the first sample: Inspect announces at its start all hooks there are by then."""
    hooks(name="scenarios", description="closes what ColBench's samples share")(CloseScenarios)


@task
def backend(tasks: str = "generated", n: int | None = None, **options: Any) -> Task:  # Any: as open_scenario
    """Write a Python function together with a simulated human.

    Args:
        tasks: where the tasks come from.
        n: how many of them; all, or 100 of an endless set, when None.
        options: other fields of :class:`~colbench_gym.scenario.BackendOptions`.
    """
    return _task("backend", n, {"tasks": tasks, **options})


@task
def frontend(tasks: str = "generated", n: int | None = None, **options: Any) -> Task:  # Any: as open_scenario
    """Write a web page together with a simulated human.

    Args:
        tasks: where the tasks come from.
        n: how many of them; all, or 100 of an endless set, when None.
        options: other fields of :class:`~colbench_gym.scenario.FrontendOptions`.
    """
    return _task("frontend", n, {"tasks": tasks, **options})


def _task(track: Track, n: int | None, options: dict[str, Any]) -> Task:  # Any: as open_scenario
    shared = RunScenario(track, **options)
    scenario = shared.open()
    count = ENDLESS_N if n is None and scenario.tasks.size is None else n
    samples = [
        Sample(input=task.description, target=_TARGETS[track], id=task.task_id, metadata=dict(groups_of(task)))
        for task in first_tasks(scenario.tasks, count)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"colbench-{track}", location=scenario.tasks.spec),
        solver=dialogue(shared),
        scorer=grade(),
        metadata={**scenario.settings, **scenario.versions},
    )


@solver
def dialogue(shared: RunScenario) -> Solver:
    """Play a sample: the model is the agent, the scenario's human replies, the answer is graded."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        _register_hook()
        _in_use.add(shared)
        scenario = await asyncio.to_thread(shared.open)
        episode = scenario.episode(task_id=state.sample_id)
        state.messages.insert(0, ChatMessageSystem(content=episode.messages[0]["content"]))
        while not episode.over:
            state = await generate(state, tool_calls="none")
            reply = await episode.asay(state.output.completion)
            said = episode.messages[-1 if reply is None else -2]
            state.messages[-1] = ChatMessageAssistant(content=said["content"], source="generate")
            if reply is not None:
                state.messages.append(ChatMessageUser(content=reply))
        result = _result(episode)
        result["value"]["tokens"] = state.token_usage
        state.metadata["leak"] = result["metadata"]["leak"]
        state.store.set(_RESULT, result)
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})
def grade() -> Scorer:
    """Score a sample with the reward and the metrics of its finished dialogue."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        result = state.store.get(_RESULT)
        if result is None:
            why = "the dialogue was stopped before its end, by an error or by a limit"
            return Score.unscored(reason="scoring_failed", explanation=why)
        return Score(**result)

    return score


def _result(episode: TaskEpisode) -> dict[str, Any]:  # Any: JSON
    """Return what becomes the sample's score; nothing hidden is in it."""
    info: Mapping[str, Any] = episode.info  # Any: a type for each key
    names = ("success", "pass_rate") if "pass_rate" in info else ("similarity",)
    return {
        "value": {"reward": episode.reward, **{name: float(info[name]) for name in names}, "turns": info["turn"]},
        "answer": episode.episode.answer,
        "explanation": ", ".join([info["outcome"], *info["test_outcomes"]]),
        "metadata": {"leak": info["leak"]},
    }
