"""One headless Chromium that visits one page after the other; everything here runs in the renderer's own loop."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import math
from typing import TYPE_CHECKING, Any, Literal, Protocol

from colbench_gym.errors import RendererError
from colbench_gym.rendering import (
    MAX_PAGE_HEIGHT,
    MAX_PAGE_WIDTH,
    VIEWPORT_HEIGHT,
    VIEWPORT_WIDTH,
    RenderedPage,
)
from colbench_gym.rendering.containment import Containment, Home
from colbench_gym.rendering.layout import LIMITS, layout_script, read_layout

if TYPE_CHECKING:
    from playwright.async_api import Playwright, Route

START_S = 60.0  # ours: a start takes 1 s; machines may be busy
CLOSE_S = 5.0
PAGE_URL = "http://page.invalid/"  # plain http, or addresses in the page would be upgraded to https
POLICY = "sandbox; script-src 'none'; object-src 'none'; media-src 'none'; worker-src 'none'; manifest-src 'none'"
HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,  # sandbox: no refresh, no forms, no popups, no autoplay
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-dns-prefetch-control": "off",
}
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
    "--hide-scrollbars",
)
BLINK_SETTINGS = (
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,"
    "imageAnimationPolicy=2"  # of animated pictures only the first frame
)
CONTEXT: dict[str, Any] = {  # Any: the keyword arguments of Browser.new_context
    "java_script_enabled": False,
    "offline": True,
    "viewport": {"width": VIEWPORT_WIDTH, "height": VIEWPORT_HEIGHT},
    "device_scale_factor": 1,
    "locale": "en-US",
    "timezone_id": "UTC",
    "color_scheme": "light",
    "reduced_motion": "reduce",
    "forced_colors": "none",
    "service_workers": "block",
    "accept_downloads": False,
}
SETTLE = """async () => {
  // Pages can put things of their own under a document's names (<img name="fonts">): its prototype is asked instead.
  const of = (name, how = 'get') => Object.getOwnPropertyDescriptor(Document.prototype, name)[how];
  const call = (name, ...given) => Document.prototype[name].call(document, ...given);
  const read = name => of(name).call(document);
  const style = new CSSStyleSheet();
  style.replaceSync('video::-webkit-media-controls { display: none !important } ' +
    '*, *::before, *::after { caret-color: transparent !important }');
  of('adoptedStyleSheets', 'set').call(document, [...read('adoptedStyleSheets'), style]);
  for (const animation of call('getAnimations')) {
    const end = animation.effect && animation.effect.getComputedTiming().endTime;
    if (Number.isFinite(end) && animation.playbackRate) animation.finish(); else animation.cancel();
  }
  for (const svg of call('querySelectorAll', 'svg')) { svg.pauseAnimations(); svg.setCurrentTime(0); }
  await read('fonts').ready;
  const sizes = name => [read('documentElement'), read('body')].map(e => e ? e[name] : 0);
  const most = kind => Math.max(...['scroll', 'offset', 'client'].flatMap(how => sizes(how + kind)));
  return [most('Width'), most('Height')];
}"""


class Response(Protocol):
    """What answers one request of a page."""

    @property
    def body(self) -> bytes:
        """The bytes."""

    @property
    def content_type(self) -> str:
        """Their MIME type."""


class PageAssets(Protocol):
    """What pages may load; see :class:`~colbench_gym.rendering.assets.Assets`."""

    @property
    def digest(self) -> str:
        """A hash of all of it."""

    def response(self, url: str, html: str) -> Response | None:
        """What answers a request of the page ``html``; None: nothing does."""


class PageFaultError(Exception):
    """The page did something that it may have to answer for."""

    def __init__(self, status: Literal["timed_out", "crashed"]) -> None:
        super().__init__(status)
        self.status: Literal["timed_out", "crashed"] = status


class BrowserGoneError(Exception):
    """The browser ended, and not through what a page did, as far as can be known."""


class Browser:
    """A running browser with one page. Make it with :meth:`start`."""

    def __init__(self, home: Home, containment: Containment, assets: PageAssets) -> None:
        self._home = home
        self._containment = containment
        self._assets = assets
        self._html = ""
        self._error: BaseException | None = None
        self._crash: tuple[str, int] | None = None
        self._gone = asyncio.Event()
        self.version = ""

    @classmethod
    async def start(
        cls, playwright: Playwright, executable: str, containment: Containment, assets: PageAssets
    ) -> Browser:
        """Start one.

        Raises:
            RendererError: it does not start.
        """
        from playwright.async_api import Error

        browser = cls(Home(executable, containment), containment, assets)
        try:
            await asyncio.wait_for(browser._open(playwright), START_S)
        except (Error, OSError, asyncio.TimeoutError) as error:
            browser.kill()
            first = str(error).strip() or f"it does not answer within {START_S:.0f} s"
            raise RendererError(f"{executable} does not start ({containment.name}): {first}") from error
        except BaseException:
            browser.kill()
            raise
        return browser

    async def _open(self, playwright: Playwright) -> None:
        self._browser = await playwright.chromium.launch(
            executable_path=str(self._home.start),
            chromium_sandbox=self._containment.own_sandbox,
            env=dict(self._home.environment),
            args=[*NO_NETWORK, *SAME_PIXELS, BLINK_SETTINGS],
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
        context = await self._browser.new_context(**CONTEXT)
        await context.route("**/*", self._answer)
        self._page = await context.new_page()
        self._page.on("crash", lambda _: self._gone.set())
        self._cdp = await context.new_cdp_session(self._page)

    def _crashed(self, event: dict[str, Any]) -> None:  # Any: the protocol's JSON
        self._crash = event["status"], event["errorCode"]
        self._gone.set()

    async def _answer(self, route: Route) -> None:
        """Answer one request of the page, from what is here; nothing else ever does."""
        request = route.request
        try:
            if request.url == PAGE_URL and request.is_navigation_request() and request.frame.parent_frame is None:
                await route.fulfill(body=self._html.encode("utf-8", "replace"), headers=HEADERS)
                return
            response = self._assets.response(request.url, self._html) if request.method == "GET" else None
        except Exception as error:  # noqa: BLE001 - raised again by visit()
            self._error = self._error or error
            response = None
        if response is None:
            await route.abort("aborted")  # a frame stays blank; other codes would show an error page
        else:
            headers = {"content-type": response.content_type, "access-control-allow-origin": "*"}
            await route.fulfill(body=response.body, headers=headers)

    async def visit(self, html: str, limit_s: float) -> RenderedPage:
        """Render one page. After an error other than those of the assets the browser must be killed.

        Raises:
            PageFaultError: the page was not done in time, or the browser crashed.
            BrowserGoneError: the browser was ended by someone.
            AssetError: an asset that the page needs is not there.
        """
        from playwright.async_api import Error

        self._html, self._error = html, None
        work = asyncio.ensure_future(self._visit())
        gone = asyncio.ensure_future(self._gone.wait())
        try:
            await asyncio.wait({work, gone}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if self._error is not None:
                raise self._error
            if work.done() and work.exception() is None:
                return work.result()
            if not work.done() and not gone.done():
                raise PageFaultError("timed_out")
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(gone), CLOSE_S)  # the news of the end may come after the failure
            raise self._why_gone(work)
        except Error as error:
            raise BrowserGoneError(str(error)) from error
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.wait({work, gone})
            if not work.cancelled():
                work.exception()  # looked at
            self._html = ""

    async def _visit(self) -> RenderedPage:
        await self._page.goto(PAGE_URL, wait_until="load", timeout=0)
        page_width, page_height = await self._page.evaluate(SETTLE)
        layout = read_layout(await self._page.evaluate(layout_script(), dict(LIMITS)))
        width = min(max(VIEWPORT_WIDTH, math.ceil(page_width)), MAX_PAGE_WIDTH)
        height = min(max(VIEWPORT_HEIGHT, math.ceil(page_height)), MAX_PAGE_HEIGHT)
        shot = await self._cdp.send(
            "Page.captureScreenshot",
            {
                "format": "png",
                "optimizeForSpeed": True,
                "captureBeyondViewport": (width, height) != (VIEWPORT_WIDTH, VIEWPORT_HEIGHT),
                "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1},
            },
        )
        await self._page.goto("about:blank", timeout=0)
        return RenderedPage("rendered", base64.b64decode(shot["data"]), layout)

    def _why_gone(self, work: asyncio.Future[RenderedPage]) -> Exception:
        failure = work.exception() if work.done() and not work.cancelled() else None
        return BrowserGoneError(str(failure or "the browser ended"))

    def kill(self) -> None:
        """End it and everything that it started, and remove its folder. A second call does nothing."""
        self._home.remove()
