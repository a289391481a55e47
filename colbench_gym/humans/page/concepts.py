"""What the wanted page has and has not: each concept of ``concepts.toml`` by a test of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.geometry import beside, rows_of
from colbench_gym.humans.page.reading import CLOSING, CONTACT, PRICE
from colbench_gym.humans.page.telling import tell
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.humans.page.words import CONCEPTS, Concept
from colbench_gym.rendering.layout import Element, TextBlock

_ICON_PX = 72.0
_TOP_PX, _LOGO_PX = 160.0, 640.0  # a picture so far up and at most so wide may be meant as a logo
_NARROW = 0.36  # of the width


def concept_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield that something is not on the page, for everything whose test says so."""
    for name, concept in CONCEPTS.items():
        if "{" not in concept.name and has(wanted, name) is False:
            kind = "no_backdrop" if name == "background_picture" else "no_concept"
            yield tell(kind, concept.about, more=absence(wanted, concept), key=name)


def is_wished(wanted: Wanted, concept: Concept) -> bool:
    """Return whether the request asks for something."""
    return concept.asked.search(wanted.request) is not None


def absence(wanted: Wanted, concept: Concept, asked: str = "") -> str:
    """Return the sentence that there is no such thing; nothing is said against what the request asks for."""
    name = concept.name.format(asked=asked)
    if is_wished(wanted, concept):
        verb = "are" if re.split(" to | of ", name)[0].endswith("s") and name != "news" else "is"
        return f"There {verb} no {name} on the page I picture."
    return f"There should be no {name}."


def has(wanted: Wanted, name: str) -> bool | None:
    """Return whether the page has something; None where its test cannot tell."""
    concept = CONCEPTS[name]
    found = _TESTS[concept.test](wanted, concept)
    return None if found is False and concept.asked.search(wanted.page.marks) else found


def _said(wanted: Wanted, concept: Concept) -> bool:
    words = " ".join([*(text.text for text in wanted.layout.texts), *(one.label for one in wanted.layout.elements)])
    return any(area.role in concept.roles for area in wanted.areas) or concept.shown.search(words) is not None


def _classes(wanted: Wanted, *starts: str) -> bool:
    return any(name.split(":")[-1].startswith(starts) for node in wanted.page.body.every() for name in node.classes)


def _tag(wanted: Wanted, *tags: str) -> bool:
    return any(node.tag in tags and node.rect is not None for node in wanted.page.body.every())


def _lie_on_pictures(wanted: Wanted, things: Iterable[TextBlock | Element]) -> bool:
    return any(wanted.on_picture(one.rect) for one in things)


def _has_narrow(wanted: Wanted) -> bool:
    """Return whether something narrow stands beside something else, so that it may be called a sidebar."""
    areas = [area for area in wanted.areas if area.kind in ("opening", "section")]
    aside = any(one.rect and two.rect and beside(one.rect, two.rect) for one, two in pairwise(areas))
    rows = [rows_of(item.node.rect for item in area.items if item.node.rect)[:1] for area in areas]
    found = [area.shares or [one.width for row in some for one in row] for area, some in zip(areas, rows, strict=True)]
    return aside or any(len(widths) == 2 and min(widths) < _NARROW * sum(widths) for widths in found)


def _repeats(wanted: Wanted) -> bool:
    return any(area.items or area.columns or area.inputs for area in wanted.areas)


def _boxes(wanted: Wanted) -> list[Element]:
    return [one for one in wanted.layout.elements if one.kind != "picture"]


_TESTS: Mapping[str, Callable[[Wanted, Concept], bool | None]] = {
    "header": lambda wanted, _: bool(wanted.header),
    "footer": lambda wanted, _: wanted.first("footer") is not None,
    "menu": lambda wanted, _: wanted.menu is not None or (None if wanted.first("menu") else False),
    "sidebar": lambda wanted, _: (
        wanted.first("sidebar") is not None or (None if _tag(wanted, "aside") or _has_narrow(wanted) else False)
    ),
    "notice": lambda wanted, _: wanted.first("notice") is not None,
    "picture": lambda wanted, _: bool(wanted.pictures),
    "logo": lambda wanted, _: (
        wanted.logo is not None
        or (None if any(one.rect.y < _TOP_PX and one.rect.width < _LOGO_PX for one in wanted.pictures) else False)
    ),
    "icon": lambda wanted, _: any(max(one.rect.width, one.rect.height) <= _ICON_PX for one in wanted.pictures),
    "button": lambda wanted, _: any(area.buttons for area in wanted.areas),
    "form": lambda wanted, _: any(one.kind == "input" for one in wanted.layout.elements),
    "search": lambda wanted, _: any("search" in one.label.lower() for one in _boxes(wanted)),
    "hamburger": lambda wanted, _: None if _classes(wanted, "hidden") or "svg" in wanted.page.source else False,
    "dropdown": lambda wanted, _: _tag(wanted, "select", "details"),
    "map": lambda wanted, _: any("map" in one.label.lower() for one in wanted.pictures) or _tag(wanted, "iframe"),
    "table": lambda wanted, _: _tag(wanted, "table"),
    "prices": lambda wanted, concept: any(PRICE.search(t.text) for t in wanted.layout.texts) or _said(wanted, concept),
    "contact": lambda wanted, _: any(CONTACT.search(text.text) for text in wanted.layout.texts),
    "copyright": lambda wanted, _: any(CLOSING.search(text.text) for text in wanted.layout.texts),
    "backdrop": lambda wanted, _: (
        _lie_on_pictures(wanted, wanted.layout.texts)
        or (None if "url(" in wanted.page.source or _lie_on_pictures(wanted, wanted.pictures) else False)
    ),
    "gradient": lambda wanted, _: "gradient" in wanted.page.source,
    "overlay": lambda wanted, _: "opacity" in wanted.page.source and bool(wanted.pictures),
    "repeats": lambda wanted, concept: (
        len(wanted.pictures) > 1
        or _repeats(wanted)
        or (None if any(concept.asked.search(text.text) for text in wanted.layout.texts) else False)
    ),
    "columns": lambda wanted, _: (
        None if _has_narrow(wanted) or "column" in wanted.page.source or _repeats(wanted) else False
    ),
    "shadow": lambda wanted, _: _classes(wanted, "shadow") or "shadow" in wanted.page.source,
    "border": lambda wanted, _: any(one.border for one in _boxes(wanted)),
    "words": _said,
    "no graphics": lambda wanted, concept: None if wanted.pictures else _said(wanted, concept),
    "never": lambda wanted, _: False,
}
