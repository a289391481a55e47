"""The thread in which a process drives its browsers, and what a forked child does about its parent's."""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import os
import threading
from collections.abc import Coroutine
from typing import TypeVar

from colbench_gym.errors import RendererError
from colbench_gym.rendering import RenderedPage, Window
from colbench_gym.rendering.chromium.pool import BrowserPool, Loop
from colbench_gym.rendering.chromium.requests import PageAssets

CLOSE_S = 30.0
_open: set[BrowserThread] = set()  # of this process
_inherited: list[BrowserThread] = []  # of its parents; kept, as finalising them would end the parent's processes
T = TypeVar("T")


class BrowserThread:
    """A thread with an event loop and a pool of browsers in it, of one process.

    Raises:
        MissingExtraError: Playwright is not installed.
        RendererError: no browser can be started.
    """

    def __init__(self, browsers: int, page_s: float, assets: PageAssets, executable: str, window: Window) -> None:
        self._loop = Loop()
        self._pool = BrowserPool(self._loop, browsers, page_s, assets, executable, window)
        self._thread = threading.Thread(target=self._run, name="colbench-chromium", daemon=True)
        self._thread.start()
        _open.add(self)
        try:
            self._call(self._pool.open()).result()
        except BaseException:
            self.close()
            raise

    @property
    def browser(self) -> str:
        """Return name and version of the browser."""
        return self._pool.version

    @property
    def containment(self) -> str:
        """Return the way in which its browsers are contained, in words."""
        assert self._pool.containment is not None
        return self._pool.containment.name

    def render(self, html: str) -> concurrent.futures.Future[RenderedPage]:
        """Begin to render a page."""
        return self._call(self._pool.render(html))

    def close(self) -> None:
        """End every browser; renders under way fail. A second call does nothing."""
        if self not in _open:
            return
        _open.discard(self)
        with contextlib.suppress(concurrent.futures.TimeoutError):
            self._call(self._end()).result(CLOSE_S)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_S)
        self._loop.close()

    async def _end(self) -> None:
        await self._pool.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=CLOSE_S) if others else None

    def let_go(self) -> None:
        """Leave, in a forked child, all of it to the parent."""
        self._loop.let_go()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(lambda loop, context: None)  # what killed browsers still owed
        self._loop.run_forever()

    def _call(self, work: Coroutine[object, object, T]) -> concurrent.futures.Future[T]:
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError as error:  # the loop is closed
            work.close()
            raise RendererError("this renderer is closed") from error


def _forget_after_fork() -> None:
    for thread in _open:
        thread.let_go()
        _inherited.append(thread)
    _open.clear()


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_forget_after_fork)


def close_all() -> None:
    """End every browser of this process: for a process that is about to end."""
    for thread in list(_open):
        thread.close()


atexit.register(close_all)
