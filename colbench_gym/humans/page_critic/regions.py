"""The areas of a page that people have words for: navigation bar, header, footer, hero section, columns, cards."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from colbench_gym.humans.page.geometry import groups_of_one_look, overlap_x, overlap_y
from colbench_gym.humans.page.view import BAR_HEIGHT, BAR_WIDTH, EDGE_PX, Part, View, area
from colbench_gym.humans.page_critic.columns import bounding, inside, row_of_boxes, row_of_things
from colbench_gym.page_language.color_names import distance
from colbench_gym.page_language.statements import SubjectKind
from colbench_gym.rendering.layout import Color, Element, Rect

_CLOSING = re.compile(r"©|\bcopyright\b|\brights reserved\b", re.IGNORECASE)
CONTACT = re.compile(
    r"@|\d{3}[-. ]\d{3,4}|\b\d+ \w+ (?:st|street|road|rd|ave|avenue|lane)\b|\bphone\b|\bemail\b|"
    r"\b(?:facebook|twitter|instagram|linkedin|follow us)\b",
    re.IGNORECASE,
)
_BODY_PX, _HEADING_WORDS = 18.0, 12  # larger letters are no running text; so many words at most a heading has
_COVERED = 0.9  # of the page: a picture that is as wide and as high is its background
_MUCH_LARGER = 1.35  # times the letters of the first heading
_SMALL_PX = 160.0  # things that are higher belong to no row at the top
_APART_PX = 44.0  # of space between a footer without a ground and what stands above it, at least
_TOP_PX = 160.0  # so far down a row of links still is the navigation of a page
_LOGO_WIDTH, _LOGO_PX = 0.2, 150.0  # of the page, and pixels: a logo is at most as wide, and at most as high
_HERO_PX = 500.0  # a main heading that stands lower is in no hero section
_ICON_PX = 72.0  # at most as wide and as high is an icon
_HIGH_HEADER = 0.6  # of the page: what is higher is no header
_CONTRAST = 0.35  # in OKLab: a last bar that differs so much from the page is a footer
_SLIM_PX = 90.0  # a last bar of its own colour with a few words that is not higher is a footer
_LOW_FOOTER_PX = 110.0  # an empty bar at the end of a page that is not higher is a footer
_SIDEBAR_WIDTH = 0.36  # of the page
_BROAD_CARD = 0.985  # of the page at most: boxes below one another
_CARD_WIDTH, _CARD_HEIGHT_PX = 0.75, 40.0  # of the page at most, and pixels at least
_SAME_SIZE_PX = 12.0  # boxes of one row differ in size by at most so much


@dataclass(frozen=True)
class Region:
    """One area of a page.

    Attributes:
        kind: what a person would call it.
        rect: where it is.
        color: of its ground; None where it lies on a picture.
        box: the box that it is, if it is set off.
    """

    kind: SubjectKind
    rect: Rect
    color: Color | None
    box: Element | None = None


class Regions:
    """The named areas of one page, derived when asked for.

    `staying` are those that stay in place while it is scrolled; None where nobody knows.
    """

    def __init__(self, view: View, staying: frozenset[SubjectKind] | None = None) -> None:
        self.view = view
        self.staying = staying

    @cached_property
    def pictures(self) -> tuple[Part, ...]:
        """The pictures in reading order."""
        return tuple(part for part in self.view.things if part.kind == "picture")

    @cached_property
    def header(self) -> Region | None:
        """The bar at the top of the page, a navigation bar there, or else the row of things that stands highest."""
        layout, bar = self.view.layout, self.view.header
        if bar is not None:
            return self._region("header", bar.rect, bar)
        navigation = self.navigation
        if navigation is not None and navigation.rect.y <= EDGE_PX and self._is_wide(navigation.rect):
            return navigation
        top = [box for box in self.view.boxes if box.rect.y <= EDGE_PX and self._is_wide(box.rect)]
        top = [box for box in top if box.rect.height <= _HIGH_HEADER * layout.height]
        if top:
            return self._region("header", top[0].rect, top[0])
        small = [part.rect for part in self.view.things if part.rect.height < _SMALL_PX]
        if not small:
            return None
        row = [rect for rect in small if overlap_y(rect, small[0]) > 0]
        low = max(rect.y + rect.height for rect in row)
        if low > _HIGH_HEADER * layout.height:
            return None
        return self._region("header", Rect(0.0, 0.0, layout.width, low), None)

    @cached_property
    def navigation(self) -> Region | None:
        """The first element that is marked as navigation, or else the links in a row at the top of the page."""
        marked = [element for element in self.view.layout.elements if element.kind == "navigation"]
        if marked:
            return self._region("navigation bar", marked[0].rect, marked[0])
        top = [part for part in self.view.texts if part.kind == "link" and part.rect.y < _TOP_PX]
        row = [part for part in top if overlap_y(part.rect, top[0].rect) > 0]
        if len(row) < 2:
            return None
        around = bounding([part.rect for part in row])
        return self._region("navigation bar", around, self.view.box(row[0]))

    @cached_property
    def links(self) -> tuple[Part, ...]:
        """The links, and the buttons beside them, of the navigation bar."""
        navigation = self.navigation
        if navigation is None:
            return ()
        return tuple(
            part for part in self.view.texts if part.kind in ("link", "button") and inside(part.rect, navigation.rect)
        )

    @cached_property
    def footer(self) -> Region | None:
        """The bar that ends the page, or else its closing line."""
        bar = self.view.footer
        low = [
            box
            for box in self.view.boxes
            if self._is_wide(box.rect)
            and box.rect.height <= BAR_HEIGHT * self.view.layout.height
            and box.rect.y > EDGE_PX
            and not any(part.rect.y >= box.rect.y + box.rect.height for part in self.view.things)
        ]
        bar = bar or next((box for box in sorted(low, key=lambda box: -area(box.rect)) if self._ends(box)), None)
        if bar is not None:
            return self._region("footer", bar.rect, bar)
        return self._last_rows()

    def _last_rows(self) -> Region | None:
        """Return what ends the page without a bar: contact data, social links or a closing line."""
        layout, top = self.view.layout, self.view.layout.height
        rows = sorted(self.view.things, key=lambda part: -part.rect.y - part.rect.height)
        held: list[Part] = []
        for part in rows:
            if held and part.rect.y + part.rect.height < top - _APART_PX:
                break
            held.append(part)
            top = min(top, part.rect.y)
        ends = any(
            part.block and (_CLOSING.search(part.block.text) or CONTACT.search(part.block.text)) for part in held
        )
        if ends and top <= 0.5 * layout.height:  # nothing sets the last row off
            held = [part for part in rows if overlap_y(part.rect, rows[0].rect) > 0]
            top = min(part.rect.y for part in held)
            ends = any(part.block and CONTACT.search(part.block.text) for part in held) and len(held) > 1
        if not ends or top <= 0.5 * layout.height:
            return None
        return self._region("footer", Rect(0.0, top, layout.width, layout.height - top), None)

    def _ends(self, box: Element) -> bool:
        """Return whether a low bar holds what footers hold: a closing line, links, or nothing."""
        held = [part for part in self.view.things if inside(part.rect, box.rect) and part.element is not box]
        texts = [part for part in held if part.block]
        if not texts:
            return box.rect.height <= _LOW_FOOTER_PX
        closing = any(part.block and _CLOSING.search(part.block.text) for part in texts)
        striking = distance(box.color, self.view.layout.background) > _CONTRAST
        own = box.color != self.view.layout.background and box.rect.height <= _SLIM_PX
        small = all(part.block and len(part.block.text.split()) <= _HEADING_WORDS for part in texts)
        plain = own and small and not any(part.kind in ("heading", "button") for part in texts)
        return closing or striking or plain or sum(part.kind == "link" for part in texts) > 1

    @cached_property
    def sidebar(self) -> Region | None:
        """A narrow box at one side with links below one another, or one that is as high as the page."""
        width, height = self.view.layout.width, self.view.layout.height
        marked = [element for element in self.view.layout.elements if element.kind == "navigation"]
        for box in sorted([*self.view.boxes, *marked], key=lambda box: -area(box.rect)):
            rect = box.rect
            at_a_side = rect.x <= EDGE_PX or rect.x + rect.width >= width - EDGE_PX
            if rect.width > _SIDEBAR_WIDTH * width or not at_a_side or rect.height < 100:
                continue
            links = [part.rect for part in self.view.texts if part.kind == "link" and inside(part.rect, rect)]
            stacked = len(links) > 1 and len({round(link.y) for link in links}) == len(links)
            if stacked or (rect.height >= 0.6 * height and rect.height > 1.5 * rect.width):
                return self._region("sidebar", rect, box)
        return None

    @cached_property
    def title(self) -> Part | None:
        """The main heading: the first, unless a later one is much larger."""
        headings = self.headings
        largest = max(headings, key=lambda part: part.block.font_px if part.block else 0.0, default=None)
        if largest is None or largest.block is None or headings[0].block is None:
            return None
        return largest if largest.block.font_px >= _MUCH_LARGER * headings[0].block.font_px else headings[0]

    @cached_property
    def headings(self) -> tuple[Part, ...]:
        """The headings in reading order; where none is marked as one, the short texts in larger or bold letters."""
        marked = tuple(part for part in self.view.texts if part.kind == "heading")
        if marked:
            return marked
        sizes = sorted(part.block.font_px for part in self.view.texts if part.block)
        usual = sizes[len(sizes) // 2] if sizes else 0.0
        least = min(usual, _BODY_PX)
        return tuple(
            part
            for part in self.view.texts
            if part.kind == "text"
            and part.block
            and len(part.block.text.split()) <= _HEADING_WORDS
            and part.block.font_px > (least if part.block.bold else 1.2 * least)
        )

    @cached_property
    def brand(self) -> Part | None:
        """The name of the site: the first text of the bar at the top that stands apart from the links, or the title."""
        bars = [bar for bar in (self.navigation, self.header) if bar is not None and bar.rect.y < _HERO_PX * 2]
        return next((part for bar in bars if (part := self._name_in(bar.rect))), self.title)

    def _name_in(self, rect: Rect) -> Part | None:
        held = [part for part in self.held(rect) if part.block]
        links = [part for part in held if part.kind == "link" and part.block]
        usual = min((part.block.font_px for part in links if part.block), default=0.0)
        for part in held:
            if part.kind in ("heading", "text") or (part.kind == "link" and part.block and part.block.font_px > usual):
                return part
        return None

    @cached_property
    def backdrop(self) -> Part | None:
        """The picture that all of the page lies on."""
        layout = self.view.layout
        for part in self.pictures:
            rect = part.rect
            at_corner = rect.x <= EDGE_PX and rect.y <= EDGE_PX
            if at_corner and rect.width >= _COVERED * layout.width and rect.height >= _COVERED * layout.height:
                return part
        return None

    @cached_property
    def hero(self) -> Region | None:
        """The area around the main heading: its box or picture, or what follows it up to the next heading."""
        title = self.title
        if title is None or title.rect.y > _HERO_PX:
            opening = next(
                (part for part in self.pictures if part.rect.y < _HERO_PX and self._is_wide(part.rect)), None
            )
            return Region("hero section", opening.rect, None) if opening else None
        box = self.view.box(title)
        if box is not None and box.rect.height < 0.9 * self.view.layout.height and not self._is_bar(box):
            return self._region("hero section", box.rect, box)
        behind = self.behind(title.rect)
        if behind is not None:
            return Region("hero section", behind.rect, None)
        below = [part.rect for part in self.view.things if part.place > title.place]
        ends = [part.rect.y for part in self.view.texts if part.place > title.place and part.kind == "heading"
                and part.rect.y > title.rect.y + 2 * title.rect.height]  # fmt: skip
        end = min([*ends, self.footer.rect.y if self.footer else self.view.layout.height])
        return self._region("hero section", bounding([title.rect, *(rect for rect in below if rect.y < end)]), None)

    @cached_property
    def subtitle(self) -> Part | None:
        """The text that follows the main heading."""
        title = self.title
        if title is None:
            return None
        after = [part for part in self.view.texts if part.place > title.place and overlap_x(part.rect, title.rect) > 0]
        return next((part for part in after if part.kind in ("text", "heading")), None)

    @cached_property
    def logo(self) -> Part | None:
        """A small picture at the top of the page."""
        header, most = self.header, _LOGO_WIDTH * self.view.layout.width
        for part in self.pictures:
            low = part.rect.width <= most and part.rect.height <= _LOGO_PX
            called = bool(part.element and "logo" in part.element.label.lower()) and part.rect.width <= 2 * most
            if called or (low and header is not None and inside(part.rect, header.rect)):
                return part
        return None

    @cached_property
    def icons(self) -> tuple[Part, ...]:
        """Pictures that are no larger than an icon, but for the logo."""
        small = [part for part in self.pictures if max(part.rect.width, part.rect.height) <= _ICON_PX]
        return tuple(part for part in small if part is not self.logo)

    @cached_property
    def inputs(self) -> tuple[Part, ...]:
        """The inputs in reading order."""
        return tuple(part for part in self.view.things if part.kind == "input")

    @cached_property
    def form(self) -> Region | None:
        """The area of the inputs."""
        if not self.inputs:
            return None
        return self._region("form", bounding([part.rect for part in self.inputs]), None)

    @cached_property
    def columns(self) -> tuple[Region, ...]:
        """The columns of the page's content, from left to right; none where all stands in one."""
        boxes = row_of_boxes(self.view)
        if len(boxes) < 2:
            low = BAR_HEIGHT * self.view.layout.height
            bars = [bar.rect for bar in (self.header, self.navigation) if bar and bar.box and self._is_wide(bar.rect)]
            top = max((bar.y + bar.height for bar in bars if bar.height < low), default=0.0)
            bottom = self.footer.rect.y if self.footer else self.view.layout.height
            boxes = row_of_things(self.view, top, bottom, self.logo)
        kinds = _COLUMN_KINDS.get(len(boxes))
        if kinds is None:
            return tuple(Region("quote", rect, None, box) for rect, box in boxes) if len(boxes) > 1 else ()
        return tuple(self._region(kind, rect, box) for kind, (rect, box) in zip(kinds, boxes, strict=True))

    @cached_property
    def cards(self) -> tuple[Element, ...]:
        """Boxes of one width that hold texts and are no bars, most of them first."""
        rows: dict[int, list[Element]] = {}
        for box in self.view.boxes:
            texts = [part for part in self.view.texts if part.kind in ("heading", "text")]
            held = any(inside(part.rect, box.rect) for part in texts)
            wide = box.rect.width > _BROAD_CARD * self.view.layout.width
            if held and not wide and box.rect.height >= _CARD_HEIGHT_PX and not self._is_bar(box):
                rows.setdefault(round(box.rect.width / _SAME_SIZE_PX), []).append(box)
        most: list[Element] = []
        for row in rows.values():
            narrow = row[0].rect.width <= _CARD_WIDTH * self.view.layout.width
            if len(row) > len(most) and (narrow or len(row) > 1):
                most = row
        return tuple(most)

    @cached_property
    def panels(self) -> tuple[Element, ...]:
        """Boxes that hold texts and are no bars, where there are no cards."""
        texts = [part for part in self.view.texts if part.kind in ("heading", "text")]
        bars = [bar.box for bar in (self.header, self.footer, self.sidebar) if bar is not None]
        return tuple(
            box
            for box in self.view.boxes
            if box not in bars and box.rect.height >= _CARD_HEIGHT_PX and any(inside(p.rect, box.rect) for p in texts)
        )[:1]

    @cached_property
    def groups(self) -> list[list[Part]]:
        """Texts of one look side by side, as the headings of cards without boxes are."""
        return groups_of_one_look(self.view.texts)

    def under(self, heading: Part) -> tuple[Part, ...]:
        """Return the texts below a heading, up to the next one."""
        below = [
            part
            for part in self.view.texts
            if part.rect.y >= heading.rect.y + heading.rect.height - 2
            and (overlap_x(part.rect, heading.rect) > 0 or abs(part.rect.x - heading.rect.x) < 60)
        ]
        end = min((part.rect.y for part in below if part in self.headings), default=self.view.layout.height)
        if self.footer is not None and heading.rect.y < self.footer.rect.y:
            end = min(end, self.footer.rect.y)
        return tuple(part for part in below if part.rect.y < end)

    def behind(self, rect: Rect) -> Part | None:
        """Return the picture that something lies on, unless a box of its own colour lies between."""
        for part in self.pictures:
            if area(part.rect) > 1.5 * area(rect) and inside(rect, part.rect) and not self._covered(rect, part):
                return part
        return None

    def _covered(self, rect: Rect, picture: Part) -> bool:
        return any(
            inside(rect, box.rect) and inside(box.rect, picture.rect) and area(box.rect) < 0.8 * area(picture.rect)
            for box in self.view.boxes
            if box.rect != rect and (box.color != self.view.layout.background or box.rect in self.view.painted)
        )

    def held(self, rect: Rect) -> tuple[Part, ...]:
        """Return the things inside an area, in reading order."""
        return tuple(
            part
            for part in self.view.things
            if inside(part.rect, rect) and (part.rect != rect or part.block or part.kind in ("picture", "input"))
        )

    def _region(self, kind: SubjectKind, rect: Rect, box: Element | None) -> Region:
        if box is not None and (box.color != self.view.layout.background or box.rect in self.view.painted):
            return Region(kind, rect, box.color, box)
        return Region(kind, rect, None if self.behind(rect) else self._ground(rect), box)

    def _ground(self, rect: Rect) -> Color:
        around = [box for box in self.view.boxes if inside(rect, box.rect)]
        return min(around, key=lambda box: area(box.rect)).color if around else self.view.layout.background

    def _is_wide(self, rect: Rect) -> bool:
        return rect.width >= BAR_WIDTH * self.view.layout.width

    def _is_bar(self, box: Element) -> bool:
        return box is self.view.header or box is self.view.footer


_COLUMN_KINDS: dict[int, tuple[SubjectKind, ...]] = {
    2: ("left column", "right column"),
    3: ("left column", "middle column", "right column"),
}
