"""Small words: names, constants and listings as a person would say them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

MAX_RUN = 9  # text tokens that a quotation or listing may hold before other words break it up
_TOKEN = re.compile(r"\w+|[^\w\s]")
_BEHIND_NOUN = re.compile(" (?:of|for|in|under|with|divided|plus|minus|times) ")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NAMED_TEXTS = {"": "an empty string", " ": '" " (a space)', "\n": 'a line break ("\\n")', "\t": 'a tab ("\\t")'}
_UNITS = frozenset(("kg", "km", "cm", "mm", "mg", "ml", "kmh", "mph", "usd", "eur"))  # at the end of a name
_FLAG_STARTS = frozenset(["is", "has", "did", "was", "are", "should", "can", "use", "include", "allow"])
_DETERMINERS = ("the ", "a ", "an ", "its ", "my ", "our ", "your ", "their ")


def name_words(name: str) -> str:
    """An identifier as words: ``user_height`` and ``userHeight`` are "user height"."""
    words = _CAMEL.sub(" ", name).replace("_", " ").split() or ["unused value"]
    if len(words) > 1 and words[0] == "num" and words[1] != "to":
        words[:1] = ["number", "of"]
    if len(words) > 1 and words[-1] in _UNITS and words[-2] not in ("in", "per", "of", "to", "from", "max", "min"):
        words.insert(-1, "in")
    return " ".join(word if word.isupper() and len(word) > 1 else word[0].lower() + word[1:] for word in words)


def the(name: str) -> str:
    """An identifier as the subject of a sentence: "the user height"; single letters stay bare."""
    words = name_words(name)
    start, _, rest = words.partition(" ")
    if rest and start in _FLAG_STARTS:
        return f"the {(rest if start in ('is', 'has', 'did') else words).replace(' ', '-')} flag"
    return words if len(words) == 1 or words.startswith(_DETERMINERS) else f"the {words}"


def is_plural(subject: str) -> bool:
    """Return whether "are" fits the subject better than "is"."""
    last = _BEHIND_NOUN.split(subject)[0].rpartition(" ")[2].lower()
    return (
        subject.startswith("the ")
        and last.isalpha()
        and len(last) > 3
        and last.endswith("s")
        and not last.endswith(("ss", "us", "is"))
    )


def be(subject: str) -> str:
    """The verb after a subject."""
    return "are" if is_plural(subject) else "is"


def have(subject: str) -> str:
    """The verb after a subject."""
    return "have" if is_plural(subject) else "has"


def owned(owner: str, entry: str) -> str:
    """Return an entry as a part of what it belongs to: the player's "videos"."""
    if owner[:1] == "(" or " of " in owner or " in " in owner or '"' in owner:
        return f"the {entry} entry of {owner}"
    return f"{owner}'{'' if owner.endswith('s') else 's'} {entry}"


def quoted(text: str, source: str) -> str:
    """A string constant between quote marks other than those of the source, long ones in pieces."""
    if text in _NAMED_TEXTS:
        return _NAMED_TEXTS[text]
    return " followed by ".join(_between_marks(_shown(piece), source) for piece in _pieces(text))


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _pieces(text: str) -> list[str]:
    """Parts of at most MAX_RUN + 1 tokens each, and with at most one end of a sentence each."""
    ends = [match.end() for match in _TOKEN.finditer(text)]
    if len(ends) <= MAX_RUN + 1:
        return [text]
    count = -(-len(ends) // MAX_RUN)
    size = -(-len(ends) // count)
    cuts = [0, *ends[size - 1 : -1 : size], len(text)]
    return [text[start:end] for start, end in itertools.pairwise(cuts) if text[start:end]]


def _between_marks(text: str, source: str) -> str:
    for opening, closing in (('"', '"'), ("'", "'"), ("“", "”")):
        if closing not in text and f"{opening}{text}{closing}" not in source:
            return f"{opening}{text}{closing}"
    return f"“{text}”"


def slice_words(owner: str, lower: str, upper: str, step: str) -> str:
    """Return which part of something a slice is; its ends are words, empty where it has none."""
    if step == "-1" and not lower and not upper:
        return f"{owner} reversed"
    if lower == "1" and not upper and not step:
        return f"{owner} without its first item"
    if upper and not lower and not step and not upper.startswith(("-", "minus ")):
        return f"the first {upper} items of {owner}"
    start = f"from index {lower} " if lower else "from the start "
    end = f"up to but not including index {upper}" if upper else "to the end"
    return f"the part of {owner} {start}{end}{f' in steps of {step}' if step else ''}"


def constant(value: object, source: str) -> str:
    """Any constant of the syntax tree."""
    if isinstance(value, str):
        return quoted(value, source)
    return "an ellipsis" if value is ... else repr(value)


def listing(items: Sequence[str], last: str = "and") -> str:
    """Items as a person enumerates them, never many in a row that look like code."""
    if not items:
        return "nothing"
    text = items[0]
    run = _run(items[0])
    for position, item in enumerate(items[1:], start=1):
        joint = ", "
        run = run + 1 + _run(item) if _run(item) else 0
        if position == len(items) - 1:
            joint = f" {last} "
        elif run > MAX_RUN:
            joint, run = f", {'then' if last == 'and' else last} ", _run(item)
        text += joint + item
    return text


def _run(text: str) -> int:
    """Tokens that could continue a run of code; quote marks differ from the code's and end it."""
    return 0 if text[:1] in "\"'“" else len(_TOKEN.findall(text))
