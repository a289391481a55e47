"""Threads in which an event loop runs calls that block: one for each call under way, made as they are needed."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from colbench_gym.errors import UsageError

Result = TypeVar("Result")

CALLS_AT_ONCE = (
    256  # ours: a model server's batch fits; the loop's own pool has some six threads, so that six would wait
)


class CallThreads:
    """Threads for calls that block. A forked child makes its own.

    Args:
        owner: what closes them, for the error message.
        limit: calls at once; more wait.
    """

    def __init__(self, owner: str = "scenario", limit: int = CALLS_AT_ONCE) -> None:
        self.closed = False
        self._owner = owner
        self._limit = limit
        self._lock = threading.Lock()
        self._pools: dict[int, ThreadPoolExecutor] = {}  # by process: a child inherits no thread of its parent

    async def run(self, call: Callable[[], Result]) -> Result:
        """Return the result of a call, made in a thread, with the context variables of the caller.

        A caller that is cancelled waits no longer; the call itself goes on to its end.

        Raises:
            UsageError: they are closed.
        """
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._pool(), context.run, call)

    def _pool(self) -> ThreadPoolExecutor:
        with self._lock:
            self.check_open()
            if os.getpid() not in self._pools:
                self._pools = {os.getpid(): ThreadPoolExecutor(self._limit, thread_name_prefix="colbench-call")}
            return self._pools[os.getpid()]

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
            pool = self._pools.pop(os.getpid(), None)
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
