"""Number of tasks that two runs need so that a difference between them is seen."""

from __future__ import annotations

import math
from bisect import bisect_left

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.statistics.intervals import student
from colbench_gym.evaluation.statistics.student import shifted_above

POWER = 0.8  # chance of seeing a difference that is there, as is usual (Cohen 1988)
MAX_TASKS = 10**7


def power_of(tasks: int, difference: float, spread: float) -> float:
    """Return the chance that the paired t interval of so many tasks leaves out 0 on the right side.

    Args:
        tasks: that both runs play.
        difference: true mean difference.
        spread: standard deviation of the difference over tasks.
    """
    return shifted_above(student(tasks), tasks - 1, abs(difference) / spread * math.sqrt(tasks))


def tasks_needed(difference: float, spread: float, power: float = POWER) -> int:
    """Return the fewest tasks with which a true difference is seen with this power.

    Args:
        difference: true mean difference, from 0 to 1.
        spread: standard deviation of the difference over tasks, above 0.
        power: chance of seeing it.

    Raises:
        UsageError: a difference that is none, or that so many tasks as anybody has do not show.
    """
    if not 0 < difference < 1:
        raise UsageError(f"got a difference of {difference:g}, expected one above 0 and below 1, such as 0.05")
    high = 2
    while power_of(high, difference, spread) < power:
        if high > MAX_TASKS:
            raise UsageError(
                f"a difference of {difference:g} needs more than {MAX_TASKS:,} tasks; expected one that can be seen"
            )
        high *= 2
    rest = range(high // 2 + 1, high)
    return rest.start + bisect_left(rest, power, key=lambda tasks: power_of(tasks, difference, spread))
