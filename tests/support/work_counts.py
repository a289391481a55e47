"""How much work a piece of code does, counted instead of timed."""

import sys
from collections.abc import Callable


def calls_made(work: Callable[[], object]) -> int:
    """Count the lines and calls of Python that a piece of work takes; what regexes take is counted by test_regex_growth.py."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
