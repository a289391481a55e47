"""One thread for all deadlines: each is kept, dropped ones are not, and the thread ends with the last."""

import threading
import time

import pytest

from colbench_gym.concurrency.deadlines import LOOK_S, Deadlines


def test_each_is_called_in_its_time_and_a_dropped_one_never():
    deadlines, called = Deadlines(), []
    begin = time.monotonic()
    done = threading.Event()
    names = {"late": 0.3, "early": 0.1, "dropped": 0.2}
    calls = {name: (lambda name=name: (called.append(name), name == "late" and done.set())) for name in names}
    for name, after_s in names.items():
        deadlines.add(begin + after_s, calls[name])
    deadlines.drop(calls["dropped"])
    deadlines.drop(calls["dropped"])
    assert done.wait(10)
    assert called == ["early", "late"]
    assert time.monotonic() - begin >= 0.3


def test_the_thread_ends_with_the_last_and_another_begins():
    deadlines, called = Deadlines(), threading.Event()
    for _ in range(2):
        called.clear()
        deadlines.add(time.monotonic() + 0.01, called.set)
        assert called.wait(10)
        thread = deadlines._thread
        if thread is not None:
            thread.join(10 * LOOK_S)
        assert deadlines._thread is None


def test_a_thread_that_cannot_be_started_is_started_for_the_next_call():
    deadlines, called = Deadlines(), threading.Event()
    before = threading.stack_size(1 << 47)  # more than the system gives
    try:
        with pytest.raises(RuntimeError):
            deadlines.add(time.monotonic(), called.set)
    finally:
        threading.stack_size(before)
    assert not called.is_set()
    deadlines.add(time.monotonic(), called.set)
    assert called.wait(10)
