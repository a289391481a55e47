"""Hook of MkDocs: pages that are files of the root, such as the changelog, with their links as seen from docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MARK = re.compile(r"\{\{ (\w+\.md) \}\}")
LINK = re.compile(r"\]\(docs/")


def on_page_markdown(markdown: str, **_: Any) -> str:  # Any: what MkDocs hands to hooks
    """Put the file in the place of its mark."""
    return MARK.sub(lambda mark: LINK.sub("](", (ROOT / mark[1]).read_text(encoding="utf-8")), markdown)
