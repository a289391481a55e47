"""Sizes of tests that take longer the more they look at: whole with COLBENCH_FULL=1, as `.ci/run` sets it, else a sample."""

import os

FULL = os.environ.get("COLBENCH_FULL") == "1"


def sample(whole):
    """Return how many of ``whole`` cases are looked at: a fifth, but at least 20 of them."""
    return whole if FULL else min(whole, max(20, whole // 5))


def every(nth, cases):
    """Return every nth of ``cases``, or all of them."""
    return cases if FULL else cases[::nth]
