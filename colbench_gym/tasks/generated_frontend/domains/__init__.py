"""The everyday domains of generated pages, read from the text files beside this module.

A domain is a paragraph: ``# key``, then lines ``field: part | part``, where a part of a pair is ``title = text``.
Numbers in figures stand as ``12/18/24``: each branch of a business takes one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files

Pair = tuple[str, ...]
_PAIRS = ("items", "steps", "figures", "questions", "news", "events")


@dataclass(frozen=True)
class Domain:
    """One kind of business or organisation, with all that its pages may say.

    Attributes:
        key: its name, such as ``bakery``.
        called: what a person calls it in a request.
        nouns: the last word of composed names.
        headlines, leads: of the opening.
        actions: of buttons.
        offer: titles of the section that lists what there is.
        items: what there is: title and sentence.
        prices: the least and the most that an item costs, and in which unit.
        about: sentences about the business.
        quotes: what customers say.
        steps: how it works: title and sentence.
        figures: numbers with alternatives, and what they count.
        questions: question and answer.
        news: title and sentence.
        roles: of the people who work there.
        points: short phrases on what is good about it.
        plans: the names of three offers of rising price.
        aims: what the page should achieve, in vague words of the request.
        things, people: what a request calls the items, and those who come.
        mood: a list of ``voice.txt``, from which a request takes what the page should be like.
        without: kinds of section that such a page never has.
    """

    key: str
    called: tuple[str, ...]
    nouns: tuple[str, ...]
    headlines: tuple[str, ...]
    leads: tuple[str, ...]
    actions: tuple[str, ...]
    offer: tuple[str, ...]
    items: tuple[Pair, ...]
    prices: tuple[str, ...]
    about: tuple[str, ...]
    quotes: tuple[str, ...]
    steps: tuple[Pair, ...]
    figures: tuple[Pair, ...]
    questions: tuple[Pair, ...]
    news: tuple[Pair, ...]
    roles: tuple[str, ...]
    points: tuple[str, ...]
    plans: tuple[str, ...]
    aims: tuple[str, ...]
    things: tuple[str, ...]
    people: tuple[str, ...]
    mood: tuple[str, ...]
    without: tuple[str, ...]

    def __hash__(self) -> int:
        return hash(self.key)


def read_domain(paragraph: str) -> Domain:
    """Read one domain.

    Raises:
        ValueError: a field is missing or unknown.
    """
    first, *lines = paragraph.strip().splitlines()
    values: dict[str, tuple[object, ...]] = {}
    for line in lines:
        name, _, parts = line.partition(": ")
        values[name] = tuple(
            tuple(side.strip() for side in part.split(" = ")) if name in _PAIRS else part.strip()
            for part in parts.split(" | ")
        )
    expected = {field.name for field in fields(Domain)} - {"key"}
    if values.keys() != expected:
        raise ValueError(f"got {sorted(values.keys() ^ expected)} of {first!r}; expected each field once")
    return Domain(first.removeprefix("# ").strip(), **values)  # type: ignore[arg-type]  # the types are those of the file


@lru_cache(maxsize=1)
def load_domains() -> Mapping[str, Domain]:
    """Return all domains by their keys, in the order of the files."""
    found: dict[str, Domain] = {}
    for path in sorted(files(__name__).iterdir(), key=lambda path: path.name):
        if path.name.endswith(".txt"):
            for paragraph in path.read_text(encoding="utf-8").split("\n\n"):
                if paragraph.strip():
                    domain = read_domain(paragraph)
                    found[domain.key] = domain
    return found
