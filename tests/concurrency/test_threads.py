"""Calls of an event loop in threads: all at once where they wait, few where they compute, none after the end."""

import asyncio
import contextvars
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial

import pytest

from colbench_gym.concurrency import FairSemaphore, waiting_for_places
from colbench_gym.concurrency.threads import (
    BUSY,
    CALLS_AT_ONCE,
    FEW,
    HAS_CLOCKS,
    LEAST_FREE,
    MANY,
    PATIENT_S,
    CallThreads,
    _Call,
    _Queue,
    many_threads,
)
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


class Queued(CallThreads):
    """Calls that go through a given queue."""

    def __init__(self, queue: _Queue) -> None:
        super().__init__()
        self._given = queue

    def _queue(self) -> _Queue:
        return self._given


class Clocks(_Queue):
    """Clocks of CPU that run at a share of the one on the wall, and are all read at the same moment.

    A busy machine gives no core of our own.
    """

    def __init__(self, calls: float, others: float = 0.0) -> None:
        super().__init__(CALLS_AT_ONCE)
        self._shares = calls, calls + others

    def _clocks(self) -> tuple[float, float, float]:
        now = time.monotonic()
        return now, self._shares[0] * now, self._shares[1] * now


@contextmanager
def no_room_for_threads():
    """Have no thread started: its stack would be larger than the memory that a process can have."""
    before = threading.stack_size(1 << 47)
    try:
        yield
    finally:
        threading.stack_size(before)


def test_few_compute_at_once():
    crowd = Crowd(compute)
    at_once(Queued(Clocks(calls=2 * BUSY)), 40, crowd)
    assert crowd.most <= FEW


@pytest.mark.parametrize(
    ("others", "calls", "let_in"),
    [
        (0.9, 0.1 * BUSY + 0.01, False),  # the loop itself computes, and the calls use most of what it leaves
        (0.9, 0.1 * BUSY - 0.01, True),
        (2.0, LEAST_FREE * BUSY + 0.01, False),  # more cores than one are busy
        (2.0, LEAST_FREE * BUSY - 0.01, True),
    ],
)
def test_what_else_the_process_computes_is_not_held_against_the_calls(others, calls, let_in):
    crowd = Crowd(lambda: time.sleep(0.05))
    at_once(Queued(Clocks(calls, others)), 40, crowd)
    assert (crowd.most > FEW) is let_in


@pytest.mark.skipif(not HAS_CLOCKS, reason="this system has no clocks of threads")
def test_threads_that_end_have_no_clock():
    """At the end of the interpreter the pool's threads go while a loop in another thread still looks at them."""
    queue = _Queue(limit=4)
    thread = threading.Thread(target=queue._work)
    thread.start()
    thread.join()
    assert len(queue._threads) == 1
    end = time.monotonic() + 30
    while queue._clocks()[1] > 0.0:  # until the system has let go of it
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.mark.parametrize(("waiting", "let_in"), [(FEW, False), (FEW // 4, False), (0, True)])
def test_no_more_are_let_in_while_a_quarter_wait_for_a_place(waiting, let_in):
    place, numbers, seen = FairSemaphore(1), itertools.count(), []

    class LooksLater(_Queue):
        def _look(self) -> None:
            while waiting_for_places(list(self._threads)) < waiting:
                time.sleep(0.001)
            super()._look()

    def wait() -> None:
        if next(numbers) < waiting:
            with place:
                return
        time.sleep(0.05)

    def leave() -> None:
        seen.append(crowd.most)
        place.__exit__()

    crowd, until = Crowd(wait), threading.Timer(0.3, leave)
    place.__enter__()
    until.start()
    at_once(Queued(LooksLater(CALLS_AT_ONCE)), 20, crowd)
    until.join()
    assert [most > FEW for most in seen] == [let_in]


def test_calls_go_on_where_no_thread_can_be_started():
    """Those that run take over the rest, also later, when there is memory again."""
    threads, over = CallThreads(), threading.Event()

    async def with_two() -> list[object]:
        running = [asyncio.ensure_future(threads.run(over.wait)) for _ in range(2)]
        await asyncio.sleep(0)
        with no_room_for_threads():
            rest = [asyncio.ensure_future(threads.run(lambda: 7)) for _ in range(30)]
            await asyncio.sleep(0)
            over.set()
            return await asyncio.gather(*running, *rest)

    assert asyncio.run(with_two()) == [True] * 2 + [7] * 30
    crowd = Crowd(lambda: time.sleep(0.05))
    at_once(threads, 40, crowd)
    assert crowd.most > FEW


def test_a_call_for_which_there_is_no_thread_at_all_fails():
    with no_room_for_threads(), pytest.raises(RuntimeError, match="start new thread"):
        at_once(CallThreads(), 1, lambda: 7)


def test_one_thread_looks_however_many_calls_come():
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
            queue.add(_Call(over.wait, future), 0)
            calls.append(future)
            time.sleep(0.001)
        over.set()
        await asyncio.gather(*calls)

    asyncio.run(many())
    assert len(looks) <= 2  # a second one only where the first had ended, with nothing left to let in
    queue.close()


def test_the_calls_of_the_highest_priority_go_first():
    threads, order, begun, over = CallThreads(limit=1), [], threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        over.wait()

    async def all_of_them() -> None:
        first = asyncio.ensure_future(threads.run(work))
        while not begun.is_set():  # else its thread may take a later call of a higher priority
            await asyncio.sleep(0.001)
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


def test_a_caller_that_is_cancelled_during_its_call_disturbs_nobody():
    threads, over, begun, failures = CallThreads(), threading.Event(), threading.Event(), []

    def work() -> int:
        begun.set()
        over.wait()
        return 1

    async def cancelled() -> int:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))
        call = asyncio.ensure_future(threads.run(work))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        call.cancel()
        over.set()
        return await threads.run(lambda: 2)

    assert asyncio.run(cancelled()) == 2
    assert failures == []


def test_a_loop_goes_on_after_an_interrupt():
    """What was lost with it is lost alone."""
    threads = CallThreads()
    loop = asyncio.new_event_loop()

    def interrupt() -> None:
        raise KeyboardInterrupt

    async def many() -> None:
        await asyncio.gather(*(threads.run(partial(time.sleep, 0.01)) for _ in range(40)))

    loop.call_later(0.02, interrupt)
    with pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(many())
    assert loop.run_until_complete(asyncio.wait_for(threads.run(lambda: 3), 30)) == 3
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0.1))
    loop.close()


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
    threads, begun, over = CallThreads(limit=1), threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return over.wait()

    async def closed_meanwhile() -> list[object]:
        calls = [asyncio.ensure_future(threads.run(work)) for _ in range(3)]
        while not begun.is_set():
            await asyncio.sleep(0.001)
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


def test_many_threads_have_longer_turns_until_the_last_of_them_has_ended():
    before, seen = sys.getswitchinterval(), []
    with many_threads(MANY - 1):
        seen.append(sys.getswitchinterval())
    outer, inner = many_threads(MANY), many_threads(2 * MANY)
    outer.__enter__()
    inner.__enter__()
    seen.append(sys.getswitchinterval())
    outer.__exit__(None, None, None)
    seen.append(sys.getswitchinterval())
    inner.__exit__(None, None, None)
    assert seen == pytest.approx([before, PATIENT_S, PATIENT_S])
    assert sys.getswitchinterval() == pytest.approx(before)
