"""Render pages in headless Chromium browsers that stay open: the Renderer that is used."""

from __future__ import annotations

import concurrent.futures
import hashlib
import os
import threading
import weakref
from collections.abc import Mapping
from typing import NamedTuple

from colbench_gym.concurrency import Cache, cores
from colbench_gym.concurrency.leases import ClosedAtExit
from colbench_gym.errors import RendererError
from colbench_gym.rendering import MAX_HTML_BYTES, WINDOW, RenderedPage, Window
from colbench_gym.rendering.assets import Assets
from colbench_gym.rendering.chromium.containment import warn_if_weaker
from colbench_gym.rendering.chromium.fonts import fonts_digest
from colbench_gym.rendering.chromium.requests import PageAssets
from colbench_gym.rendering.chromium.thread import BrowserThread

PAGE_S = 10.0  # ours: an official page takes 0.1 s
CACHE_BYTES = 256 * 1024**2  # ours: some thousand pictures
MAX_BROWSERS = 8  # ours, unless asked for more
LAYOUT_WEIGHT_BYTES = 400  # about what a text block or an element takes


class Chromium(ClosedAtExit):
    """Renders untrusted pages; see :class:`~colbench_gym.rendering.Renderer`. A forked child gets browsers of its own.

    Equal pages are rendered once: what came of a page is kept, and asking for one that is being rendered waits for it.

    Args:
        browsers: how many run at most; None for one per core, at most :data:`MAX_BROWSERS`.
        assets: what pages may load; None for what ``colbench assets fetch`` brought.
        executable: the browser's program; None for the one that the variable ``COLBENCH_CHROMIUM`` names, else
            Playwright's own build, else one that is installed.
        page_s: the time that a page has, in seconds; one that is not done is tried once more, alone, in twice that.
        cache_bytes: how much of what was rendered is kept.
        window: what pages are laid out in.

    Raises:
        MissingExtraError: Playwright is not installed.
        RendererError: no browser can be started; the message says what to do.
    """

    def __init__(
        self,
        browsers: int | None = None,
        assets: PageAssets | None = None,
        executable: str | None = None,
        *,
        page_s: float = PAGE_S,
        cache_bytes: int = CACHE_BYTES,
        window: Window = WINDOW,
    ) -> None:
        self._assets: PageAssets = Assets() if assets is None else assets
        self._start = _Start(browsers or min(cores(), MAX_BROWSERS), page_s, self._assets, executable or "", window)
        self._cache: Cache[str, RenderedPage] = Cache(cache_bytes, _weight)
        self._closed = False
        self._fresh()
        _renderers.add(self)
        with self._lock:
            self._thread_here()

    def _fresh(self) -> None:
        """Set what each process needs of its own."""
        self._lock = threading.Lock()
        self._thread: BrowserThread | None = None
        self._under_way: dict[str, concurrent.futures.Future[RenderedPage]] = {}
        self._versions: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Chromium(browsers={self._start.browsers})"

    @property
    def versions(self) -> Mapping[str, str]:
        """Return what pixels depend on (the browser, its fonts, the assets) and how browsers are contained."""
        with self._lock:
            thread, window = self._thread_here(), self._start.window
            if not self._versions:
                self._versions = {
                    "browser": thread.browser,
                    "browser_containment": thread.containment,
                    "fonts": fonts_digest(),
                    "assets": self._assets.digest,
                    **({} if window == WINDOW else {"window": f"{window.width}x{window.height}"}),
                }
            return dict(self._versions)

    @property
    def containment(self) -> str:
        """Return the way in which the browsers are contained, in words."""
        with self._lock:
            return self._thread_here().containment

    def render(self, html: str) -> RenderedPage:
        """Render one page; see :class:`~colbench_gym.rendering.Renderer`."""
        data = html.encode("utf-8", "replace")
        if len(data) > MAX_HTML_BYTES:
            return RenderedPage("too_large")
        key = hashlib.sha256(data).hexdigest()
        with self._lock:
            thread = self._thread_here()
            page = self._cache.get(key)
            if page is not None:
                return page
            future = self._under_way.get(key)
            if future is None:
                future = self._under_way[key] = thread.render(html)
        try:
            page = future.result()
        except concurrent.futures.CancelledError as error:
            raise RendererError("this renderer was closed while it rendered a page") from error
        finally:
            if future.done():
                with self._lock:
                    self._under_way.pop(key, None)
        with self._lock:
            self._cache.setdefault(key, page)
        return page

    def close(self) -> None:
        """End every browser. A second call does nothing."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.close()

    def _thread_here(self) -> BrowserThread:
        if self._closed:
            raise RendererError("this renderer is closed; open another one with open_renderer()")
        if self._thread is None:
            self._thread = BrowserThread(*self._start)
            warn_if_weaker(self._thread.containment)
        return self._thread


class _Start(NamedTuple):
    """The settings with which a process starts its browsers."""

    browsers: int
    page_s: float
    assets: PageAssets
    executable: str
    window: Window


def _weight(page: RenderedPage) -> int:
    return len(page.png) + LAYOUT_WEIGHT_BYTES * (1 + len(page.layout.texts) + len(page.layout.elements))


_renderers: weakref.WeakSet[Chromium] = weakref.WeakSet()


def _fresh_after_fork() -> None:
    for renderer in list(_renderers):
        renderer._fresh()


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_fresh_after_fork)
