"""Turn untrusted HTML into pictures and layouts: the Renderer protocol, its data, and :func:`open_renderer`."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from colbench_gym.errors import UnknownNameError
from colbench_gym.rendering.layout import EMPTY, Layout

PageStatus = Literal["rendered", "too_large", "timed_out", "crashed"]

RENDERERS = ("chromium", "scripted")
VIEWPORT_WIDTH = 1280  # pixels, ours; the official driver's window differs from machine to machine
VIEWPORT_HEIGHT = 720  # pixels, ours
MAX_PAGE_HEIGHT = 4096  # pixels, ours: a picture is cut there; the highest official page has 3600
MAX_PAGE_WIDTH = 2048  # pixels, ours: a picture is cut there; the widest official page has 1405
MAX_HTML_BYTES = 256 * 1024  # ours: 40 times the largest official page


@dataclass(frozen=True)
class Window:
    """Window that pages are laid out in, in CSS pixels.

    Attributes:
        width, height: of what is seen of a page before it is scrolled.
        scrollbar: width of a scroll bar, which a page that is higher than the window is laid out beside; 0 for none.
            With one, pictures are as high as the document also where that is lower than the window.
    """

    width: int = VIEWPORT_WIDTH
    height: int = VIEWPORT_HEIGHT
    scrollbar: int = 0


WINDOW = Window()
# Official protocol: headless Firefox's window of 1366 by 768, of which 682 are the page's, and 12 of these wide are its
# scroll bar's (measured on ESR 153).
OFFICIAL_WINDOW = Window(1366, 682, scrollbar=12)


@dataclass(frozen=True)
class RenderedPage:
    """A page as it was rendered.

    Attributes:
        status: ``rendered``, or what the page did wrong: more than :data:`MAX_HTML_BYTES`, not done in time, or the
            browser ended under it each time it was tried. Such a page has no picture and an empty layout.
        png: the whole page as PNG, at most :data:`MAX_PAGE_WIDTH` by :data:`MAX_PAGE_HEIGHT` pixels; b"" without one.
        layout: where its texts, boxes, pictures and controls are.
        nondeterministic: rendered twice, the page gave two pictures; this is the first one.
    """

    status: PageStatus
    png: bytes = field(default=b"", repr=False)
    layout: Layout = field(default=EMPTY, repr=False)
    nondeterministic: bool = False

    @property
    def png_sha256(self) -> str:
        """Return the hash of the picture's bytes, in hexadecimal."""
        return hashlib.sha256(self.png).hexdigest()


@runtime_checkable
class Renderer(Protocol):
    """Renderer of HTML that nobody trusts. Thread-safe, and usable from a thread that runs an asyncio loop."""

    @property
    def versions(self) -> Mapping[str, str]:
        """Return what pixels depend on, ``browser`` (name and version), ``fonts`` and ``assets`` (hashes).

        A renderer with a browser adds ``browser_containment``, the way in which its browsers are contained.
        """

    def render(self, html: str) -> RenderedPage:
        """Render one page. A fault of the page is data. Equal pages give equal pixels, or are ``nondeterministic``.

        Raises:
            RendererError: the browser failed, after retries; the page is not to blame.
            AssetError: the page links an asset that has not been fetched; the message names the command.
        """

    def close(self) -> None:
        """End every browser of this renderer. A second call does nothing."""


def render_reference(renderer: Renderer, html: str) -> RenderedPage:
    """Render a page that is trusted: what seems to be its fault may be the machine's, so it is tried anew, once."""
    page = renderer.render(html)
    return renderer.render(f"<!-- again -->{html}") if page.status in ("crashed", "timed_out") else page


def open_renderer(spec: str | Renderer = "chromium", window: Window = WINDOW) -> Renderer:
    """Return a lease on the process-wide renderer that ``spec`` names; the last ``close()`` of a lease ends it.

    Args:
        spec: ``chromium``, ``scripted`` (no browser: for tests, its scores mean nothing), or a live Renderer, which is
            returned as it is.
        window: what Chromium lays pages out in.

    Raises:
        UnknownNameError: no such renderer.
        MissingExtraError: Playwright is not installed.
        RendererError: no browser can be started; the message says how to get one.
    """
    if not isinstance(spec, str):
        return spec
    if spec not in RENDERERS:
        raise UnknownNameError.among("renderer", spec, RENDERERS)
    if spec == "scripted":
        from colbench_gym.rendering.scripted import ScriptedRenderer

        return ScriptedRenderer()
    from colbench_gym.rendering.shared import RendererLease  # built on this module

    return RendererLease(spec if window == WINDOW else f"{spec} official")
