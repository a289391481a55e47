"""The contract of a Renderer as checks that any implementation can run."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from colbench_gym.errors import RendererError
from colbench_gym.rendering import (
    MAX_HTML_BYTES,
    MAX_PAGE_HEIGHT,
    MAX_PAGE_WIDTH,
    VIEWPORT_HEIGHT,
    VIEWPORT_WIDTH,
    RenderedPage,
    Renderer,
)
from colbench_gym.rendering.layout import EMPTY

THREADS = 8
PAGES = tuple(
    f"<html><body style='background:{color}'><h1>Number {number}</h1><button>Send {number}</button></body></html>"
    for number, color in enumerate(("white", "#fee", "#efe", "#eef", "#ffd"))
)
ODD: tuple[str, ...] = tuple(json.loads(Path(__file__).with_name("texts.json").read_text("utf-8"))["odd_pages"])


def check_renderer(renderer: Renderer, *, looks: bool = True) -> None:
    """Run the contract of :class:`~colbench_gym.rendering.Renderer` against ``renderer``, and close it.

    Takes some seconds. What keeps hostile pages in is not part of it: that depends on how the renderer is made.

    Args:
        renderer: a live renderer that needs no assets for pages that link none; it is closed at the end.
        looks: False for one that does not draw pages as a browser does, such as a double for tests.

    Raises:
        AssertionError: what was promised and not kept, one line each.
    """
    checks = [_versions, _pages, _odd_pages, _too_large, _threads, _asyncio, _repeatable]
    checks += [_looks, _isolation, _limits] if looks else []
    named = {check.__name__[1:].replace("_", " "): check for check in checks}
    problems = [f"{name}: {problem}" for name, check in named.items() for problem in check(renderer)]
    renderer.close()
    renderer.close()
    if looks:
        try:
            renderer.render(PAGES[0])
            problems.append("close: render() after close() returned; expected RendererError")
        except RendererError:
            pass
    assert not problems, "the renderer breaks its contract:\n" + "\n".join(problems)


def _versions(renderer: Renderer) -> Iterator[str]:
    for name in ("browser", "fonts", "assets"):
        value = renderer.versions.get(name)
        if not value or not isinstance(value, str):
            yield f"{name!r} is {value!r}, expected what pixels depend on, in words"
    if dict(renderer.versions) != dict(renderer.versions):
        yield "they differ from one call to the next"


def _pages(renderer: Renderer) -> Iterator[str]:
    for number, html in enumerate(PAGES):
        page = renderer.render(html)
        yield from _is_rendered(html, page)
        if not any(f"Number {number}" in text.text for text in page.layout.texts):
            yield f"the layout of {html[:60]!r} lacks its text: {page.layout.texts}"


def _is_rendered(html: str, page: RenderedPage) -> Iterator[str]:
    if page.status != "rendered":
        yield f"{html[:60]!r} is {page.status!r}"
        return
    width, height = _size(page.png)
    if not (VIEWPORT_WIDTH <= width <= MAX_PAGE_WIDTH and VIEWPORT_HEIGHT <= height <= MAX_PAGE_HEIGHT):
        yield f"the picture of {html[:60]!r} has {width} by {height} pixels"


def _size(png: bytes) -> tuple[int, int]:
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        return 0, 0
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def _odd_pages(renderer: Renderer) -> Iterator[str]:
    for html in ODD:
        yield from _is_rendered(html, renderer.render(html))


def _too_large(renderer: Renderer) -> Iterator[str]:
    page = renderer.render("x" * (MAX_HTML_BYTES + 1))
    if page != RenderedPage("too_large"):
        yield f"{MAX_HTML_BYTES + 1} bytes gave {page}, expected 'too_large' without a picture or layout"
    if page.layout != EMPTY:
        yield "a page that is too large has a layout"


def _threads(renderer: Renderer) -> Iterator[str]:
    alone = [renderer.render(html) for html in PAGES]
    with ThreadPoolExecutor(THREADS) as threads:
        together = list(threads.map(renderer.render, PAGES * THREADS))
    wrong = sum(page != right for page, right in zip(together, alone * THREADS, strict=True))
    if wrong:
        yield f"{wrong} of {len(together)} pages differ when they are rendered in {THREADS} threads"


def _asyncio(renderer: Renderer) -> Iterator[str]:
    async def play() -> RenderedPage:
        return renderer.render(PAGES[0] + "<!-- asyncio -->")

    yield from _is_rendered(PAGES[0], asyncio.run(play()))


def _repeatable(renderer: Renderer) -> Iterator[str]:
    once, again = ([renderer.render(html) for html in PAGES] for _ in range(2))
    if once != again:
        yield "equal pages do not give equal pictures and layouts"
    if len({page.png_sha256 for page in once}) != len(PAGES):
        yield "pages that differ give equal pictures"


def _looks(renderer: Renderer) -> Iterator[str]:
    plain = "<style>p{{color:red}}</style>{}<p>x"
    picture = renderer.render(plain.format("")).png
    for same in ("<!-- a comment -->", "<script>document.write('y')</script>", "<meta name=a content=b>"):
        if renderer.render(plain.format(same)).png != picture:
            yield f"{same!r} changes the picture"
    for other in ("<style>p{margin-left:9px}</style>", "<noscript>y</noscript>", "<b>y</b>"):
        if renderer.render(plain.format(other)).png == picture:
            yield f"{other!r} does not change the picture"


def _isolation(renderer: Renderer) -> Iterator[str]:
    page = "<p>after <input value=x> {}"
    for number, before in enumerate(
        (
            "<meta http-equiv=Content-Security-Policy content=\"style-src 'none'\">",
            '<meta http-equiv=refresh content="0;url=about:blank">',
            "<meta name=color-scheme content=dark><style>:root{color-scheme:dark}</style>",
            "<base href='http://elsewhere.invalid/'><style>*{color:red!important}</style>",
        )
    ):
        renderer.render(f"{before}<p>{number}")
        seen = renderer.render(page.format(f"<!-- {number} -->"))
        if seen.png != renderer.render(page.format("")).png:
            yield f"{before!r} changes the next page"


def _limits(renderer: Renderer) -> Iterator[str]:
    page = renderer.render("<div style='width:99999px;height:99999px;background:red'>x")
    if _size(page.png) != (MAX_PAGE_WIDTH, MAX_PAGE_HEIGHT):
        yield f"a vast page gives {_size(page.png)} pixels, expected {(MAX_PAGE_WIDTH, MAX_PAGE_HEIGHT)}"
