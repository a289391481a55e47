"""A Renderer without a browser, for tests: a page is its texts, on a colour that the hash of its HTML decides."""

from __future__ import annotations

import hashlib
import re
import struct
import zlib
from collections.abc import Mapping
from functools import lru_cache

from colbench_gym.rendering import MAX_HTML_BYTES, VIEWPORT_HEIGHT, VIEWPORT_WIDTH, RenderedPage
from colbench_gym.rendering.character_references import unescape
from colbench_gym.rendering.layout import Color, Layout, Rect, TextBlock

_SILENT = re.compile(r"<(style|script|title)\b.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^>]*(?:>|\Z)")
_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)
_LINE_PX = 24
_CHAR_PX = 8


class ScriptedRenderer:
    """A Renderer that starts no browser: equal HTML gives equal pictures, other HTML almost surely gives others.

    The picture has one colour. The layout is a list of the page's texts, so that similarities and scripted humans have
    something to compare; nothing of a page's design is in it, so no score of it means anything.
    """

    versions: Mapping[str, str] = {"browser": "scripted 1", "fonts": "none", "assets": "none"}

    def __repr__(self) -> str:
        return "ScriptedRenderer()"

    def render(self, html: str) -> RenderedPage:
        """Render one page; the only thing that it can do wrong is to be too large."""
        data = html.encode("utf-8", "replace")
        if len(data) > MAX_HTML_BYTES:
            return RenderedPage("too_large")
        red, green, blue = hashlib.sha256(data).digest()[:3]
        background = red, green, blue
        return RenderedPage("rendered", _plain_png(background), _layout(html, background))

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _layout(html: str, background: Color) -> Layout:
    lines = (" ".join(unescape(text).split()) for text in _TAG.split(_SILENT.sub(" ", html)))
    texts = tuple(
        TextBlock(
            text=line,
            rect=Rect(0.0, float(line_number * _LINE_PX), float(len(line) * _CHAR_PX), float(_LINE_PX)),
            color=_BLACK if sum(background) > sum(_WHITE) // 2 else _WHITE,
            background=background,
            font_px=16.0,
            bold=False,
            align="left",
            role="text",
        )
        for line_number, line in enumerate(filter(None, lines))
    )
    return Layout(float(VIEWPORT_WIDTH), float(VIEWPORT_HEIGHT), background, texts, ())


@lru_cache(maxsize=256)
def _plain_png(color: Color) -> bytes:
    """Return a PNG of the viewport's size in one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", VIEWPORT_WIDTH, VIEWPORT_HEIGHT, 8, 2, 0, 0, 0)  # 8 bits a channel, RGB
    rows = (b"\x00" + bytes(color) * VIEWPORT_WIDTH) * VIEWPORT_HEIGHT
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
