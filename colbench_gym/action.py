"""Read an agent's message: what is thought, what is said, what is answered, and the code or page inside it."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from colbench_gym.rules import Rules

_PAGE_TAGS = ("html", "body")  # official protocol: the first <html>…</html>, else the first <body>…</body>
_PICTURE = re.compile(r"https?://[^\s\"'<>)]*?(\d+)[x/](\d+)[^\s\"'<>)]*")
_IMG_SRC = re.compile(r"(<img\b[^>]*?\bsrc\s*=\s*[\"'])([^\"']*)([\"'])")
_URL = re.compile(r"(url\(\s*[\"']?)(https?://[^\"')\s]*)([\"']?\s*\))")
_FENCE_START = re.compile(
    r"(?:^[ ]{0,3}|(?<=[^\s`])[ \t]*)(```+)[ \t]*(?:python3?|py)[ \t]*\r?\n|^[ ]{0,3}(```+(?!`)|~~~+(?!~))[^\n`]*\n",
    re.MULTILINE,
)


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


def extract_code(text: str) -> str:
    """The program in an answer: its first block fenced as Python, else its first fenced block, else the whole text.

    Common indentation is taken off. A fence that is never closed reaches to the end. A fence inside indented code (a
    docstring) is not one.
    """
    opening = next((o for o in _FENCE_START.finditer(text) if o.group(1)), None) or _FENCE_START.search(text)
    if opening is None:
        return textwrap.dedent(text)
    fence = opening.group(1) or opening.group(2)
    body = text[opening.end() :]
    closing = re.search(rf"^[ ]{{0,3}}{re.escape(fence)}", body, re.MULTILINE) or re.search(re.escape(fence), body)
    return textwrap.dedent(body[: closing.start()] if closing else body)


def extract_page(text: str) -> str | None:
    """The page that a frontend message proposes, or None: official protocol, with its rewriting of picture addresses.

    The first ``<html …>…</html>``, else the first ``<body …>…</body>``; tags in lower case. The address of a picture
    that names a size becomes the one stand-in picture of that size.
    """
    for tag in _PAGE_TAGS:
        start = text.find(f"<{tag}")
        end = text.find(f"</{tag}>", start) if start >= 0 else -1
        if end >= 0:
            return _IMG_SRC.sub(_stand_in, text[start : end + len(tag) + 3])
    return None


def normalise_pictures(page: str) -> str:
    """A page with the one stand-in picture, in its size, wherever a picture's address or a ``url(…)`` names a size."""
    return _URL.sub(_stand_in, _IMG_SRC.sub(_stand_in, page))


def _stand_in(match: re.Match[str]) -> str:
    sized = _PICTURE.fullmatch(match.group(2).strip())
    if sized is None or "/id/48/" in match.group(2):
        return match.group(0)
    return f"{match.group(1)}https://picsum.photos/id/48/{sized.group(1)}/{sized.group(2)}{match.group(3)}"
