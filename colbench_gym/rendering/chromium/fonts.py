"""A hash of the fonts that a page can be set in: with other fonts the same page has other pixels."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
_LIST_S = 30.0
_GENERIC = ("sans-serif", "serif", "monospace", "cursive", "fantasy", "system-ui", "emoji")
_FONT = re.compile(r"\bfont(?:-family)?\s*:[^;{}<>]*")
_NAME = re.compile(r"(?<![\w\"'-])(?:sans-)?serif(?![\w-])")
_FORMAT = "%{file|basename} %{family} %{style} %{fontversion}\n"


def fonts_digest() -> str:
    """Hash the fonts that are installed, and those that the generic families stand for.

    Fonts of the user are left out: browsers do not see the user's home.
    """
    try:
        lines = _ask("fc-list", "--format", _FORMAT).splitlines()
        names = [_ask("fc-match", family, "--format", _FORMAT) for family in _GENERIC]
    except (OSError, subprocess.SubprocessError):
        files = (path for folder in _FOLDERS for path in Path(folder).rglob("*") if path.is_file())
        lines, names = [f"{path.name} {path.stat().st_size}" for path in files], []
    return hashlib.sha256("\n".join([*sorted(lines), *names]).encode()).hexdigest()[:16]


def system_families() -> dict[str, str]:
    """Return what the system sets its generic families in, as Firefox does and Chromium does not; empty if unknown."""
    try:
        return {name: _ask("fc-match", name, "--format", "%{family[0]}") for name in ("serif", "sans-serif")}
    except (OSError, subprocess.SubprocessError):
        return {}


def with_families(html: str, families: Mapping[str, str]) -> str:
    """Name a page's generic families in its styles by what they are set in."""
    return _FONT.sub(lambda font: _NAME.sub(lambda name: f"{families.get(name[0], name[0])}, {name[0]}", font[0]), html)


def _ask(*command: str) -> str:
    environment = {"HOME": "/nonexistent", "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=_LIST_S, check=True)
    return done.stdout.decode("utf-8", "replace")
