"""Threads in which an event loop runs calls that block: few while they compute, many while they wait."""

from __future__ import annotations

import asyncio
import contextvars
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from colbench_gym.errors import UsageError

Result = TypeVar("Result")

CALLS_AT_ONCE = (
    256  # ours: a model server's batch fits; the loop's own pool has some six threads, so that six would wait
)
FEW = 2  # ours: one computes while another waits; hundreds that compute spend up to half of the time on taking turns
LOOK_S = 0.01  # how long calls wait before more are let in at once
BUSY = 0.5  # share of one core from which on calls are computing, so that more threads would not help


class CallThreads:
    """Threads for calls that block. A forked child makes its own.

    A few calls run at once; as long as others wait and these do not compute, twice as many are let in.

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

    async def run(self, call: Callable[[], Result]) -> Result:
        """Return the result of a call, made in a thread, with the context variables of the caller.

        A caller that is cancelled waits no longer; the call itself goes on to its end.

        Raises:
            UsageError: they are closed.
        """
        future: Future[Result] = Future()
        self._queue().add(future, partial(contextvars.copy_context().run, call))
        return await asyncio.wrap_future(future)

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


class _Queue:
    """Calls of one process, and the threads that make them in their order."""

    def __init__(self, limit: int) -> None:
        self._pool = ThreadPoolExecutor(limit, thread_name_prefix="colbench-call")
        self._limit = limit
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()  # Any: whatever calls return
        self._running = 0
        self._allowed = self._few = min(FEW, limit)
        self._looked = (0.0, 0.0)  # when, and the CPU used until then
        self._threads: set[int] = set()
        self._closed = False

    def add(self, future: Future[Any], call: Callable[[], Any]) -> None:
        """Take a call, whose result goes to ``future``; called on the event loop."""
        with self._lock:
            if self._closed:
                future.cancel()
                return
            self._waiting.append((future, call))
            self._let_in()
            look = bool(self._waiting) and time.monotonic() >= self._looked[0] + LOOK_S
        if look:
            self._look_soon(asyncio.get_running_loop())

    def _let_in(self) -> None:
        while self._waiting and self._running < self._allowed:
            self._running += 1
            self._pool.submit(self._work, *self._waiting.popleft())

    def _work(self, future: Future[Any], call: Callable[[], Any]) -> None:
        """Make a call, and then those that wait."""
        with self._lock:
            self._threads.add(threading.get_ident())
        while True:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as e:  # noqa: BLE001 - it is the caller's
                    future.set_exception(e)
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    if not self._running:
                        self._allowed = self._few
                    return
                future, call = self._waiting.popleft()

    def _look_soon(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            self._looked = (time.monotonic(), self._used_s())
        loop.call_later(LOOK_S, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let more calls in where some wait and the others do not compute."""
        began, used = self._looked
        with self._lock:
            if not self._waiting:
                return
            if self._used_s() - used < BUSY * (time.monotonic() - began):
                self._allowed = min(self._limit, 2 * self._allowed)
                self._let_in()
        self._look_soon(loop)

    def _used_s(self) -> float:
        """Return the seconds of CPU of the threads, which live as long as this is open.

        What else the process computes, such as a model that learns, says nothing of calls that wait for a server. On
        systems without such clocks, it is of the process all the same.
        """
        if self._closed:
            return 0.0
        if not hasattr(time, "pthread_getcpuclockid"):
            return time.process_time()
        return math.fsum(time.clock_gettime(time.pthread_getcpuclockid(thread)) for thread in self._threads)

    def close(self) -> None:
        """Cancel what waits."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, deque()
        for future, _ in waiting:
            future.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
