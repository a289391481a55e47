"""Resources that runs have used, as a small table: time, requests, tokens and cost, as run.json has them."""

from __future__ import annotations

from collections.abc import Mapping

from colbench_gym.evaluation.run.budget import requests
from colbench_gym.evaluation.run.monitor import duration
from colbench_gym.evaluation.scored_runs import ScoredRun

HEADS = ("run", "time", "requests", "agent's tokens a dialogue", "human's tokens a dialogue", "cost")


def resources(runs: Mapping[str, ScoredRun]) -> list[tuple[str, ...]]:
    """Return a row for each run that has recorded what it used."""
    return [_row(name, run) for name, run in runs.items() if run.used]


def _row(name: str, run: ScoredRun) -> tuple[str, ...]:
    dialogues = sum(map(len, run.scores.values())) + run.not_counted
    tokens = (_tokens(run.used.get(seat, {}), dialogues) for seat in ("agent", "human"))
    cost = f"{run.used['cost']:.4g}" if "cost" in run.used else "–"
    return (name, duration(run.used.get("seconds", 0)), f"{requests(run.used) or '–'}", *tokens, cost)


def _tokens(used: Mapping[str, float], dialogues: int) -> str:
    """Return the tokens read and written for each dialogue, as a text."""
    read, written = used.get("prompt_tokens", 0), used.get("completion_tokens", 0)
    return f"{read / dialogues:,.0f} read, {written / dialogues:,.0f} written" if read or written else "–"
