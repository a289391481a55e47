"""Pages of the documentation, and the blocks of code in them."""

import re
import shlex
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.command import ROOT

PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "decisions" not in path.parts)

_FENCE = re.compile(
    r"(?P<before>[^\n]*\n)?^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<code>.*?)^(?P=indent)```$", re.M | re.S
)
_TITLE = re.compile(r'title="([^"]+)"')
_COMMENT = re.compile(r"\s*<!--\s*(.*?)\s*-->\s*")


@dataclass(frozen=True)
class Block:
    """One fenced block.

    Attributes:
        line: number of its first line of code, from 1.
        language: first word after the fence; "" without one.
        title: what stands above it on the page; a block whose title is a file name is that file.
        note: text of the HTML comment in the line before the fence; "" without one.
        code: its text.
    """

    line: int
    language: str
    title: str
    note: str
    code: str


def blocks(document: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a document, also those that are indented in lists, tabs and admonitions."""
    text = document.read_text(encoding="utf-8")
    for fence in _FENCE.finditer(text):
        info, comment = fence["info"].strip(), _COMMENT.fullmatch(fence["before"] or "")
        title = _TITLE.search(info)
        yield Block(
            line=text.count("\n", 0, fence.start("code")) + 1,
            language=info.split()[0] if info else "",
            title=title[1] if title else "",
            note=comment[1] if comment else "",
            code=textwrap.dedent(fence["code"]),
        )


def languages(document: Path) -> set[str]:
    """Return the languages of a document's blocks."""
    return {block.language for block in blocks(document)}


def command_lines(code: str) -> Iterator[list[str]]:
    """Yield the words of each command: continued lines joined, comments, settings of variables and ``…`` left out."""
    for line in code.replace("\\\n", " ").splitlines():
        words = [word for word in shlex.split(line, comments=True) if word != "…"]
        while words and re.match(r"[A-Z_]+=", words[0]):
            words = words[1:]
        if words:
            yield words
