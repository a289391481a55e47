"""What a person's statements change about the plan of a generated page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from colbench_gym.humans.color_names import NAMES, distance, name_of
from colbench_gym.humans.page_statements import SHARES, Statement, Subject
from colbench_gym.policies.site_words import Spot, spot_of
from colbench_gym.tasks.page_choices import GRIDS, Plan
from colbench_gym.tasks.page_model import Corners, SectionKind
from colbench_gym.tasks.page_palettes import ACCENTS, DEPTHS, GROUNDS, RGB, palette
from colbench_gym.tasks.page_words import Site

FIRST_GUESS = Plan(  # what is right most often, or costs least where it is wrong
    accent="blue",
    depth="bright",
    ground="white",
    header="plain",
    hero="picture right",
    headline=0,
    button="filled",
    sections=("cards", "story"),
    titles=0,
    cards=3,
    columns=3,
    pictures=False,
    corners="rounded",
    align="left",
    footer="dark",
)
_CORNERS: dict[str, Corners] = {
    "square": "square",
    "slightly rounded": "rounded",
    "rounded": "rounded",
    "strongly rounded": "round",
    "fully round": "round",
}
_FAR = 60  # pixels: a shift that no other text's length explains
_PALE = {"white", "very pale grey", "pale grey"}
_CARDS = sorted({cards for (cards, _), _ in GRIDS})


@dataclass
class SiteDraft:
    """A page of a known site as it was understood so far; statements change its ``plan``."""

    site: Site
    name: str
    plan: Plan = FIRST_GUESS

    def revise(self, statements: Iterable[Statement]) -> None:
        """Change the plan as the statements ask; those that say nothing about it are passed over."""
        said = list(statements)
        # what colours mean depends on the ground, and what is told to go may be there under another title
        said.sort(key=lambda one: (not _about_page(one), one.kind == "unwanted"))
        self._renamed = {
            spot.part for one in said if one.kind in ("missing", "wording") and (spot := self._wanted_title(one))
        }
        for statement in said:
            change = getattr(self, f"_{statement.kind}", None)
            if change is not None:
                change(statement)
        self._settle_grid()

    # what is there

    def _missing(self, said: Statement) -> None:
        subject = said.subject or Subject("page")
        if subject.kind == "picture":
            self._add_picture(said)
            return
        spot, other = self._spot(subject), self._spot(said.other)
        if spot is None:
            return
        if subject.kind in ("box around", "background behind", "blank box"):
            if spot.part == "opening" and spot.role != "button":
                self._set(hero="banner")
            return
        if spot.role == "button":
            self._place_button(other)
        elif spot.part == "footer":
            self._set(footer=self.plan.footer or "dark")
        elif spot.part == "header":
            if other is not None and (other.part in (*self.plan.sections, "footer") or said.wanted == "below"):
                if other.part != "header" or self.plan.footer:
                    self._set(footer="columns")
        elif spot.role == "headline":
            self._set(headline=spot.index)
        elif spot.part != "opening":
            self._add_section(spot, said, other)

    def _unwanted(self, said: Statement) -> None:
        subject = said.subject or Subject("page")
        if subject.kind == "picture":
            self._drop_picture(subject.ordinal)
            return
        spot = self._spot(subject)
        if spot is None:
            return
        if subject.kind in ("box around", "background behind"):
            if spot.part == "opening" and spot.role != "button":
                self._set(hero="plain" if self.plan.hero == "banner" else self.plan.hero)
        elif spot.role == "button":
            self._set(button=None)
        elif spot.part == "footer":
            self._set(footer=None)
        elif spot.part == "header":
            if self.plan.footer == "columns":
                self._set(footer="dark")
        elif spot.part == "cards" and spot.role == "item":
            self._set(cards=max((n for n in _CARDS if n <= spot.index), default=_CARDS[0]))
        elif spot.role == "title" and spot.part != "cards" and spot.part not in self._renamed:
            self._set(sections=tuple(kind for kind in self.plan.sections if kind != spot.part))

    def _wording(self, said: Statement) -> None:
        spot = self._find(said.wanted)
        if spot is None:
            return
        if spot.role == "headline":
            self._set(headline=spot.index)
        elif spot.role == "title":
            old = self._find(said.got)
            if old is not None and old.part != spot.part and old.part in self.plan.sections:
                self._exchange(old.part, spot.part)
            self._set(titles=spot.index)
        elif spot.part not in ("header", "opening", "footer") and spot.part not in self.plan.sections:
            old = self._find(said.got)
            if old is not None and old.part in self.plan.sections and old.part != "cards":
                self._exchange(old.part, spot.part)

    def _order(self, said: Statement) -> None:
        found = [spot for item in said.items if (spot := self._spot(item))]
        kinds = [spot.part for spot in found if spot.role == "title"]
        if "cards" in kinds:
            self._set(sections=tuple(dict.fromkeys(kinds)))
        for spot in found:
            if spot.role == "title":
                self._set(titles=spot.index)
            elif spot.role == "headline":
                self._set(headline=spot.index)

    def _add_section(self, spot: Spot, said: Statement, other: Spot | None) -> None:
        if spot.role == "title":
            self._set(titles=spot.index)
        if spot.part not in self.plan.sections:
            at = len(self.plan.sections)
            if other is not None and other.part in self.plan.sections:
                at = self.plan.sections.index(_kind(other.part)) + (said.wanted != "above")
            elif other is not None and other.part in ("header", "opening") or said.wanted == "at the top":
                at = 0
            kinds = list(self.plan.sections)
            kinds.insert(at, _kind(spot.part))
            self._set(sections=tuple(kinds))
        if spot.part == "cards" and spot.role == "item":
            if spot.index >= self.plan.cards:
                self._set(cards=min(n for n in _CARDS if n > spot.index))
            if other is not None and other.part == "cards" and other.role == "item":
                self._beside(spot.index, other.index, said.wanted)

    def _exchange(self, old: str, new: str) -> None:
        kinds = [kind for kind in self.plan.sections if kind != new]
        if old == "cards" or old not in kinds:
            return
        kinds[kinds.index(_kind(old))] = _kind(new)
        self._set(sections=tuple(kinds))

    def _place_button(self, other: Spot | None) -> None:
        if other is not None and other.part == "header":
            self._set(button="header")
        elif self.plan.button in (None, "header"):
            self._set(button="filled")

    # pictures

    def _pictures(self) -> list[str]:
        """Whose the pictures of the page are, in reading order."""
        owners = ["opening"] if self.plan.hero.startswith("picture") else []
        for kind in self.plan.sections:
            owners += {"story": ["story"], "cards": ["cards"] * self.plan.cards * self.plan.pictures}.get(kind, [])
        return owners

    def _add_picture(self, said: Statement) -> None:
        other = self._spot(said.other)
        if other is not None and other.part == "cards" and other.role == "item":
            self._set(pictures=True)
        elif other is not None and other.part == "cards" and said.wanted == "below":
            self._set(pictures=True)
        elif said.wanted == "at the top" or (other is not None and other.part in ("header", "opening")):
            beside = {"to the right of": "picture right", "to the left of": "picture left"}
            if other is not None and other.part == "opening" and said.wanted in beside:
                self._set(hero=beside[said.wanted])
            elif not self.plan.hero.startswith("picture"):
                self._set(hero="picture above")

    def _drop_picture(self, ordinal: int) -> None:
        owners = self._pictures()
        owner = owners[ordinal - 1] if 1 <= ordinal <= len(owners) else ""
        if owner == "cards":
            self._set(pictures=False)
        elif owner == "opening":
            self._set(hero="plain")

    def _count(self, said: Statement) -> None:
        words = said.wanted.split()
        if len(words) != 2 or not words[1].startswith("picture"):
            return
        cards = self.plan.cards
        beside = int(words[0]) - ("story" in self.plan.sections)
        options = {0: (False, False), 1: (True, False), cards: (False, True), cards + 1: (True, True)}
        if beside in options:
            opening, pictures = options[beside]
            self._set(pictures=pictures)
            if opening and not self.plan.hero.startswith("picture"):
                self._set(hero="picture right")
            elif not opening and self.plan.hero.startswith("picture"):
                self._set(hero="plain")

    # where things are

    def _place(self, said: Statement) -> None:
        subject, other = self._spot(said.subject), self._spot(said.other)
        if _is_picture(said.subject) or _is_picture(said.other):
            self._place_picture(said, subject or other)
        elif subject is None or other is None:
            return
        elif subject.part == other.part == "cards" and subject.role == other.role == "item":
            self._beside(subject.index, other.index, said.wanted)
        elif subject.part == other.part == "header":
            self._place_in_header(said.wanted, subject, other)
        elif subject.role == "button" and other.part == "header":
            self._set(button="header")
        elif subject.role == "button" and other.part == "opening" and self.plan.button == "header":
            self._set(button="filled")
        elif subject.part in self.plan.sections and other.part in self.plan.sections and subject.part != other.part:
            if said.wanted in ("above", "below"):
                kinds = [kind for kind in self.plan.sections if kind != subject.part]
                kinds.insert(kinds.index(_kind(other.part)) + (said.wanted == "below"), _kind(subject.part))
                self._set(sections=tuple(kinds))

    def _place_picture(self, said: Statement, text: Spot | None) -> None:
        if text is None or text.part not in ("header", "opening") or not self.plan.hero.startswith("picture"):
            return
        picture_first = _is_picture(said.subject)
        where = {"to the right of": 1, "to the left of": -1, "above": -2, "below": 2}.get(said.wanted, 0)
        where = where if picture_first else -where
        if where in (1, -1, -2) and text.part == "opening":
            self._set(hero={1: "picture right", -1: "picture left", -2: "picture above"}[where])

    def _place_in_header(self, wanted: str, subject: Spot, other: Spot) -> None:
        if {subject.role, other.role} != {"name", "link"}:
            return
        if wanted in ("above", "below"):
            self._set(header="centred")
        elif self.plan.header == "centred":
            self._set(header="plain")

    def _beside(self, index: int, other: int, wanted: str) -> None:
        """Card ``index`` is ``wanted`` card ``other``."""
        if wanted == "below" and index > other:
            self._set(columns=max(2, index - other))
        elif wanted == "above" and index < other:
            self._set(columns=max(2, other - index))
        elif wanted.startswith("to the") and abs(index - other) >= self.plan.columns:
            self._set(columns=abs(index - other) + 1)
        elif wanted.startswith("to the") and self.plan.cards == 4 and {index, other} == {1, 2}:
            self._set(columns=4)

    def _columns(self, said: Statement) -> None:
        found = [self._spot(item) for item in said.items]
        if any(spot is not None and spot.part == "cards" for spot in found):
            self._set(columns=int(said.wanted.split()[0]))

    def _width(self, said: Statement) -> None:
        spot, share = self._spot(said.subject), SHARES.get(said.wanted, 0.0)
        if spot is not None and spot.part == "cards" and share and _is_box(said.subject):
            self._set(columns=min(4, max(2, round(1 / share))))
        elif _is_picture(said.subject) and said.subject is not None:
            owners = self._pictures()
            at = said.subject.ordinal - 1
            if 0 <= at < len(owners) and owners[at] == "opening":
                if share > 0.9:
                    self._set(hero="picture above")
                elif self.plan.hero == "picture above":
                    self._set(hero="picture right")
            elif 0 <= at < len(owners) and owners[at] == "cards" and share:
                self._set(columns=min(4, max(2, round(1 / share))))

    def _align(self, said: Statement) -> None:
        spot, centred = self._spot(said.subject), said.wanted == "centred"
        if spot is None:
            return
        if spot.part in self.plan.sections:
            self._set(align="center" if centred else "left")
        elif spot.part == "opening" and spot.role != "button":
            if centred and self.plan.hero not in ("banner", "picture above"):
                self._set(hero="banner" if self.plan.hero == "plain" else "picture above")
            elif not centred and self.plan.hero in ("banner", "picture above"):
                self._set(hero="plain" if self.plan.hero == "banner" else "picture right")
        elif spot.role == "name":
            self._set(header="centred" if centred else self.plan.header)
        elif spot.part == "footer":
            self._set(footer="dark" if centred else "accent" if self.plan.footer == "dark" else self.plan.footer)

    def _shift(self, said: Statement) -> None:
        spot = self._spot(said.subject)
        pixels, side = int(said.wanted.split()[0]), said.wanted.split()[-1]
        if spot is None or pixels < _FAR or side not in ("left", "right"):
            return
        if spot.role == "link":
            if side == "left" and self.plan.header in ("plain", "accent"):
                self._set(header="dark" if pixels > 450 else "centred")
            elif side == "right" and self.plan.header in ("dark", "centred"):
                self._set(header="plain" if self.plan.header == "centred" or self._accented() is None else "accent")
        elif spot.role == "name" and side == "right":
            self._set(header="centred")
        elif spot.role == "name" and self.plan.header == "centred":
            self._set(header="plain")
        elif spot.part in self.plan.sections and spot.part not in ("prices",):
            self._set(align="center" if side == "right" else "left")
        elif spot.part == "opening" and spot.role in ("headline", "lead"):
            self._shift_opening(side)

    def _shift_opening(self, side: str) -> None:
        if self.plan.hero == "plain" and side == "right":
            self._set(hero="banner")
        elif self.plan.hero in ("banner", "picture above") and side == "left":
            self._set(hero="plain" if self.plan.hero == "banner" else "picture right")
        elif self.plan.hero == "picture right" and side == "right":
            self._set(hero="picture left")
        elif self.plan.hero == "picture left" and side == "left":
            self._set(hero="picture right")

    def _accented(self) -> str | None:
        return "accent" if self.plan.header == "accent" else None

    # how things look

    def _corners(self, said: Statement) -> None:
        self._set(corners=_CORNERS.get(said.wanted, self.plan.corners))

    def _border(self, said: Statement) -> None:
        spot = self._spot(said.subject)
        if spot is not None and spot.role == "button" and self.plan.button in ("filled", "outlined"):
            self._set(button="filled" if said.wanted == "no border" else "outlined")

    def _shade(self, said: Statement) -> None:
        subject, spot = said.subject or Subject("page"), self._spot(said.subject)
        stronger = said.wanted in ("darker", "stronger")
        if subject.kind == "page":
            ground = {("white", True): "grey", ("grey", False): "white"}.get((self.plan.ground, stronger))
            self._set(ground=ground or self.plan.ground)
        elif spot is None or spot.role in ("headline", "title", "button") or spot.part in ("opening", "numbers"):
            dark = self.plan.ground == "dark" and (spot is not None and spot.role == "title")
            self._set(depth="deep" if stronger != dark else "bright")

    def _color(self, said: Statement) -> None:
        subject, wanted = said.subject or Subject("page"), said.wanted
        spot = self._spot(subject)
        part = subject.kind if subject.kind in ("page", "header", "footer") else spot.part if spot else ""
        if subject.kind == "page":
            self._color_page(wanted)
        elif subject.kind in ("header", "navigation") or (_is_box(subject) and part == "header"):
            self._color_bar("header", wanted)
        elif subject.kind == "footer" or (_is_box(subject) and part == "footer"):
            self._color_bar("footer", wanted)
        elif spot is None:
            return
        elif spot.role == "button":
            self._color_button(wanted, letters=subject.kind in ("text", "link", "label", "quote"))
        elif _is_box(subject):
            self._color_behind(spot, wanted)
        else:
            self._color_letters(spot, wanted)

    def _color_page(self, wanted: str) -> None:
        grounds = {
            (accent, ground): palette(accent, "bright", ground).ground
            for ground in GROUNDS
            for accent in (ACCENTS if ground == "tinted" else [self.plan.accent])
        }
        accent, ground = _nearest(wanted, grounds)
        self._set(accent=accent, ground=ground)

    def _color_bar(self, bar: str, wanted: str) -> None:
        colors = {("", "", "plain"): palette("red", "deep", self.plan.ground).surface, ("", "", "dark"): "black"}
        if wanted in _PALE:
            colors[("", "", "pale")] = "white"
        colors |= {(a, d, "accent"): palette(a, d, "white").accent for a in ACCENTS for d in DEPTHS}
        accent, depth, style = _nearest(wanted, colors)
        if style == "accent":
            self._set(accent=accent, depth=depth)
        if bar == "footer":
            self._set(footer=style if style in ("accent", "dark") else "columns")
        elif style in ("accent", "dark"):
            self._set(header=style)
        elif self.plan.header not in ("plain", "centred"):
            self._set(header="plain")

    def _color_button(self, wanted: str, letters: bool) -> None:
        if letters:
            return
        filled = {(a, d): palette(a, d, "white").accent for a in ACCENTS for d in DEPTHS}
        if wanted in (*_PALE, "black") or "grey" in wanted:
            if self.plan.button == "filled" and self.plan.hero != "banner":
                self._set(button="outlined")
            elif self.plan.button == "outlined":
                self._set(button="filled")
            return
        if self.plan.button == "outlined":
            self._set(button="filled")
        accent, depth = _nearest(wanted, filled)
        self._set(accent=accent, depth=depth)

    def _color_behind(self, spot: Spot, wanted: str) -> None:
        if spot.part == "opening":
            colors = {(a, d): palette(a, d, "white").accent for a in ACCENTS for d in DEPTHS}
            plain = {("", ""): palette(self.plan.accent, self.plan.depth, self.plan.ground).ground}
            accent, depth = _nearest(wanted, {**colors, **plain})
            if accent:
                self._set(hero="banner", accent=accent, depth=depth)
            elif self.plan.hero == "banner":
                self._set(hero="plain")
        elif spot.part in ("cards", "prices", "form") and spot.role == "item":
            dark = _nearest(wanted, {True: "gray-700", False: "white"})
            if dark != (self.plan.ground == "dark"):
                self._set(ground="dark" if dark else "white")
        else:
            self._color_page(wanted)

    def _color_letters(self, spot: Spot, wanted: str) -> None:
        light = _nearest(wanted, {True: "white", False: "gray-800"})
        grey = "grey" in wanted or wanted in ("white", "black")
        if spot.part == "header":
            if not light and self.plan.header in ("accent", "dark"):
                self._set(header="plain")
            elif light and grey and self.plan.header in ("plain", "centred") and self.plan.ground != "dark":
                self._set(header="dark" if self.plan.footer != "columns" else self.plan.header)
        elif spot.part == "opening":
            if light and self.plan.hero != "banner" and self.plan.ground != "dark":
                self._set(hero="banner")
            elif not light and self.plan.hero == "banner":
                self._set(hero="plain")
        elif spot.role == "title" or spot.part == "numbers":
            if not grey:
                shades = {
                    (a, d): palette(a, d, "dark" if self.plan.ground == "dark" else "white").title
                    for a in ACCENTS
                    for d in DEPTHS
                }
                accent, depth = _nearest(wanted, shades, prefer=(self.plan.accent, self.plan.depth))
                self._set(accent=accent, depth=depth)
        elif spot.part in self.plan.sections and grey and light != (self.plan.ground == "dark"):
            self._set(ground="dark" if light else "white")

    # helpers

    def _find(self, text: str) -> Spot | None:
        return spot_of(text, self.site, self.name) if text else None

    def _spot(self, subject: Subject | None) -> Spot | None:
        if subject is None:
            return None
        if subject.kind == "footer":
            return Spot("footer", "line")
        if subject.kind in ("header", "navigation") and not subject.text:
            return Spot("header", "link")
        return self._find(subject.text)

    def _wanted_title(self, said: Statement) -> Spot | None:
        text = said.wanted if said.kind == "wording" else said.subject.text if said.subject else ""
        spot = self._find(text)
        return spot if spot is not None and spot.role == "title" else None

    def _set(self, **changes: object) -> None:
        self.plan = replace(self.plan, **changes)  # type: ignore[arg-type]  # the names and types are those of Plan

    def _settle_grid(self) -> None:
        """Cards and columns that go together."""
        cards, columns = self.plan.cards, self.plan.columns
        if (cards, columns) not in [grid for grid, _ in GRIDS]:
            fitting = [grid for grid, _ in GRIDS if grid[0] == cards]
            columns = min((grid[1] for grid in fitting), key=lambda n: abs(n - columns))
        self._set(cards=cards, columns=columns)


def _nearest(wanted: str, colors: dict, prefer: object = None):  # type: ignore
    """The key of the colour that a name fits best; ``prefer`` among equals."""
    target = NAMES.get(wanted, (128, 128, 128))
    return min(
        colors,
        key=lambda key: (name_of(RGB[colors[key]]) != wanted, key != prefer, distance(RGB[colors[key]], target)),
    )


def _kind(part: str) -> SectionKind:
    return part  # type: ignore[return-value]  # a part that is neither header, opening nor footer


def _about_page(said: Statement) -> bool:
    return said.subject is not None and said.subject.kind == "page"


def _is_picture(subject: Subject | None) -> bool:
    return subject is not None and subject.kind == "picture"


def _is_box(subject: Subject | None) -> bool:
    return subject is not None and subject.kind in ("box around", "background behind", "blank box")


__all__: Sequence[str] = ("FIRST_GUESS", "SiteDraft")
