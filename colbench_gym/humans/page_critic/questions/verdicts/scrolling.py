"""Areas that stay in place while a page is scrolled: no picture shows that, the wanted page's own HTML does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html.parser import HTMLParser

from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.targets import Target
from colbench_gym.humans.page_critic.questions.verdicts.presence import with_verdict
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.statements import SCROLLS, STAYS, Statement, Subject, SubjectKind

_TAGS: dict[str, SubjectKind] = {
    "header": "header", "nav": "navigation bar", "aside": "sidebar", "footer": "footer",
}  # fmt: skip
_FIXED_BACKGROUND = re.compile(r"\bbackground-attachment\s*:\s*fixed\b", re.IGNORECASE)
_STAYING = re.compile(rf"\bposition\s*:\s*(?:sticky|fixed)\b|{_FIXED_BACKGROUND.pattern}", re.IGNORECASE)
_CLASSES = frozenset(("sticky", "fixed"))  # of Tailwind CSS; of a background it is "bg-fixed"
_ASKS = re.compile(
    r"\b(?:sticky|stick(?:s|ing)?|fixed|pinned|float(?:s|ing)?)\b|\bstay(?:s|ing)?\b|\bremain(?:s|ing)?\b|"
    r"\bscroll(?:s|ed|ing)?\b"
)
_AWAY = re.compile(r"\bscrolls? (?:away|with|along)\b|\bmoves? with\b|\bdisappears?\b")
_EITHER = re.compile(r"\bor\b")


class _Staying(HTMLParser):
    """Reader of the tags of a page; `areas` stay in place, None where a style sheet of the page may decide it."""

    def __init__(self) -> None:
        super().__init__()
        self.areas: set[SubjectKind] | None = set()
        self.has_tailwind = False
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element says of its place."""
        values = {name: value or "" for name, value in attrs}
        self._in_style = tag == "style"
        self.has_tailwind |= tag in ("link", "script") and "tailwind" in (
            values.get("href", "") + values.get("src", "")
        )
        classes = set(values.get("class", "").split())
        style = values.get("style", "")
        if self.areas is None:
            return
        if tag in _TAGS and (classes & _CLASSES or _STAYING.search(style)):
            self.areas.add(_TAGS[tag])
        if "bg-fixed" in classes or _FIXED_BACKGROUND.search(style):
            self.areas.add("page background")

    def handle_data(self, data: str) -> None:
        """Give up where a style sheet keeps something in its place."""
        if self._in_style and _STAYING.search(data):
            self.areas = None


@lru_cache(maxsize=256)
def staying_areas(html: str) -> frozenset[SubjectKind] | None:
    """Return the areas of a page that stay in place while it is scrolled; None where that cannot be told."""
    reader = _Staying()
    reader.feed(html)
    reader.close()
    if reader.areas and not reader.has_tailwind:
        return None
    return None if reader.areas is None else frozenset(reader.areas)


def scrolling(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return whether an area stays in place where a question asks that; nothing for any other."""
    staying = regions.staying
    if staying is None or not _ASKS.search(question.text):
        return []
    kind = next((found for target in targets if (found := _area(target, regions))), None)
    if kind is None:
        return []
    alike: set[SubjectKind] = {"header", "navigation bar"} if kind in ("header", "navigation bar") else {kind}
    stays = bool(alike & staying)
    told = [Statement("scrolling", Subject(kind), STAYS if stays else SCROLLS)]
    if question.form != "yesno" or _EITHER.search(question.text):
        return told
    return with_verdict(told, stays != bool(_AWAY.search(question.text)))


def _area(target: Target, regions: Regions) -> SubjectKind | None:
    """Return the area that is asked for: a bar, or the background of the page."""
    if target.region is not None and target.region.kind in _TAGS.values():
        return target.region.kind
    behind = target.mention.words.startswith(("background", "backdrop"))
    backdrop = regions.backdrop is not None and target.parts == (regions.backdrop,)
    return "page background" if behind or backdrop else None
