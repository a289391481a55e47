"""Threads in which an event loop runs calls that block: few while they compute, many while they wait."""

from __future__ import annotations

import asyncio
import contextvars
import heapq
import itertools
import math
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from colbench_gym.concurrency import places_are_taken
from colbench_gym.errors import UsageError

Result = TypeVar("Result")

CALLS_AT_ONCE = (
    256  # ours: a model server's batch fits; the loop's own pool has some six threads, so that six would wait
)
FEW = 4  # ours: one computes while others wait; hundreds that compute spend up to half of the time on taking turns
LOOK_S = 0.01  # how long calls wait before more are let in at once
BUSY = 0.5  # share of one core from which on calls are computing, so that more threads would not help
LEAST_FREE = 0.1  # share of one core that calls count as having, however much else the process computes


class CallThreads:
    """Threads for calls that block. A forked child makes its own.

    A few calls run at once; as long as others wait and these neither compute nor wait for a place in a sandbox, twice
    as many are let in.

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

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return self._future.get_loop()

    def make(self) -> None:
        if self._future.done():  # nobody waits any more
            return
        try:
            self._result = self._call()
        except StopIteration as e:  # which no future holds, so that its caller would wait for ever
            self._error = RuntimeError("a call raised StopIteration")
            self._error.__cause__ = e
        except BaseException as e:  # noqa: BLE001 - it is the caller's
            self._error = e

    def settle(self) -> None:
        """Give its caller what came out; called on the event loop."""
        if self._future.done():
            return
        if self._error is not None:
            self._future.set_exception(self._error)
        else:
            self._future.set_result(self._result)

    def cancel(self) -> None:
        with suppress(RuntimeError):  # the loop is closed
            self.loop.call_soon_threadsafe(self._future.cancel)


class _Queue:
    """Calls of one process, and the threads that make them."""

    def __init__(self, limit: int) -> None:
        self._pool = ThreadPoolExecutor(limit, thread_name_prefix="colbench-call")
        self._limit = limit
        self._lock = threading.Lock()
        self._waiting: list[tuple[int, int, _Call]] = []  # a heap
        self._numbers = itertools.count()  # of calls, in the order in which they came
        self._made: dict[asyncio.AbstractEventLoop, list[_Call]] = {}  # that no loop knows of yet
        self._running = 0
        self._allowed = self._few = min(FEW, limit)
        self._threads: set[int] = set()
        self._looking = False
        self._closed = False

    def add(self, call: _Call, priority: int) -> None:
        """Take a call; called on its event loop."""
        with self._lock:
            if self._closed:
                call.cancel()
                return
            heapq.heappush(self._waiting, (-priority, next(self._numbers), call))
            self._let_in()
            if self._waiting and self._allowed < self._limit and not self._looking:
                self._looking = True
                threading.Thread(target=self._look, name="colbench-look", daemon=True).start()

    def _let_in(self) -> None:
        while self._waiting and self._running < self._allowed:
            self._running += 1
            self._pool.submit(self._work, heapq.heappop(self._waiting)[-1])

    def _work(self, call: _Call) -> None:
        """Make a call, and then those that wait."""
        with self._lock:
            self._threads.add(threading.get_ident())
        while True:
            call.make()
            self._tell(call)
            with self._lock:
                if not self._waiting:
                    self._running -= 1
                    if not self._running:
                        self._allowed = self._few
                    return
                call = heapq.heappop(self._waiting)[-1]

    def _tell(self, call: _Call) -> None:
        """Wake the loop of a call, once for all calls that are made until it looks."""
        with self._lock:
            made = self._made.setdefault(call.loop, [])
            made.append(call)
            is_first = len(made) == 1
        if is_first:
            try:
                call.loop.call_soon_threadsafe(self._settle, call.loop)
            except RuntimeError:  # it is closed, so that nobody waits
                with self._lock:
                    self._made.pop(call.loop, None)

    def _settle(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            made = self._made.pop(loop, [])
        for call in made:
            call.settle()

    def _look(self) -> None:
        """Let more calls in as long as some wait and the others do not compute, here or in a sandbox."""
        with self._lock:
            began, used_before, all_before = time.monotonic(), self._used_s(), time.process_time()
        while True:
            time.sleep(LOOK_S)
            with self._lock:
                if not self._waiting or self._allowed == self._limit:
                    self._looking = False
                    return
                now, used, of_all = time.monotonic(), self._used_s(), time.process_time()
                wall_s = now - began
                others_s = max(0.0, of_all - all_before - (used - used_before))
                computing = used - used_before >= BUSY * max(wall_s - others_s, LEAST_FREE * wall_s)
                if not computing and not places_are_taken():
                    self._allowed = min(self._limit, 2 * self._allowed)
                    self._let_in()
            began, used_before, all_before = now, used, of_all

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
            waiting, self._waiting = self._waiting, []
        for *_, call in waiting:
            call.cancel()
        self._pool.shutdown(wait=False)
