"""Answer the requests of a page from what is on this machine, within a budget of requests and bytes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from playwright.async_api import Request, Route

MAX_REQUESTS = 256  # ours, of one page: an official page makes at most a dozen
MAX_RESPONSE_BYTES = 32 * 1024**2  # ours, of all responses to one page: ten times the largest asset
BLANK_URL = "http://page.invalid/"  # plain http, or addresses in the page would be upgraded to https
POLICY = "sandbox; script-src 'none'; object-src 'none'; media-src 'none'; worker-src 'none'; manifest-src 'none'"
BLANK_HEADERS = {  # of the blank document that every page is written into; they hold for the page too
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": POLICY,  # sandbox: no refresh, no forms, no popups, no autoplay
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-dns-prefetch-control": "off",
}


class Response(Protocol):
    """The answer to one request of a page."""

    @property
    def body(self) -> bytes:
        """Return the bytes."""

    @property
    def content_type(self) -> str:
        """Return their MIME type."""


class PageAssets(Protocol):
    """The files that pages may load; see :class:`~colbench_gym.rendering.assets.Assets`."""

    @property
    def digest(self) -> str:
        """Return a hash of all of them."""

    def response(self, url: str, html: str) -> Response | None:
        """Return the answer to a request of the page ``html``, None for a request that is blocked."""


class PageRequests:
    """The requests of the page that a browser shows, one page after the other.

    Args:
        assets: the files that pages may load.

    Attributes:
        error: raised by the assets while the page was loaded, for the caller to raise again.
        exceeded: whether a page wanted more than :data:`MAX_REQUESTS` or :data:`MAX_RESPONSE_BYTES`. Late requests of
            such a page could be taken for those of the next one, so its browser must not be used again.
    """

    def __init__(self, assets: PageAssets) -> None:
        self._assets = assets
        self._html = ""
        self._requests = self._bytes = 0
        self._answering: set[asyncio.Task[object]] = set()
        self._cancelled = False
        self.error: BaseException | None = None
        self.exceeded = False

    def begin(self, html: str) -> None:
        """Start the budget of a page."""
        self._html, self.error = html, None
        self._requests = self._bytes = 0

    def end(self) -> None:
        """Forget the page."""
        self._html = ""

    def cancel(self) -> None:
        """End every answer under way, and answer no more: the browser is gone."""
        self._cancelled = True
        for task in self._answering:
            task.cancel()

    async def answer(self, route: Route) -> None:
        """Answer one request from the assets; nothing else ever answers one."""
        task = asyncio.current_task()
        if self._cancelled or task is None:
            return
        self._answering.add(task)
        try:
            await self._answer(route, route.request)
        finally:
            self._answering.discard(task)

    async def _answer(self, route: Route, request: Request) -> None:
        if request.url == BLANK_URL and request.is_navigation_request() and request.frame.parent_frame is None:
            await route.fulfill(body="", headers=BLANK_HEADERS)
            return
        response = self._response(request) if request.method == "GET" else None
        if response is None:
            await route.abort("aborted")  # a frame stays blank; other codes would show an error page
        else:
            # As the networks that serve these files do it, any page may use them.
            headers = {"content-type": response.content_type, "access-control-allow-origin": "*"}
            await route.fulfill(body=response.body, headers=headers)

    def _response(self, request: Request) -> Response | None:
        self._requests += 1
        if self._requests > MAX_REQUESTS or self._bytes > MAX_RESPONSE_BYTES:
            self.exceeded = True
            return None
        try:
            response = self._assets.response(request.url, self._html)
        except Exception as error:  # noqa: BLE001 - raised again by the browser's visit
            self.error = self.error or error
            return None
        self._bytes += len(response.body) if response else 0
        return response
