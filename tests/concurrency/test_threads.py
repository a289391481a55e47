"""Calls of an event loop in threads: all at once where they wait, few where they compute, none after the end."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
import time
from collections.abc import Callable

import pytest

from colbench_gym.concurrency import threads as threads_module
from colbench_gym.concurrency.threads import BUSY, FEW, LEAST_FREE, CallThreads, _Queue
from colbench_gym.errors import UsageError

WHO = contextvars.ContextVar("WHO", default="nobody")


class Crowd:
    """Counts how many are inside at once."""

    def __init__(self, wait: Callable[[], object]) -> None:
        self.most = self._here = 0
        self._lock = threading.Lock()
        self._wait = wait

    def __call__(self) -> None:
        with self._lock:
            self._here += 1
            self.most = max(self.most, self._here)
        self._wait()
        with self._lock:
            self._here -= 1


def at_once(threads: CallThreads, calls: int, call: Callable[[], object]) -> list[object]:
    async def all_of_them() -> list[object]:
        return await asyncio.gather(*(threads.run(call) for _ in range(calls)))

    return asyncio.run(all_of_them())


def compute(cpu_s: float = 0.02) -> None:
    end = time.thread_time() + cpu_s
    while time.thread_time() < end:
        sum(range(1000))


def test_all_calls_that_wait_are_under_way_at_once():
    barrier = threading.Barrier(100, timeout=60)
    at_once(CallThreads(), 100, barrier.wait)  # nobody passes before all are there
    assert not barrier.broken


def test_no_more_than_the_limit_are_under_way():
    crowd = Crowd(lambda: time.sleep(0.02))
    at_once(CallThreads(limit=6), 40, crowd)
    assert 1 < crowd.most <= 6


def test_few_compute_at_once(monkeypatch):
    """A clock stands in for a core of our own, which a busy machine does not give."""
    monkeypatch.setattr(_Queue, "_used_s", lambda _: 2 * BUSY * time.monotonic())
    crowd = Crowd(compute)
    at_once(CallThreads(), 40, crowd)
    assert crowd.most <= FEW


@pytest.mark.parametrize(
    ("all_used", "calls_used", "let_in"),
    [
        (0.9, 0.1 * BUSY + 0.01, False),  # the loop itself computes, and the calls use most of what it leaves
        (0.9, 0.1 * BUSY - 0.01, True),
        (2.0, LEAST_FREE * BUSY + 0.01, False),  # more cores than one are busy
        (2.0, LEAST_FREE * BUSY - 0.01, True),
    ],
)
def test_what_else_the_process_computes_is_not_held_against_the_calls(monkeypatch, all_used, calls_used, let_in):
    """Clocks that run at a share of the real one: seconds of CPU in each second."""
    monkeypatch.setattr(_Queue, "_used_s", lambda _: calls_used * time.monotonic())
    monkeypatch.setattr(threads_module.time, "process_time", lambda: (all_used + calls_used) * time.monotonic())
    crowd = Crowd(lambda: time.sleep(0.05))
    at_once(CallThreads(), 40, crowd)
    assert (crowd.most > FEW) is let_in


def test_no_more_are_let_in_while_some_wait_for_a_place(monkeypatch):
    monkeypatch.setattr(threads_module, "places_are_taken", lambda: True)
    crowd = Crowd(lambda: time.sleep(0.02))
    at_once(CallThreads(), 20, crowd)
    assert crowd.most <= FEW


def test_a_loop_that_is_blocked_lets_no_more_in():
    """Each look begins when the last one is over, however many calls came meanwhile."""
    looks = []

    class Looked(_Queue):
        def _look(self) -> None:
            looks.append(threading.current_thread())
            super()._look()

    queue = Looked(limit=8)
    over = threading.Event()

    async def many() -> None:
        calls = []
        for _ in range(30):
            future = asyncio.get_running_loop().create_future()
            queue.add(threads_module._Call(over.wait, future), 0)
            calls.append(future)
            time.sleep(0.001)
        over.set()
        await asyncio.gather(*calls)

    asyncio.run(many())
    assert len(looks) <= 2  # a second one only where the first had ended, with nothing left to let in
    queue.close()


def test_the_calls_of_the_highest_priority_go_first():
    threads, order, over = CallThreads(limit=1), [], threading.Event()

    async def all_of_them() -> None:
        first = asyncio.ensure_future(threads.run(over.wait))
        await asyncio.sleep(0)
        calls = [threads.run(lambda n=n: order.append(n), priority) for n, priority in enumerate([0, 5, 0, 9, 5])]
        rest = asyncio.gather(*calls)
        await asyncio.sleep(0)
        over.set()
        await first
        await rest

    asyncio.run(all_of_them())
    assert order == [3, 1, 4, 0, 2]


def test_calls_that_wait_are_let_in_while_the_process_computes_something_else():
    over, barrier = threading.Event(), threading.Barrier(40, timeout=60)
    learning = threading.Thread(target=lambda: [compute() for _ in iter(over.is_set, True)])
    learning.start()
    try:
        at_once(CallThreads(), 40, barrier.wait)
    finally:
        over.set()
        learning.join()
    assert not barrier.broken


def test_a_second_loop_after_one_that_was_left_in_the_middle():
    threads, over = CallThreads(), threading.Event()

    async def leave() -> None:
        left = [asyncio.ensure_future(threads.run(over.wait)) for _ in range(20)]
        await asyncio.sleep(0)
        assert not any(call.done() for call in left)

    asyncio.run(leave())
    over.set()
    assert at_once(threads, 30, lambda: 7) == [7] * 30


def test_what_a_call_raises_reaches_its_caller_and_nobody_else():
    def fail() -> None:
        raise KeyError("lost")

    threads = CallThreads()

    async def two() -> list[object]:
        return await asyncio.gather(threads.run(fail), threads.run(lambda: 1), return_exceptions=True)

    failed, fine = asyncio.run(two())
    assert isinstance(failed, KeyError)
    assert fine == 1


def test_a_call_that_raises_stop_iteration_ends():
    """No future can hold one: a human whose replies are at their end would leave its caller waiting for ever."""
    with pytest.raises(RuntimeError, match="StopIteration"):
        at_once(CallThreads(), 1, lambda: next(iter(())))


def test_a_call_that_nobody_waits_for_is_not_made():
    threads, over, made = CallThreads(limit=1), threading.Event(), []

    async def cancelled() -> None:
        first = asyncio.ensure_future(threads.run(over.wait))
        second = asyncio.ensure_future(threads.run(lambda: made.append(2)))
        await asyncio.sleep(0)
        second.cancel()
        over.set()
        await first
        assert await threads.run(lambda: 3) == 3

    asyncio.run(cancelled())
    assert made == []


def test_context_variables_are_those_of_the_caller():
    threads = CallThreads()

    async def asked_by(name: str) -> str:
        WHO.set(name)
        return await threads.run(WHO.get)

    async def both() -> list[str]:
        return await asyncio.gather(asked_by("a"), asked_by("b"))

    assert asyncio.run(both()) == ["a", "b"]


def test_closing_cancels_what_waits_and_takes_no_more():
    threads, over = CallThreads(limit=1), threading.Event()

    async def closed_meanwhile() -> list[object]:
        calls = [asyncio.ensure_future(threads.run(over.wait)) for _ in range(3)]
        await asyncio.sleep(0.01)
        threads.close()
        over.set()
        return await asyncio.gather(*calls, return_exceptions=True)

    first, *others = asyncio.run(closed_meanwhile())
    assert first is True
    assert [type(other) for other in others] == [asyncio.CancelledError] * 2
    with pytest.raises(UsageError, match="closed"):
        at_once(threads, 1, lambda: 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_makes_threads_of_its_own():
    threads = CallThreads()
    at_once(threads, 1, lambda: None)
    child = os.fork()
    if not child:
        os._exit(0 if at_once(threads, 10, lambda: 5) == [5] * 10 else 1)
    assert os.waitpid(child, 0)[1] == 0
