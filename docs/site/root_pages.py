"""Hook of MkDocs: pages that are files of the root, such as the changelog, and the version in every footer."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MARK = re.compile(r"\{\{ (\w+\.md) \}\}")
LINK = re.compile(r"\]\(docs/")


def on_config(config: Any, **_: Any) -> Any:  # Any: MkDocs' own
    """Put the version of the package in the footer."""
    version = runpy.run_path(str(ROOT / "colbench_gym" / "version.py"))["__version__"]
    config.copyright = f"colbench-gym {version}. {config.copyright}"
    return config


def on_page_markdown(markdown: str, **_: Any) -> str:  # Any: what MkDocs hands to hooks
    """Put the file in the place of its mark, with its links as seen from docs."""
    return MARK.sub(lambda mark: LINK.sub("](", (ROOT / mark[1]).read_text(encoding="utf-8")), markdown)
