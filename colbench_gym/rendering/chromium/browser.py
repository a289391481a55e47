"""One headless Chromium that visits one page after the other; everything here runs in the renderer's own loop."""

from __future__ import annotations

import asyncio
import base64
import math
import signal
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from colbench_gym.errors import RendererError
from colbench_gym.rendering import MAX_PAGE_HEIGHT, MAX_PAGE_WIDTH, WINDOW, RenderedPage, Window
from colbench_gym.rendering.chromium.containment import NETWORK, ZYGOTE, BrowserProfile, Containment
from colbench_gym.rendering.chromium.fonts import system_families, with_families
from colbench_gym.rendering.chromium.requests import BLANK_URL, PageAssets, PageRequests
from colbench_gym.rendering.layout import LIMITS, read_layout, script

if TYPE_CHECKING:
    from playwright.async_api import Playwright, ViewportSize

START_S = 60.0  # ours: a start takes 1 s; machines may be busy
NEWS_S = 0.5  # the news of an end may come after the failure
LOOK_S = 0.25  # between looks at the driver, whose end nobody tells
MAX_FRAMES = 32  # ours: frames of a page whose animations are ended
FRAMES_S = 2.0  # ours: for all frames of a page together
NO_NETWORK = (
    "--proxy-server=http://127.0.0.1:9",  # nobody is there
    "--proxy-bypass-list=<-loopback>",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-domain-reliability",
    "--no-pings",
    "--dns-prefetch-disable",
)
SAME_PIXELS = (
    "--disable-blink-features=CSSRandomFunction",
    "--disable-gpu",
    "--disable-lcd-text",
    "--disable-partial-raster",
    "--disable-checker-imaging",
    "--disable-threaded-animation",
    "--disable-threaded-scrolling",
    "--disable-image-animation-resync",
    "--disable-skia-runtime-opts",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--disable-site-isolation-trials",  # or each page would start a process; there is one site, the page
)
BLINK_SETTINGS = (
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,"
    "imageAnimationPolicy=2"  # of animated pictures only the first frame
)
CONTEXT: dict[str, Any] = {  # Any: the keyword arguments of Browser.new_context
    "java_script_enabled": False,
    "offline": True,
    "viewport": {"width": WINDOW.width, "height": WINDOW.height},
    "device_scale_factor": 1,
    "locale": "en-US",
    "timezone_id": "UTC",
    "color_scheme": "light",
    "reduced_motion": "reduce",
    "forced_colors": "none",
    "service_workers": "block",
    "accept_downloads": False,
}
NAMES = ("settle", "document_size", "restyle", "lines")
SETTLE, DOCUMENT_SIZE, RESTYLE, LINES = (script("chromium", f"{name}.js") for name in NAMES)

T = TypeVar("T")


class PageFaultError(Exception):
    """The page did something that it may have to answer for.

    Attributes:
        status: what came of the page.
        sure: False where someone else may have done it: the browser lives, and did not do as it was told.
    """

    def __init__(self, status: Literal["timed_out", "crashed"], sure: bool = True) -> None:
        super().__init__(status)
        self.status: Literal["timed_out", "crashed"] = status
        self.sure = sure


class BrowserGoneError(Exception):
    """The browser ended, and not through what a page did, as far as can be known."""


class Browser:
    """A running browser with one page. Make it with :meth:`start`."""

    def __init__(
        self,
        profile: BrowserProfile,
        containment: Containment,
        assets: PageAssets,
        driver_lives: Callable[[], bool],
        window: Window,
    ) -> None:
        self._profile = profile
        self._containment = containment
        self._window = window
        self._requests = PageRequests(assets)
        self._driver_lives = driver_lives
        self._crash: tuple[str, int] | None = None
        self._gone = asyncio.Event()
        self.version = ""

    @classmethod
    async def start(
        cls,
        playwright: Playwright,
        executable: str,
        containment: Containment,
        assets: PageAssets,
        driver_lives: Callable[[], bool],
        window: Window = WINDOW,
    ) -> Browser:
        """Start one.

        Raises:
            RendererError: it does not start.
        """
        from playwright.async_api import Error

        browser = cls(BrowserProfile(executable, containment), containment, assets, driver_lives, window)
        try:
            await browser._in_time(browser._open(playwright), START_S)
        except (Error, OSError, PageFaultError, BrowserGoneError) as error:
            browser.kill()
            raise RendererError(f"{executable} does not start ({containment.name}): {error}") from error
        except BaseException:
            browser.kill()
            raise
        return browser

    async def _open(self, playwright: Playwright) -> None:
        self._browser = await playwright.chromium.launch(
            executable_path=str(self._profile.start),
            chromium_sandbox=self._containment.own_sandbox,
            env=dict(self._profile.environment),
            args=[*NO_NETWORK, *SAME_PIXELS, BLINK_SETTINGS],
            ignore_default_args=["--hide-scrollbars"] if self._window.scrollbar else None,
            timeout=START_S * 1000,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
        self._browser.on("disconnected", lambda _: self._gone.set())
        whole = await self._browser.new_browser_cdp_session()
        self.version = (await whole.send("Browser.getVersion"))["product"]
        whole.on("Target.targetCrashed", self._crashed)
        await whole.send("Target.setDiscoverTargets", {"discover": True})
        self._viewport: ViewportSize = {"width": self._window.width, "height": self._window.height}
        context = await self._browser.new_context(**{**CONTEXT, "viewport": self._viewport})
        await context.route("**/*", self._requests.answer)
        self._page = await context.new_page()
        self._page.on("crash", lambda _: self._gone.set())
        self._cdp = await context.new_cdp_session(self._page)
        self._families = system_families() if self._window.scrollbar else {}
        await self._blank()
        self._profile.note_helpers()

    def _crashed(self, event: dict[str, Any]) -> None:  # Any: the protocol's JSON
        self._crash = event["status"], event["errorCode"]
        self._gone.set()

    async def visit(self, html: str, limit_s: float) -> RenderedPage:
        """Render one page. After an error the browser must be killed.

        Raises:
            PageFaultError: the page was not done in time, or the browser crashed.
            BrowserGoneError: the browser was ended by someone, or does not do what it should.
            AssetError: an asset that the page needs is not there.
        """
        self._requests.begin(html)
        try:
            return await self._in_time(self._visit(html), limit_s)
        finally:
            self._requests.end()

    async def reset(self, limit_s: float) -> bool:
        """Leave the page, and everything of it, behind. Return False if the browser must be killed."""
        if self._requests.exceeded:
            return False
        try:
            await self._in_time(self._blank(), limit_s)
        except (PageFaultError, BrowserGoneError):
            return False
        return True

    async def _in_time(self, coroutine: Coroutine[object, object, T], limit_s: float) -> T:
        work = asyncio.ensure_future(coroutine)
        gone = asyncio.ensure_future(self._gone.wait())
        try:
            end = time.monotonic() + limit_s
            while not work.done() and not gone.done() and time.monotonic() < end and self._whole():
                wait_s = min(LOOK_S, max(0.0, end - time.monotonic()))
                await asyncio.wait({work, gone}, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
            if self._requests.error is not None:
                raise self._requests.error
            if work.done() and work.exception() is None:
                if self._profile.lost(NETWORK):
                    raise PageFaultError("crashed", sure=False)  # something of the page may be missing
                return work.result()
            if not work.done() and not gone.done() and self._whole():
                raise PageFaultError("timed_out")
            await asyncio.wait({gone}, timeout=NEWS_S)
            raise await self._why_gone(work)
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.wait({work, gone})
            if not work.cancelled():
                work.exception()  # looked at

    def _whole(self) -> bool:
        return self._driver_lives() and not self._profile.lost(ZYGOTE)

    async def _why_gone(self, work: asyncio.Future[T]) -> Exception:
        """Return the error that says whose fault the end of the browser was."""
        await asyncio.sleep(NEWS_S)  # the exit status is written last
        if self._crash is not None:
            status, code = self._crash
            outside = status == "killed" and code in (signal.SIGKILL, signal.SIGTERM)
        else:
            outside = self._profile.ended_from_outside()
        if not self.version:
            return BrowserGoneError(_failure(work))
        if (outside if self._gone.is_set() else self._profile.lost(ZYGOTE)) or not self._driver_lives():
            return BrowserGoneError(f"a browser was killed ({_failure(work)})")
        return PageFaultError("crashed", sure=self._gone.is_set())

    async def _blank(self) -> None:
        if self._page.viewport_size != self._viewport:
            await self._page.set_viewport_size(self._viewport)
        await self._page.goto(BLANK_URL, timeout=0)
        await self._cdp.send("Animation.setPlaybackRate", {"playbackRate": 0})  # of all in it: shadow roots, marquees

    async def _visit(self, html: str) -> RenderedPage:
        html = with_families(html, self._families) if self._families else html
        await self._page.set_content(html, wait_until="load", timeout=0)
        frames = [frame for frame in self._page.frames[1:] if frame.url == "about:srcdoc"]  # the others stay blank
        if frames:
            settling = [asyncio.ensure_future(frame.evaluate(SETTLE)) for frame in frames[:MAX_FRAMES]]
            _, hanging = await asyncio.wait(settling, timeout=FRAMES_S)  # of a frame without a document, for ever
            for task in hanging:
                task.cancel()
            await asyncio.gather(*settling, return_exceptions=True)
        page_width, page_height = await self._page.evaluate(SETTLE)
        window = self._window
        if window.scrollbar:
            page_width, page_height = await self._beside_scrollbar(window.scrollbar)
        layout = read_layout(await self._page.evaluate(script("layout.js"), dict(LIMITS)))
        least_width, least_height = (1, 1) if window.scrollbar else (window.width, window.height)
        width = min(max(least_width, math.ceil(page_width)), MAX_PAGE_WIDTH)
        height = min(max(least_height, math.ceil(page_height)), MAX_PAGE_HEIGHT)
        shot = await self._cdp.send(
            "Page.captureScreenshot",
            {
                "format": "png",
                "optimizeForSpeed": True,
                "captureBeyondViewport": {"width": width, "height": height} != self._page.viewport_size,
                "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
            },
        )
        return RenderedPage("rendered", base64.b64decode(shot["data"]), layout)

    async def _beside_scrollbar(self, scrollbar: int) -> tuple[float, float]:
        """Lay the page out as beside scroll bars, which pictures do not have, and return the document's size."""
        serif = self._families.get("serif", "serif")
        await self._page.evaluate(RESTYLE, [serif, scrollbar, None])
        await self._page.evaluate(LINES)
        width, height, room = await self._page.evaluate(DOCUMENT_SIZE)
        wide = width > room  # something is as wide as the window (100vw): the root alone makes room for the bar then
        if room < self._window.width and not wide:
            await self._page.set_viewport_size({**self._viewport, "width": room})
        await self._page.evaluate(RESTYLE, [serif, 0, room if wide else None])
        return width, height

    def kill(self) -> None:
        """End it and everything that it started, and remove its folder. A second call does nothing."""
        self._requests.cancel()
        self._profile.remove()


def _failure(work: asyncio.Future[T]) -> str:
    return " ".join(str(work.exception()).split()) if work.done() else "it did not answer"
