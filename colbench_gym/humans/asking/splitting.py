"""Cut a message into its questions: numbered ones keep their number, statements stay with the question after them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from colbench_gym.humans.vocabulary import read_patterns

READ_CHARS = 2000  # of a message's start and of its end; what lies between is not read
_MAX_TAIL = 160  # characters of a statement behind a question that belongs to it
_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "‐": "-", "‑": "-", "\u00a0": " "})
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?:(?![\s)\"'”’*_]|$)|(?=['\"](?:[,:)\]}]| [a-z(])))[^.!?\n]*)*[.!?\n]*")
_SHORT_FORMS = {"i.e.": "ie", "e.g.": "eg", "vs.": "vs", "etc.)": "etc)", "approx.": "approx", "incl.": "incl"}
_SHORT = re.compile(rf"(?<![\w'\"`])(?:{'|'.join(map(re.escape, _SHORT_FORMS))})", re.I)  # a quotation keeps its own
_POINT = re.compile(
    r"(?:^|(?<=[\s:;?.!,*_(]))(?:(?:[Qq](?:uestion ?)?)?(\d{1,2}|[a-h])[.):][)*_]{0,3}|([-*•]))[ \t]+(?=\S)", re.M
)
PATTERNS = read_patterns(Path(__file__).with_name("patterns.toml"))
_BLANKS = re.compile(r"((?<!\w)(['\"`]).{0,200}?\2)|[ \t]{2,}")  # a quotation keeps its own
_FENCE = re.compile(r"```[\w+-]*\n?")


@dataclass(frozen=True)
class Piece:
    """One question as it stands in a message: see :class:`~colbench_gym.humans.asking.Question`."""

    text: str
    context: str = ""
    label: str = ""
    asks: bool = True


def plain_quotes(text: str) -> str:
    """Return a text with straight quotes and plain dashes."""
    return text.translate(_QUOTES)


def ends(message: str) -> str:
    """Return the start and the end of a message that is too long to be read; of the result the same again."""
    if len(message) <= 2 * READ_CHARS:
        return message
    return f"{message[:READ_CHARS]}\n{message[-READ_CHARS:]}"


def visible(message: str) -> str:
    """Return what is read of a message: its start and its end, without fenced code and pages."""
    message = _BLANKS.sub(lambda found: found[1] or " ", ends(message))
    return "\n".join(_FENCE.split(message)[::2])  # every second stretch between fences is code


def sentences(text: str) -> list[str]:
    """Return a text cut where sentences and lines end."""
    return [part.strip() for part in _SENTENCE.findall(text) if any(char.isalnum() for char in part)]


def pieces(message: str) -> list[Piece]:
    """Return the questions of a message in their order; all of it as one when it asks for nothing."""
    text = visible(plain_quotes(message))
    text = _SHORT.sub(lambda found: _SHORT_FORMS[found[0].lower()], text)
    found: list[Piece] = []
    listing = False
    for label, block in _blocks(text):
        own = _of_block(block, label)
        if label and not listing and found and "?" not in found[-1].text and not found[-1].text.endswith("."):
            found.pop()  # what leads to a list asks nothing: "Could you tell me:"
        listing = listing or bool(label)
        if label and own:  # a numbered point is one question, however many sentences it has
            own = [Piece(" ".join(piece.text for piece in own), own[0].context, label.strip("-"))]
        found += own
    asked = [piece for piece in found if piece.asks]
    if asked:
        return asked
    plain = " ".join(line.strip() for line in text.split("\n") if line.strip())
    return [Piece(plain)] if plain else []


def _blocks(text: str) -> list[tuple[str, str]]:
    """Return the points of a list with their labels, "-" for a bullet; what stands before them has none."""
    marks = list(_POINT.finditer(text))
    labels = [mark[1] or "" for mark in marks]
    runs = [place for place, label in enumerate(labels) if label in ("1", "a")]
    if runs and "".join(labels[runs[0] :]):
        start, kept, wanted = runs[0], [], labels[runs[0]]
        for place in range(start, len(marks)):
            if labels[place] == wanted:
                kept.append(place)
                wanted = str(int(wanted) + 1) if wanted.isdigit() else chr(ord(wanted) + 1)
    else:
        kept = [place for place, label in enumerate(labels) if not label and _starts_line(text, marks[place].start())]
    if len(kept) < 2:
        return [("", text)]
    cuts = [*(marks[place].start() for place in kept), len(text)]
    head = [("", text[: cuts[0]])]
    points = [(labels[place] or "-", text[marks[place].end() : cuts[n + 1]]) for n, place in enumerate(kept)]
    points[:-1] = [(label, block.rstrip(" ,;\n").removesuffix(" and").rstrip(",; ")) for label, block in points[:-1]]
    last = points[-1][1]
    tail = re.search(r"\n\s*\n", last)  # what stands behind the list is no part of its last point
    if tail:
        points[-1] = (points[-1][0], last[: tail.start()])
        points.append(("", last[tail.end() :]))
    return head + points


def _starts_line(text: str, place: int) -> bool:
    return not text[text.rfind("\n", 0, place) + 1 : place].strip()


def _of_block(text: str, label: str) -> list[Piece]:
    """Return the questions of a stretch of text."""
    found: list[Piece] = []
    context: list[str] = []
    for sentence in sentences(text):
        asks = PATTERNS["request"].search(sentence) is not None
        if asks and found and not context and PATTERNS["leans"].match(sentence):
            found[-1] = Piece(f"{found[-1].text} {sentence}", found[-1].context)
        elif asks:
            joined = [sentence] if label else PATTERNS["joint"].split(sentence)
            if len(joined) > 1 and not any(PATTERNS[form].search(joined[0]) for form in ("asks_first", "request")):
                joined[:2] = [f"{joined[0]}; {joined[1]}"]  # "1,000 and [2, 3]; what comes out?"
            parts = [part for each in joined if (part := each if label else each.strip(" ,;"))]
            if len(parts) > 1 and PATTERNS["of_these"].fullmatch(parts[-1]):
                parts[-2:] = [f"{parts[-2]} and {parts[-1]}"]
            found += [Piece(part, " ".join(context) if n == 0 else "") for n, part in enumerate(parts)]
            context = []
        elif not PATTERNS["polite"].match(sentence):
            context.append(sentence)
    tail = " ".join(context)
    if found and tail and len(tail) <= _MAX_TAIL:
        found[-1] = Piece(f"{found[-1].text} {tail}", found[-1].context)
    elif not found and tail:
        found = [Piece(tail, asks=bool(label))]
    return found
