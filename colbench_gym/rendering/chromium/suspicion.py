"""Tell the pages that could look different when they are rendered again."""

from __future__ import annotations

import re

from colbench_gym.rendering.character_references import unescape

# Animations of documents and frames are stopped, and random() is switched off. Left are those within a picture in a
# data: address, which nothing outside can stop; more frames than are looked at; and all that is written in escapes.
_MAY_MOVE = re.compile(
    r"image/svg|\\[0-9a-f]|<i?frame|<animate|<set\b|<marquee|shadowrootmode|random\(|@keyframes|details-content"
)


def may_differ(html: str) -> bool:
    """Return whether the page should be rendered twice to see if it looks the same. Cheap and generous."""
    text = unescape(html) if "&" in html else html
    return _MAY_MOVE.search(text.lower()) is not None
