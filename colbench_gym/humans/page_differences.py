"""All that differs between the page wanted and the page got, most outstanding first."""

from __future__ import annotations

from colbench_gym.humans.page_arrangement import place_differences
from colbench_gym.humans.page_contents import Difference, content_differences
from colbench_gym.humans.page_looks import look_differences
from colbench_gym.humans.page_matching import match
from colbench_gym.humans.page_parts import View
from colbench_gym.humans.page_statements import Statement


def differences(wanted: View, got: View) -> tuple[Difference, ...]:
    """What a person would notice; empty when the pages look alike. No statement stands there twice."""
    matched = match(wanted, got)
    found = [
        *content_differences(wanted, got, matched),
        *place_differences(wanted, got, matched),
        *look_differences(wanted, got, matched),
    ]
    once: dict[tuple[Statement, ...], Difference] = {}
    for difference in found:
        once.setdefault(difference.statements, difference)
    return tuple(sorted(once.values(), key=lambda difference: -difference.weight))
