"""How facts about a page are put into words: sentences of ``sentences.toml``, quotes, lists, numbers and colours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from colbench_gym.humans.facts import Fact, fact_of
from colbench_gym.humans.page.geometry import rows_of
from colbench_gym.humans.page.words import ABOUT, SENTENCES
from colbench_gym.page_language.color_names import name_of, oklab
from colbench_gym.page_language.statements import QUOTED_WORDS, quote
from colbench_gym.rendering.layout import Color, Rect, TextBlock

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ALIGNED = {"left": "aligned to the left", "center": "centred", "right": "aligned to the right", "justify": "justified"}
_PLURALS = {"person": "people", "gallery": "galleries", "entry": "entries"}
_QUOTED_WORDS, _QUOTED_CHARS = 34, 200
_MOST_NAMED = 8
_YELLOWISH = 2.0  # in OKLab: so much more yellow than red


def tell(name: str, /, *about: str | Sequence[str], **values: str | float) -> Fact:
    """Return the fact of a section of ``sentences.toml``, about names of ``about.toml`` or words of an area."""
    row = SENTENCES[name]
    words: list[str] = []
    for one in (*about, row.get("about", "")):
        parts = one.split(", ") if isinstance(one, str) else one
        for part in filter(None, parts):
            words += ABOUT.get(part, (part,)) if isinstance(one, str) else (part,)
    return fact_of(row, words, "page", values)


def said(text: str, words: int = _QUOTED_WORDS) -> str:
    """Return a text as it is quoted."""
    return f"“{quote(text, words, _QUOTED_CHARS)}”"


def listed(words: Sequence[str], most: int = _MOST_NAMED) -> str:
    """Return an enumeration; a long one ends in "and so on"."""
    if len(words) > most:
        return f"{', '.join(words[:most])} and so on"
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def quoted(texts: Iterable[str], most: int = _MOST_NAMED) -> str:
    """Return some texts, quoted and enumerated."""
    return listed([said(text, QUOTED_WORDS) for text in texts], most)


def number(count: int) -> str:
    """Return a number in words, as far as people write it so."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def several(count: int, noun: str) -> str:
    """Return a number of things."""
    return f"{number(count)} {noun if count == 1 else _PLURALS.get(noun, f'{noun}s')}"


def most_common(colors: Iterable[Color]) -> Color | None:
    """Return the colour that is there most often."""
    return next((color for color, _ in Counter(colors).most_common(1)), None)


def hued(color: Color) -> str:
    """Return the name of a colour; an orange that people may as well call yellow is golden."""
    name, lab = name_of(color), oklab(color)
    return "golden yellow" if name.endswith("orange") and lab[2] > _YELLOWISH * lab[1] else name


def alignment(texts: Iterable[TextBlock]) -> str:
    """Return how most of some texts are aligned; "" where there are none."""
    aligned = Counter(text.align for text in texts)
    return next(("mostly " * (len(aligned) > 1) + ALIGNED[align] for align, _ in aligned.most_common(1)), "")


def arranged(rects: Iterable[Rect]) -> str:
    """Return how things stand."""
    rows = rows_of(rects)
    most = max(map(len, rows), default=0)
    if most <= 1:
        return ("together", "alone", "one below the other")[min(2, len(rows))]
    if len(rows) == 1:
        return f"side by side in one row ({several(most, 'column')})"
    return f"in a grid of {several(most, 'column')} and {several(len(rows), 'row')}, {number(most)} per row"
