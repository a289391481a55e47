"""The wanted page with its areas and main parts, as those who tell of it see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from colbench_gym.humans.page.areas import Area, AreaKind, find_areas
from colbench_gym.humans.page.geometry import area_of, holds
from colbench_gym.humans.page.reading import Node, Page
from colbench_gym.humans.page.telling import said
from colbench_gym.humans.page.words import ABOUT, ROLES
from colbench_gym.page_language.statements import quote
from colbench_gym.page_language.subjects import ordinal
from colbench_gym.rendering.layout import Element, Layout, Rect, TextBlock

_BAR_PX = 220.0  # a header that is higher is more than a bar
_LOGO_PX, _LOGO_AREA = 160.0, 60_000.0  # at most so high is a logo, with so many square pixels
_MIDDLE = (0.4, 0.6)  # of the page's width: what has its middle there stands in the middle


class Wanted:
    """The wanted page with its areas, for those who tell of it."""

    def __init__(self, html: str, layout: Layout, request: str = "") -> None:
        self.request = request
        self.page = Page(html, layout)
        self.layout = self.page.layout
        self.areas = find_areas(self.page)

    def first(self, *kinds: AreaKind) -> Area | None:
        """Return the first area of some kinds."""
        return next((area for area in self.areas if area.kind in kinds), None)

    @cached_property
    def header(self) -> Area | None:
        """The bar at the top; the menu where it stands there alone."""
        return self.first("header") or (self.areas[0] if self.areas and self.areas[0].kind == "menu" else None)

    @cached_property
    def menu(self) -> tuple[Node, list[TextBlock], list[str]] | None:
        """The navigation, with its entries and the words on its buttons."""
        marked = [node for area in self.areas for node in area.every() if node.tag == "nav" and node.rect]
        header = self.header
        if not marked and header is not None and len(header.links) > 1:
            marked = list(header.nodes)
        for node in marked:
            texts = [text for one in node.every() for text in one.texts]
            entries = [text for text in texts if text.role in ("link", "button")]
            entries = entries or [text for text in texts if text.role == "text"]
            if entries := [text for text in entries if text is not self.brand]:
                pushed = {id(text) for area in self.areas for text in area.pushed}
                buttons = [text.text for text in entries if id(text) in pushed]
                return node, [text for text in entries if id(text) not in pushed], buttons
        return None

    @cached_property
    def brand(self) -> TextBlock | None:
        """The name in the bar at the top."""
        header = self.header
        if header is None:
            return None
        texts = [text for text in header.texts if text.role in ("heading", "text", "link")]
        headings = [text for text in texts if text.role == "heading"]
        nav = next((node for node in header.every() if node.tag == "nav"), None)
        inside = {id(text) for node in nav.every() for text in node.texts if text.role == "link"} if nav else set()
        outside = [text for text in texts if id(text) not in inside]
        larger = [text for text in texts[:1] if len(texts) > 1 and text.font_px > texts[1].font_px]
        return next(iter(headings or outside or larger), None)

    @cached_property
    def logo(self) -> Element | None:
        """The picture at the top that is the logo."""
        pictures = self.header.pictures if self.header else ()
        return next((one for one in pictures if one.rect.height <= _LOGO_PX and area_of(one.rect) < _LOGO_AREA), None)

    @cached_property
    def headline(self) -> TextBlock | None:
        """The largest heading, outside of sidebar and footer; the first one of several."""
        headings = [text for area in self.areas if area.kind not in ("sidebar", "footer") for text in area.headings]
        return max(headings, key=lambda text: text.font_px, default=None)

    @cached_property
    def opening(self) -> Area | None:
        """The area with the main headline, where it is more than a name in a bar."""
        for area in self.areas:
            if self.headline is not None and self.headline in area.texts:
                others = [text for text in area.texts if text.role == "text" and text is not self.headline]
                bar = area.kind in ("header", "menu") and not others and not (area.rect and area.rect.height > _BAR_PX)
                return None if bar else area
        return None

    @cached_property
    def sections(self) -> list[Area]:
        """The areas of the content, the opening not among them."""
        return [area for area in self.areas if area.kind == "section"]

    @cached_property
    def pictures(self) -> list[Element]:
        """All pictures."""
        return [element for element in self.layout.elements if element.kind == "picture"]

    def side(self, rect: Rect) -> str:
        """Return where something stands from left to right."""
        middle = (rect.x + rect.width / 2) / max(1.0, self.layout.width)
        if _MIDDLE[0] <= middle <= _MIDDLE[1]:
            return "in the middle"
        return "on the left" if middle < 0.5 else "on the right"

    def single(self, texts: Iterable[str]) -> bool:
        """Return whether each of some texts stands on the page once, so that its words name it."""
        counted_texts = Counter(quote(text.text) for text in self.layout.texts)
        return all(counted_texts[quote(text)] == 1 for text in texts)

    def on_picture(self, rect: Rect) -> Element | None:
        """Return the picture that something lies on."""
        larger = (one for one in self.pictures if one.rect.width > rect.width and one.rect.height > rect.height)
        return next((one for one in larger if holds(one.rect, rect)), None)

    def called(self, area: Area) -> str:
        """Return what an area is called in a sentence."""
        if area.kind == "notice":
            return "the notice at the very top"
        if area.kind == "opening":
            return "the hero"
        if area.kind != "section":
            return f"the {area.kind}"
        if area.title is not None:
            return said(area.title.text, 10)
        if area.headings:
            return f"the part with {said(area.headings[0].text, 5)}"
        if area.role:
            return f"the section with {ROLES[area.role].name}"
        if area.plain:
            return f"the part that begins {said(area.plain[0].text, 5)}"
        if area.pictures and not area.texts:
            return "the picture band" if len(area.pictures) == 1 else "the row of pictures"
        return f"the {ordinal(self.sections.index(area) + 1)} section"

    def words(self, area: Area) -> tuple[str, ...]:
        """Return the words that questions may use for an area."""
        role = ROLES[area.role].about if area.role and area.kind in ("section", "opening", "sidebar") else ()
        title = (area.title.text,) if area.title else tuple(heading.text for heading in area.headings)
        if area.pictures and not area.texts:
            return ("picture", "banner", "photo", "band", "hero image", "header image")
        return (*ABOUT.get(area.kind, () if area.kind == "section" else (area.kind,)), *title, *role)
