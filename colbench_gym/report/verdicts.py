"""What a report says in words and numbers: which run is better, by how much, what was played, and what it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.compare_runs import Comparison, ScoreDifference, compare
from colbench_gym.evaluation.run.budget import requests
from colbench_gym.evaluation.run.monitor import duration
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.report.dialogues import readable
from colbench_gym.rules import Track

_SCORES: Mapping[Track, str] = {"backend": "tests passed", "frontend": "similarity"}
USED = (
    "run",
    "time",
    "requests",
    "agent's tokens a dialogue",
    "human's tokens a dialogue",
    "cost",
)  # heads of resources
_FACTS = ("env_id", "tasks", "n", "repeats", "human", "grading", "profile", "max_turns")


@dataclass(frozen=True)
class Verdict:
    """Words about two runs, and their names."""

    a: str  # has the better mean
    b: str
    head: str  # who is better, or that nobody can tell
    numbers: tuple[str, ...] = ()  # each paired difference, in points, with its 95 % interval
    tasks: tuple[int, int, int] = (0, 0, 0)  # wins, losses and ties over the tasks that both have
    win_rate: str = ""  # of A over B
    settings: tuple[str, ...] = ()  # what differs in how they were played


def verdicts(scored: Mapping[str, ScoredRun]) -> list[Verdict]:
    """Return the comparison of each track's best run with each other one."""
    found = []
    for track in _SCORES:
        runs = {name: run for name, run in scored.items() if run.track == track}
        first, *rest = sorted(runs, key=lambda name: _means(runs[name]), reverse=True) or [""]
        found += [_verdict(first, runs[first], name, runs[name]) for name in rest]
    return found


def _means(run: ScoredRun) -> tuple[float, ...]:
    kinds = (run.successes, run.scores) if run.track == "backend" else (run.scores,)
    values = [[value for of_task in kind.values() for value in of_task] for kind in kinds]
    return tuple(sum(of) / len(of) for of in values)


def _verdict(a: str, run_a: ScoredRun, b: str, run_b: ScoredRun) -> Verdict:
    try:
        both = compare(run_a, run_b)
    except UsageError as e:
        return Verdict(readable(a), readable(b), f"{readable(a)} and {readable(b)} cannot be compared: {e}")
    if _main(both).mean < 0:  # on the tasks that both have
        a, b, both = b, a, compare(run_b, run_a)
    main, names = _main(both), (readable(a), readable(b))
    head = f"{names[0]} is better than {names[1]}"
    if main.low <= 0:
        head = f"No clear difference between {names[0]} and {names[1]}"
    measures = {"success": both.success, _SCORES[both.track]: both.score}
    numbers = tuple(f"{m.difference.points('+')} points of {name}" for name, m in measures.items() if m is not None)
    differ = ((name, x, y) for name, (x, y) in both.settings.items() if (x, y) != (a, b))
    settings = tuple(f"{name}: {readable(x)[:80]} / {readable(y)[:80]}" for name, x, y in differ)
    return Verdict(*names, head, numbers, (both.wins, both.losses, both.ties), both.win_rate.percent(), settings)


def _main(both: Comparison) -> ScoreDifference:
    return (both.success or both.score).difference


def facts(scored: Mapping[str, ScoredRun]) -> list[str]:
    """Return the settings that all runs share, for people."""
    shared = []
    for name in _FACTS:
        values = {str(run.settings[name]) for run in scored.values() if run.settings.get(name) is not None}
        if len(values) == 1 and all(name in run.settings for run in scored.values()):
            shared.append(f"{name.replace('_', ' ')} {readable(values.pop())[:80]}")
    return shared


def resources(runs: Mapping[str, ScoredRun]) -> list[tuple[str, ...]]:
    """Return a row for each run that has recorded what it used."""
    return [_used(name, run) for name, run in runs.items() if run.used]


def _used(name: str, run: ScoredRun) -> tuple[str, ...]:
    dialogues = sum(map(len, run.scores.values())) + run.not_counted

    def tokens(used: Mapping[str, float]) -> str:
        read, written = used.get("prompt_tokens", 0), used.get("completion_tokens", 0)
        return f"{read / dialogues:,.0f} read, {written / dialogues:,.0f} written" if read or written else "–"

    of_seats = (tokens(run.used.get(seat, {})) for seat in ("agent", "human"))
    cost = f"{run.used['cost']:.4g}" if "cost" in run.used else "–"
    return (name, duration(run.used.get("seconds", 0)), f"{requests(run.used) or '–'}", *of_seats, cost)
