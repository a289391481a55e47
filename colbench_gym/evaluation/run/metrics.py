"""Metrics and coverage of a run as JSON, for ``run.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from colbench_gym.evaluation.statistics.intervals import Interval
from colbench_gym.evaluation.summary import MIN_COVERAGE, Summary
from colbench_gym.scenario import Scenario

Json = dict[str, Any]  # Any: JSON


def report_of(summary: Summary, planned: int, scenario: Scenario) -> Json:
    """Return ``versions``, ``metrics``, ``groups`` and ``coverage`` of a run."""
    score = "pass_rate" if scenario.rules.track == "backend" else "similarity"
    if score == "pass_rate":
        metrics: Json = {score: _json(summary.score), "success": _json(summary.success)}
    else:
        metrics = {score: _json(summary.score), "metric": scenario.versions.get("metric", "")}
    return {
        "versions": scenario.versions,
        "metrics": {
            **metrics,
            "mean_reward": summary.reward,
            "mean_turns": summary.turns,
            "leak": dict(summary.leak),
            "per_dialogue": _all(summary.per_dialogue),
            "attempts": {str(k): _all(of) for k, of in summary.attempts.items()},
            "groups": {
                about: {
                    group: {(score if name == "score" else name): _json(it) for name, it in of.items()}
                    for group, of in groups.items()
                }
                for about, groups in summary.groups.items()
            },
        },
        "coverage": {
            "planned": planned,
            "played": summary.dialogues,
            "counted": summary.counted,
            "share": round(summary.coverage(planned), 6),
            "enough": summary.coverage(planned) >= MIN_COVERAGE,
            "not_counted": {k: v for k, v in summary.outcomes.items() if k not in ("answered", "out_of_turns")},
            "outcomes": dict(summary.outcomes),
        },
    }


def _json(interval: Interval | None) -> Json | None:
    return None if interval is None else asdict(interval)


def _all(intervals: Mapping[str, Interval]) -> Json:
    return {name: _json(interval) for name, interval in intervals.items()}
