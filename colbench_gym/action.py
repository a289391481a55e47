"""Read an agent's message: what is thought, what is said, what is answered, and the code or page inside it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from colbench_gym.rules import Rules

MAX_ADDRESS_CHARS = 2048  # ours: of a picture; a longer address is left as it is
MAX_FENCED_BLOCKS = 50  # ours: looking for the end of one can read the whole text
_PAGE_TAGS = ("html", "body")  # official protocol: the first <html>…</html>, else the first <body>…</body>
_ADDRESS = re.compile(r"https?://([^\s\"'<>)]*)")
_SIZE = re.compile(r"(?<!\d)(\d+)x(\d+)(?!\d)")  # as in random/300x200, at any host
_LAST_SEGMENTS = re.compile(r"/(\d+)/(\d+)(?:\.\w+)?/?(?:[?#]|$)")  # as in id/237/200/300.jpg; dates precede names
_IMG_PIECE = re.compile(r"(<img\b)|(>)|\bsrc\s*=\s*[\"']")  # what begins a tag, ends it, or stands before an address
_PICTURE = "https://picsum.photos/id/48/{}/{}"  # official protocol: the one picture, by its width and height
_OFFICIAL = re.compile(  # official protocol: all that is rewritten
    r"https://(?:picsum[.]photos/(\d+)/(\d+)|source[.]unsplash[.]com/random/(\d+)x(\d+)/[?][=\w]+)"
)
_QUOTE = re.compile(r"[\"']")
_BYTE_ORDER_MARK = "\ufeff"
_FENCE_START = re.compile(
    r"(?:^[ ]{0,3}|(?<=[^\s`])[ \t]*)(```+)[ \t]*(?:python3?|py)[ \t]*\r?\n|^[ ]{0,3}(```+(?!`)|~~~+(?!~))[^\n`]*\n",
    re.MULTILINE,
)
_FENCE_ENDS = {mark: re.compile(rf"^[ ]{{0,3}}({re.escape(mark)}{{3,}})", re.MULTILINE) for mark in "`~"}


@dataclass(frozen=True)
class Action:
    """One agent message, taken apart.

    Attributes:
        speech: what both seats see.
        answer: the answer in it, or None when the message does not answer.
        output: the message up to the second thinking marker, as the official dialogue keeps it.
        thought: what stood before the first thinking marker; hidden from both seats.
    """

    speech: str
    answer: str | None
    output: str
    thought: str


def parse_action(text: str, rules: Rules) -> Action:
    """Split a message by the two markers of ``rules``; never fails on any text."""
    parts = text.split(rules.thinking_marker)
    if len(parts) > 1:
        thought, speech = parts[0], parts[1]
        output = rules.thinking_marker.join(parts[:2])
    else:
        thought, speech, output = "", text, text
    pieces = speech.split(rules.answer_marker)
    return Action(speech=speech, answer=pieces[1] if len(pieces) > 1 else None, output=output, thought=thought)


@dataclass(frozen=True)
class FencedBlock:
    """One fenced block of Markdown: its text, and whether its fence says Python."""

    text: str
    python: bool


def fenced_blocks(text: str) -> list[FencedBlock]:
    """Return the first :data:`MAX_FENCED_BLOCKS` fenced blocks of a text, in their order.

    A fence that is never closed reaches to the end. A fence inside indented code (a docstring) is not one.
    """
    blocks: list[FencedBlock] = []
    position = 0
    while len(blocks) < MAX_FENCED_BLOCKS and (opening := _FENCE_START.search(text, position)):
        fence = opening.group(1) or opening.group(2)
        start = opening.end()
        closing = _FENCE_ENDS[fence[0]].search(text, start)
        while closing and len(closing.group(1)) < len(fence):
            closing = _FENCE_ENDS[fence[0]].search(text, closing.end())
        end = closing.start() if closing else text.find(fence, start)
        blocks.append(FencedBlock(text[start : end if end >= 0 else None], opening.group(1) is not None))
        if end < 0:
            break
        position = closing.end() if closing else end + len(fence)
    return blocks


def extract_code(text: str) -> str:
    """Return the program in an answer: its first block fenced as Python, else its first fenced block, else all of it.

    Common indentation and a byte order mark before the first line are taken off.
    """
    blocks = fenced_blocks(text)
    chosen = next((block for block in blocks if block.python), blocks[0] if blocks else None)
    return unindent_program(text if chosen is None else chosen.text)


def unindent_program(text: str) -> str:
    """Return a program without common indentation, and without a byte order mark before its first line."""
    before, mark, after = text.partition(_BYTE_ORDER_MARK)
    return textwrap.dedent(after if mark and not before.strip() else text)


def extract_page(text: str, official: bool = False) -> str | None:
    """Return the page that a frontend message proposes, or None: official protocol, but for its picture addresses.

    The first ``<html …>…</html>``, else the first ``<body …>…</body>``; tags in lower case.

    Args:
        text: a message.
        official: rewrite picture addresses as :func:`official_addresses`. If not, each ``src`` of an ``<img>`` that
            names a size, at any host, becomes the one stand-in picture of that size.
    """
    for tag in _PAGE_TAGS:
        start = text.find(f"<{tag}")
        opened = text.find(">", start) if start >= 0 else -1
        end = text.find(f"</{tag}>", opened) if opened >= 0 else -1
        if end >= 0:
            page = text[start : end + len(tag) + 3]
            return official_addresses(page) if official else _with_stand_ins(page)
    return None


def official_addresses(text: str) -> str:
    """Return a text in which the two addresses that the official code knows are the one stand-in picture's.

    They are found wherever they stand, and what follows one stays, as do all other addresses.
    """
    return _OFFICIAL.sub(lambda named: _PICTURE.format(*filter(None, named.groups())), text)


def _with_stand_ins(page: str) -> str:
    """Put the stand-in picture in the place of each address that names a size, in linear time."""
    pieces, end = [], 0
    for start, stop in _img_addresses(page):
        pieces += [page[end:start], _stand_in(page[start:stop])]
        end = stop
    return "".join([*pieces, page[end:]])


def _img_addresses(page: str) -> Iterator[tuple[int, int]]:
    """Find each ``src`` of an ``<img``: the first one in the tag, to the next quote of either kind."""
    position, in_tag = 0, False
    while piece := _IMG_PIECE.search(page, position):
        position = piece.end()
        if piece.group(1):
            in_tag = True
        elif piece.group(2):
            in_tag = False
        elif in_tag:
            quote = _QUOTE.search(page, position)
            if quote is None:
                return
            yield position, quote.start()
            position, in_tag = quote.end(), False


def _stand_in(address: str) -> str:
    """Return the stand-in picture of the size that an address names, else the address."""
    if len(address) > MAX_ADDRESS_CHARS or "/id/48/" in address:
        return address
    parts = _ADDRESS.fullmatch(address.strip())
    size = (_LAST_SEGMENTS.search(parts.group(1)) or _SIZE.search(parts.group(1))) if parts else None
    return _PICTURE.format(*size.groups()) if size else address
