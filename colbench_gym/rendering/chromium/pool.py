"""Give pages to browsers: one at a time each, a new one for one that failed, and a second try for the page."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from colbench_gym.concurrency.leftovers import LockedFolder
from colbench_gym.errors import MissingExtraError, RendererError
from colbench_gym.rendering import RenderedPage, Window
from colbench_gym.rendering.chromium.browser import LOOK_S, START_S, Browser, BrowserGoneError, PageFaultError
from colbench_gym.rendering.chromium.containment import Containment, find_executable, ways
from colbench_gym.rendering.chromium.requests import PageAssets
from colbench_gym.rendering.chromium.suspicion import may_differ

if TYPE_CHECKING:
    from playwright.async_api import Playwright

STARTS = 8  # ours: browsers in a row that end, or do not start, without a page's fault; then it is an error
CONCLUSIVE_FAULT, DOUBTFUL_FAULT, FAULT_LIMIT = (
    3,
    2,
    6,
)  # ours: two failures that are the page's own, or three that may be
WAIT_S = 0.1  # before the next browser after one that failed to start; doubled each time
DRIVER_S = 60.0
END_S = 5.0
_works: dict[str, Containment] = {}  # by executable: the first way that worked in this process


class Loop(asyncio.SelectorEventLoop):
    """An event loop that knows the processes it started, and keeps Ctrl-C of the terminal from them."""

    def __init__(self) -> None:
        super().__init__()
        self.started: list[asyncio.SubprocessTransport] = []
        self.folder = LockedFolder("driver")  # where Playwright's driver leaves things when it is killed

    def close(self) -> None:
        """Close it, and remove the folder."""
        super().close()
        self.folder.close()

    async def subprocess_exec(  # type: ignore[override]  # the arguments are passed on as they come
        self, protocol_factory: Callable[[], asyncio.SubprocessProtocol], *args: Any, **kwargs: Any
    ) -> tuple[asyncio.SubprocessTransport, asyncio.SubprocessProtocol]:
        """Start a process in a session of its own."""
        kwargs["env"] = {**(kwargs.get("env") or os.environ), "TMPDIR": str(self.folder.path)}
        made = await super().subprocess_exec(protocol_factory, *args, **{**kwargs, "start_new_session": True})
        self.started.append(made[0])
        return made

    def let_go(self) -> None:
        """Close, in a forked child, what ties it to the processes that the parent started."""
        for transport in self.started:
            for number in (0, 1):
                pipe = transport.get_pipe_transport(number)
                end = pipe.get_extra_info("pipe") if pipe is not None else None
                if isinstance(end, socket.socket):
                    os.close(end.detach())
                elif end is not None:
                    with suppress(OSError):
                        end.close()


class Driver:
    """Playwright's own process, through which browsers are driven."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop

    async def start(self) -> None:
        """Start it.

        Raises:
            MissingExtraError: Playwright is not installed.
            RendererError: it does not start.
        """
        try:
            from playwright.async_api import async_playwright
        except ImportError as error:
            raise MissingExtraError.of("playwright", "render", "rendering pages") from error
        before = len(self._loop.started)
        start = asyncio.ensure_future(async_playwright().start())
        end = time.monotonic() + DRIVER_S
        while not start.done() and time.monotonic() < end:
            await asyncio.wait({start}, timeout=LOOK_S)
            if any(process.get_returncode() is not None for process in self._loop.started[before:]):
                break
        try:
            if not start.done():
                start.cancel()
            self.playwright: Playwright = await start
        except (Exception, asyncio.CancelledError) as error:  # a driver that dies raises no more than Exception
            for process in self._loop.started[before:]:
                await _end(process)
            raise RendererError(f"Playwright does not start: {error}") from error
        self._process = self._loop.started[before]

    @property
    def alive(self) -> bool:
        """True while its process is there."""
        return self._process.get_returncode() is None

    async def stop(self) -> None:
        """End it."""
        from playwright.async_api import Error

        if self.alive:
            with suppress(Error, OSError, asyncio.TimeoutError):
                await asyncio.wait_for(self.playwright.stop(), END_S)
        await _end(self._process)


async def _end(process: asyncio.SubprocessTransport) -> None:
    """End a process, and wait until the loop has taken note: closing before that would take its end from the loop."""
    end = time.monotonic() + END_S
    while process.get_returncode() is None and time.monotonic() < end:
        with suppress(ProcessLookupError):
            os.kill(process.get_pid(), signal.SIGKILL)
        await asyncio.sleep(0.01)
    process.close()


class BrowserPool:
    """Renders pages in at most ``limit`` browsers; used in one :class:`Loop` only.

    Args:
        limit: browsers that run at once.
        page_s: the time that a page has; twice that when it is tried again, alone.
        executable: the browser's program, "" for what is found.
        window: what pages are laid out in.
    """

    def __init__(
        self, loop: Loop, limit: int, page_s: float, assets: PageAssets, executable: str, window: Window
    ) -> None:
        self._loop = loop
        self._limit = limit
        self._page_s = page_s
        self._assets = assets
        self._executable = executable
        self._window = window
        self._idle: list[Browser] = []
        self._running: set[Browser] = set()
        self._turns = asyncio.Semaphore(limit)
        self._alone = asyncio.Lock()
        self._starting = asyncio.Lock()
        self._driver: Driver | None = None
        self._closed = False
        self.containment: Containment | None = None
        self.version = ""

    async def open(self) -> None:
        """Start the first browser, in the best way that works here.

        Raises:
            RendererError: no way works; the message says why.
        """
        driver = await self._live_driver()
        self._executable = self._executable or find_executable(driver.playwright.chromium.executable_path)
        known = _works.get(self._executable)
        failures: list[str] = []
        for containment in [known] * STARTS if known else ways():
            if known and failures:  # it works here, so the machine has a bad moment
                await asyncio.sleep(WAIT_S * 2 ** len(failures))
            self.containment = containment
            try:
                browser = await self._start()
                try:
                    await browser.visit("", START_S)
                    await browser.reset(START_S)
                except BaseException:
                    self._drop(browser)
                    raise
            except (RendererError, PageFaultError, BrowserGoneError) as error:
                failures.append(f"{containment.name}: {' '.join(str(error).split())[:300]}")
                continue
            _works[self._executable] = containment
            self.version = browser.version
            self._idle.append(browser)
            return
        raise RendererError("no browser can be started here. Tried " + "; ".join(dict.fromkeys(failures)))

    async def render(self, html: str) -> RenderedPage:
        """Render one page; see :class:`~colbench_gym.rendering.Renderer`."""
        fault_score = losses = 0
        while True:
            if self._closed:
                raise RendererError("this renderer was closed while it rendered a page")
            try:
                async with self._turn(alone=fault_score > 0):
                    return await self._visit(html, fresh=fault_score > 0)
            except PageFaultError as fault:
                fault_score += CONCLUSIVE_FAULT if fault.sure else DOUBTFUL_FAULT
                if fault_score >= FAULT_LIMIT:
                    return RenderedPage(fault.status)
            except (BrowserGoneError, RendererError) as error:
                losses += 1
                if losses == STARTS:
                    raise RendererError(f"{losses} browsers ended under a page, or did not start: {error}") from error
                if isinstance(error, RendererError):
                    await asyncio.sleep(WAIT_S * 2**losses)

    @asynccontextmanager
    async def _turn(self, alone: bool) -> AsyncIterator[None]:
        """Wait for a turn to render; ``alone``: while nothing else is rendered."""
        if not alone:
            async with self._turns:
                yield
            return
        async with self._alone:
            taken = 0
            try:
                for _ in range(self._limit):
                    await self._turns.acquire()
                    taken += 1
                yield
            finally:
                for _ in range(taken):
                    self._turns.release()

    async def _visit(self, html: str, fresh: bool) -> RenderedPage:
        browser = self._idle.pop() if self._idle and not fresh else await self._start()
        limit_s = self._page_s * (2 if fresh else 1)
        try:
            page = await browser.visit(html, limit_s)
            if may_differ(html) and await browser.reset(limit_s):
                again = await browser.visit(html, limit_s)
                page = replace(page, nondeterministic=again.png != page.png)
        except BaseException:
            self._drop(browser)
            raise
        if not await browser.reset(self._page_s):
            self._drop(browser)
            return page
        self._idle.append(browser)
        for surplus in self._idle[: -self._limit]:
            self._idle.remove(surplus)
            self._drop(surplus)
        return page

    async def _start(self) -> Browser:
        assert self.containment is not None
        driver = await self._live_driver()
        browser = await Browser.start(
            driver.playwright, self._executable, self.containment, self._assets, lambda: driver.alive, self._window
        )
        self._running.add(browser)
        return browser

    def _drop(self, browser: Browser) -> None:
        self._running.discard(browser)
        browser.kill()

    async def _live_driver(self) -> Driver:
        async with self._starting:
            if self._driver is not None and not self._driver.alive:
                await self._driver.stop()
                self._driver = None
            if self._driver is None:
                driver = Driver(self._loop)
                await driver.start()
                self._driver = driver
            return self._driver

    async def close(self) -> None:
        """End every browser and the driver; renders under way fail."""
        self._closed = True
        for browser in list(self._running):
            self._drop(browser)
        self._idle.clear()
        if self._driver is not None:
            await self._driver.stop()
            self._driver = None
