"""Findings of a check about a task, and the words for the tests that it means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from colbench_gym.graders.unit_tests.comparison import same_value
from colbench_gym.sandboxes import CallOutcome

FindingKind = Literal[
    "not_named",
    "raises",
    "timed_out",
    "killed",
    "not_data",
    "missing_package",
    "slow",
    "random",
    "set_order",
    "returns_none",
    "unwinnable",
    "unwinnable_under_paper",
    "weak_tests",
    "constant_answer",
    "duplicate",
    "no_page",
    "missing_asset",
    "too_large",
    "not_rendered",
    "blank",
]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a task.

    Attributes:
        kind: what it is.
        task_id: which task.
        text: the same in words; names tests by their numbers, shows no hidden call or value.
        source: the task set it is in, when several were checked.
    """

    kind: FindingKind
    task_id: str
    text: str
    source: str = ""


def changed_tests(first: Sequence[CallOutcome], second: Sequence[CallOutcome]) -> list[int]:
    """Return the tests, from 1, that did not end alike."""
    return [
        test
        for test, (a, b) in enumerate(zip(first, second, strict=True), start=1)
        if a.status != b.status or not same_value(a.value, b.value)
    ]


def test_numbers(tests: Iterable[int]) -> str:
    """Test numbers in words: ``test 3``, ``tests 1, 4-7``."""
    listed = list(tests)
    runs: list[list[int]] = []
    for test in listed:
        if runs and test == runs[-1][-1] + 1:
            runs[-1].append(test)
        else:
            runs.append([test])
    text = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"test{'s' if len(listed) != 1 else ''} {text}"
