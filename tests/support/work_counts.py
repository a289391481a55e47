"""How much work a piece of code does, counted where it can be, else timed by what this thread alone took."""

import gc
import sys
import time
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


def cpu_s(work: Callable[[], object]) -> float:
    """Time a piece of work once, in seconds of CPU of this thread; no garbage of other tests is collected meanwhile."""
    gc.collect()
    gc.disable()
    try:
        began = time.thread_time()
        work()
        return time.thread_time() - began
    finally:
        gc.enable()
