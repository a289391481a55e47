"""Summary of a set of trajectories: metrics with confidence intervals, coverage and leaks."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from statistics import fmean
from typing import Any

from colbench_gym.action import extract_page
from colbench_gym.dialogue import Dialogue
from colbench_gym.evaluation.statistics.attempts import best_of_k, over_tasks, pass_at_k, pass_hat_k, sizes
from colbench_gym.evaluation.statistics.groups import groups_of
from colbench_gym.evaluation.statistics.intervals import Interval, Values, count_interval, interval, similarity_interval
from colbench_gym.scenario import Scenario
from colbench_gym.trajectory import Trajectory

MIN_COVERAGE = 0.95  # ours: with less, what is missing can move a mean by more than most differences that are reported
_REASONS, _LEAK = 3, "leak "
Json = dict[str, Any]  # Any: JSON
Lists = dict[str, list[float]]


@dataclass(frozen=True)
class Summary:
    """Metrics of a run.

    Attributes:
        score: fraction of tests passed (backend; Table 2 "% tests passed") or similarity (frontend).
        success: backend: rate of dialogues whose answer passes every test (Table 2 "success rate"); None on the
            frontend track, which has none.
        reward: mean of what the environment paid; None where nothing counts.
        outcomes: how many dialogues ended how.
        counted: dialogues that count in the metrics; the others failed on our side.
        dialogues: all of them.
        turns: mean agent turns of those that count.
        leak: mean of each leak measure over those that count.
        per_dialogue: means of counts with intervals: turns, questions, and each leak measure as ``leak NAME``.
        attempts: by k, with several dialogues a task: ``pass_at_k`` and ``pass_hat_k`` (backend), ``best_of_k``.
        groups: by what tasks can be told apart by, and by group: ``score`` and ``success`` (backend).
        reasons: the first few different ones why dialogues do not count.
    """

    score: Interval | None
    success: Interval | None
    reward: float | None
    outcomes: Mapping[str, int]
    counted: int
    dialogues: int
    turns: float | None
    leak: Mapping[str, float]
    per_dialogue: Mapping[str, Interval] = field(default_factory=dict)
    attempts: Mapping[int, Mapping[str, Interval]] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Mapping[str, Interval]]] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()

    def coverage(self, planned: int) -> float:
        """Return the share of the planned dialogues that count."""
        return self.counted / planned if planned else 0.0

    @property
    def failed(self) -> int:
        """Dialogues that do not count because our side failed."""
        return self.dialogues - self.counted


class Tally:
    """Values of the trajectories so far, from which a :class:`Summary` is made at any time. Thread-safe."""

    def __init__(self, trajectories: Iterable[Trajectory] = ()) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, Lists] = defaultdict(lambda: defaultdict(list))  # by what they measure, and by task
        self._rewards: list[float] = []
        self._groups: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        self._outcomes: Counter[str] = Counter()
        self._reasons: dict[str, None] = {}
        self._of_score: Callable[[Values], Interval | None] = interval
        for trajectory in trajectories:
            self.add(trajectory)

    def add(self, trajectory: Trajectory) -> None:
        """Add one trajectory; without a grade it is counted and left out of the metrics."""
        with self._lock:
            self._outcomes[trajectory.outcome] += 1
            if trajectory.score is None:
                self._reasons |= {f"{trajectory.outcome}: {trajectory.error}": None} if trajectory.error else {}
                return
            task_id, dialogue = trajectory.task.task_id, trajectory.dialogue
            if task_id not in self._values["score"]:
                for about, group in groups_of(trajectory.task).items():
                    self._groups[about][group].add(task_id)
            values = {"score": trajectory.score, "turns": dialogue.count("agent"), "questions": questions(dialogue)}
            values |= {f"{_LEAK}{name}": value for name, value in trajectory.leak.items()}
            if trajectory.rules.track == "backend":
                values["success"] = trajectory.success
            else:
                self._of_score = similarity_interval
            for name, value in values.items():
                self._values[name][task_id].append(float(value))
            self._rewards.append(float(trajectory.reward or 0.0))

    def summary(self) -> Summary:
        """Return the summary of what was added so far."""
        with self._lock:
            scores, successes = self._values["score"], self._values["success"]
            counts = {name: of for name, of in self._values.items() if name not in ("score", "success")}
            means = {name: fmean(chain(*of.values())) for name, of in sorted(counts.items())}
            attempts = {
                k: {
                    "pass_at_k": over_tasks(successes, k, pass_at_k),
                    "pass_hat_k": over_tasks(successes, k, pass_hat_k),
                    "best_of_k": over_tasks(scores, k, best_of_k, self._of_score),
                }
                for k in sizes(scores)
            }
            groups = {
                about: {group: self._group(tasks) for group, tasks in sorted(of.items())}
                for about, of in self._groups.items()
                if len(of) > 1
            }
            return Summary(
                score=self._of_score(scores),
                success=interval(successes),
                reward=fmean(self._rewards) if self._rewards else None,
                outcomes=dict(sorted(self._outcomes.items())),
                counted=len(self._rewards),
                dialogues=self._outcomes.total(),
                turns=means.get("turns"),
                leak={name.removeprefix(_LEAK): mean for name, mean in means.items() if name.startswith(_LEAK)},
                per_dialogue=_known({name: count_interval(values) for name, values in counts.items()}),
                attempts={k: _known(of) for k, of in attempts.items()},
                groups=groups,
                reasons=tuple(self._reasons)[:_REASONS],
            )

    def _group(self, tasks: Collection[str]) -> Mapping[str, Interval]:
        of = {name: {task: found[task] for task in tasks if task in found} for name, found in self._values.items()}
        return _known({"score": self._of_score(of["score"]), "success": interval(of.get("success", {}))})


def questions(dialogue: Dialogue) -> int:
    """Return how many of the agent's messages before its last one ask something; pages in them are not read."""
    said = [turn.content for turn in dialogue.turns if turn.seat == "agent"][:-1]
    return sum("?" in text.replace(extract_page(text) or "\0", "") for text in said)


def _known(intervals: Mapping[str, Interval | None]) -> dict[str, Interval]:
    return {name: found for name, found in intervals.items() if found is not None}


def summarise(trajectories: Iterable[Trajectory]) -> Summary:
    """Summarise trajectories; those without a grade are left out of the metrics and counted."""
    return Tally(trajectories).summary()


def report_of(summary: Summary, planned: int, scenario: Scenario) -> Json:
    """Return ``versions``, ``metrics`` and ``coverage`` of a run, as JSON."""
    backend, share = scenario.rules.track == "backend", summary.coverage(planned)
    score = "pass_rate" if backend else "similarity"
    beside = {"success": _json(summary.success)} if backend else {"metric": scenario.versions.get("metric", "")}
    groups = {
        about: {
            group: _all({score if name == "score" else name: it for name, it in of.items()})
            for group, of in groups.items()
        }
        for about, groups in summary.groups.items()
    }
    return {
        "versions": scenario.versions,
        "metrics": {
            score: _json(summary.score),
            **beside,
            "mean_reward": summary.reward,
            "mean_turns": summary.turns,
            "leak": dict(summary.leak),
            "per_dialogue": _all(summary.per_dialogue),
            "attempts": {str(k): _all(of) for k, of in summary.attempts.items()},
            "groups": groups,
        },
        "coverage": {
            "planned": planned,
            "played": summary.dialogues,
            "counted": summary.counted,
            "share": round(share, 6),
            "enough": share >= MIN_COVERAGE,
            "not_counted": {k: v for k, v in summary.outcomes.items() if k not in ("answered", "out_of_turns")},
            "outcomes": dict(summary.outcomes),
        },
    }


def _json(interval: Interval | None) -> Json | None:
    return None if interval is None else asdict(interval)


def _all(intervals: Mapping[str, Interval]) -> Json:
    return {name: _json(interval) for name, interval in intervals.items()}
