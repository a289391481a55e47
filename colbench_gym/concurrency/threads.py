"""Threads in which an event loop runs calls that block: few while they compute, many while they wait."""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from colbench_gym.concurrency import waiting_for_places
from colbench_gym.errors import UsageError

Result = TypeVar("Result")

CALLS_AT_ONCE = 256  # ours: a model server's batch fits; of the loop's own pool, some six threads, six would wait
FEW = 4  # ours: one computes while others wait; hundreds that compute spend up to half of the time on taking turns
LOOK_S = 0.01  # how long calls wait before more are let in at once
BUSY = 0.5  # share of one core from which on calls are computing, so that more threads would not help
HAS_CLOCKS = hasattr(time, "pthread_getcpuclockid")
LEAST_FREE = 0.1  # share of one core that calls count as having, however much else the process computes
MANY = 32  # threads that play dialogues, from which on waking to see whether it is their turn costs more than it brings
PATIENT_S = 0.05  # a thread's turn then, in place of Python's 5 ms; one that waits for a server gives it up at once

_many: list[float] = []  # of each holder, the interval before the first
_many_lock = threading.Lock()


@contextmanager
def many_threads(number: int) -> Iterator[None]:
    """Give the threads of this process longer turns, where there are many: each that waits for one wakes every turn."""
    if number < MANY:
        yield
        return
    with _many_lock:
        _many.append(_many[0] if _many else sys.getswitchinterval())
        sys.setswitchinterval(max(PATIENT_S, _many[0]))
    try:
        yield
    finally:
        with _many_lock:
            before = _many.pop()
            if not _many:
                sys.setswitchinterval(before)


class CallThreads:
    """Threads for calls that block. A forked child makes its own.

    A few calls run at once. As long as others wait, and these neither compute nor (a quarter of them) wait for a place
    in a sandbox, twice as many are let in.

    Args:
        owner: what closes them, for the error message.
        limit: calls at once; more wait.
    """

    def __init__(self, owner: str = "scenario", limit: int = CALLS_AT_ONCE) -> None:
        self.closed = False
        self._owner = owner
        self._limit = limit
        self._lock = threading.Lock()
        self._queues: dict[int, _Queue] = {}  # by process: a child inherits no thread of its parent

    async def run(self, call: Callable[[], Result], priority: int = 0) -> Result:
        """Return the result of a call, made in a thread, with the context variables of the caller.

        A caller that is cancelled waits no longer; the call itself goes on to its end.

        Args:
            call: takes no arguments.
            priority: of the calls that wait, one of the highest goes first.

        Raises:
            UsageError: they are closed.
        """
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._queue().add(_Call(partial(contextvars.copy_context().run, call), future), priority)
        return await future

    def _queue(self) -> _Queue:
        with self._lock:
            self.check_open()
            if os.getpid() not in self._queues:
                self._queues = {os.getpid(): _Queue(self._limit)}
            return self._queues[os.getpid()]

    def check_open(self) -> None:
        """Refuse what is asked of a closed owner.

        Raises:
            UsageError: they are closed.
        """
        if self.closed:
            raise UsageError(f"the {self._owner} is closed; open another one with open_scenario()")

    def close(self) -> None:
        """Take no more calls; those under way go on to their end. A second call does nothing."""
        with self._lock:
            self.closed = True
            queue = self._queues.pop(os.getpid(), None)
        if queue is not None:
            queue.close()


class _Call:
    """A call, and the future of an event loop that waits for it."""

    def __init__(self, call: Callable[[], Any], future: asyncio.Future[Any]) -> None:  # Any: whatever calls return
        self._call = call
        self._future = future
        self._result: Any = None
        self._error: BaseException | None = None

    def make(self) -> None:
        """Make it, and let its caller have what came out."""
        if self._future.done():  # nobody waits any more
            return
        try:
            self._result = self._call()
        except StopIteration as e:  # which no future holds, so that its caller would wait for ever
            self._error = RuntimeError("a call raised StopIteration")
            self._error.__cause__ = e
        except BaseException as e:  # noqa: BLE001 - it is the caller's
            self._error = e
        self._on_loop(self._settle)

    def cancel(self) -> None:
        self._on_loop(self._future.cancel)

    def _on_loop(self, call: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop is closed, so that nobody waits
            self._future.get_loop().call_soon_threadsafe(call)

    def _settle(self) -> None:
        if self._future.done():  # cancelled meanwhile
            return
        if self._error is not None:
            self._future.set_exception(self._error)
        else:
            self._future.set_result(self._result)


class _Queue:
    """Calls of one process, and the threads that make them."""

    def __init__(self, limit: int) -> None:
        self._pool = ThreadPoolExecutor(limit, thread_name_prefix="colbench-call")
        self._limit = limit
        self._lock = threading.Lock()
        self._waiting: list[tuple[int, int, _Call]] = []  # a heap
        self._numbers = itertools.count()  # of calls, in the order in which they came
        self._running = self._coming = 0  # threads that make calls, and those that will in a moment
        self._allowed = self._few = min(FEW, limit)
        self._threads: dict[int, int] = {}  # each with the number of the clock of its CPU
        self._looking = False
        self._closed = False

    def add(self, call: _Call, priority: int) -> None:
        """Take a call; called on its event loop."""
        with self._lock:
            if self._closed:
                call.cancel()
                return
            heapq.heappush(self._waiting, (-priority, next(self._numbers), call))
            try:
                self._let_in()
            except RuntimeError:
                call.cancel()
                raise
            if self._waiting and self._allowed < self._limit and not self._looking:
                with suppress(RuntimeError):  # no thread can be started now: those that run go on
                    threading.Thread(target=self._look, name="colbench-look", daemon=True).start()
                    self._looking = True

    def _let_in(self) -> None:
        """Begin calls that wait, as many as are allowed.

        Raises:
            RuntimeError: no thread can be started, now or since the interpreter ends, and there is none.
        """
        while len(self._waiting) > self._coming and self._running + self._coming < self._allowed:
            self._coming += 1
            try:
                self._pool.submit(self._work)
            except RuntimeError:
                self._coming -= 1
                self._allowed = max(self._few, self._running + self._coming)
                if not self._running + self._coming:
                    raise
                return

    def _work(self) -> None:
        """Make calls as long as some wait."""
        thread = threading.get_ident()
        with self._lock:
            self._coming = max(0, self._coming - 1)  # where a thread could not be started, the pool may try it again
            self._running += 1
            self._threads[thread] = time.pthread_getcpuclockid(thread) if HAS_CLOCKS else 0
        while True:
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    if not self._running + self._coming:
                        self._allowed = self._few
                    return
                call = heapq.heappop(self._waiting)[-1]
            call.make()

    def _look(self) -> None:
        """Let more calls in as long as some wait and the others do not compute, here or in a sandbox."""
        with self._lock:
            before = self._clocks()
        while True:
            time.sleep(LOOK_S)
            with self._lock:
                now = self._clocks()
                wall_s, calls_s, all_s = (clock - clock_before for clock, clock_before in zip(now, before, strict=True))
                before = now
                free_s = max(wall_s - max(0.0, all_s - calls_s), LEAST_FREE * wall_s)
                in_line = waiting_for_places(self._threads)
                if calls_s < BUSY * free_s and 4 * in_line < self._running:
                    self._allowed = min(self._limit, 2 * self._allowed)
                    self._let_in()
                if not self._waiting or self._allowed == self._limit:
                    self._looking = False
                    return

    def _clocks(self) -> tuple[float, float, float]:
        """Return seconds on the wall, of CPU of the calls' threads, and of CPU of the process.

        What else the process computes, such as a model that learns, says nothing of calls that wait for a server. On
        systems without clocks of threads, all is that of the calls.
        """
        wall_s = time.monotonic()
        calls_s = 0.0 if HAS_CLOCKS else time.process_time()
        for clock in self._threads.values() if HAS_CLOCKS else ():
            with suppress(OSError):  # the thread has ended
                calls_s += time.clock_gettime(clock)
        return wall_s, calls_s, time.process_time()

    def close(self) -> None:
        """Cancel what waits."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, []
        for *_, call in waiting:
            call.cancel()
        self._pool.shutdown(wait=False)
