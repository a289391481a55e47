"""How a page of a known site looks, by what a person says: colours, corners, borders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from colbench_gym.page_language.color_names import NAMES, distance, name_of
from colbench_gym.page_language.statements import Statement, Subject
from colbench_gym.policies.designer.state import SiteState, is_box
from colbench_gym.policies.designer.words import Spot
from colbench_gym.tasks.generated_frontend.schema_1.page import Corners
from colbench_gym.tasks.generated_frontend.schema_1.palettes import ACCENTS, DEPTHS, GROUNDS, RGB, palette

Key = TypeVar("Key")

_CORNERS: dict[str, Corners] = {
    "square": "square",
    "slightly rounded": "rounded",
    "rounded": "rounded",
    "strongly rounded": "round",
    "fully round": "round",
}
_LETTERS = ("writing on", "text", "link", "label", "quote")  # else it is the face of a button
_PALE = {"white", "very pale grey", "pale grey"}


def corners(draft: SiteState, said: Statement) -> None:
    """Round the corners."""
    draft.set(corners=_CORNERS.get(said.wanted, draft.plan.corners))


def border(draft: SiteState, said: Statement) -> None:
    """Tell filled buttons from outlined ones."""
    spot = draft.spot(said.subject)
    if spot is not None and spot.role == "button" and draft.plan.button in ("filled", "outlined"):
        draft.set(button="filled" if said.wanted == "no border" else "outlined")


def shade(draft: SiteState, said: Statement) -> None:
    """Take the deeper or the brighter of two shades."""
    subject, spot = said.subject or Subject("page"), draft.spot(said.subject)
    stronger = said.wanted in ("darker", "stronger")
    if subject.kind == "page":
        ground = {("white", True): "grey", ("grey", False): "white"}.get((draft.plan.ground, stronger))
        draft.set(ground=ground or draft.plan.ground)
    elif spot is None or spot.role in ("headline", "title", "button") or spot.part in ("opening", "numbers"):
        dark = draft.plan.ground == "dark" and (spot is not None and spot.role == "title")
        draft.set(depth="deep" if stronger != dark else "bright")


def color(draft: SiteState, said: Statement) -> None:
    """Conclude from a colour which palette and which style of a part are wanted."""
    subject, wanted = said.subject or Subject("page"), said.wanted
    spot = draft.spot(subject)
    part = subject.kind if subject.kind in ("page", "header", "footer") else spot.part if spot else ""
    if subject.kind == "page":
        _color_page(draft, wanted)
    elif subject.kind == "header" or (is_box(subject) and part == "header"):
        _color_bar(draft, "header", wanted)
    elif subject.kind == "footer" or (is_box(subject) and part == "footer"):
        _color_bar(draft, "footer", wanted)
    elif spot is None:
        return
    elif spot.role == "button":
        _color_button(draft, wanted, letters=subject.kind in _LETTERS)
    elif spot.role == "send":
        _color_accent(draft, "" if subject.kind in _LETTERS else wanted)
    elif is_box(subject):
        _color_behind(draft, spot, wanted)
    else:
        _color_letters(draft, spot, wanted)


def _color_page(draft: SiteState, wanted: str) -> None:
    grounds = {
        (accent, ground): palette(accent, "bright", ground).ground
        for ground in GROUNDS
        for accent in (ACCENTS if ground == "tinted" else [draft.plan.accent])
    }
    accent, ground = _nearest(wanted, grounds)
    draft.set(accent=accent, ground=ground)


def _color_bar(draft: SiteState, bar: str, wanted: str) -> None:
    colors = {("", "", "plain"): palette("red", "deep", draft.plan.ground).surface, ("", "", "dark"): "black"}
    if wanted in _PALE:
        colors[("", "", "pale")] = "white"
    colors |= {(a, d, "accent"): palette(a, d, "white").accent for a in ACCENTS for d in DEPTHS}
    accent, depth, style = _nearest(wanted, colors)
    if style == "accent":
        draft.set(accent=accent, depth=depth)
    if bar == "footer":
        draft.set(footer=style if style in ("accent", "dark") else "columns")
    elif style in ("accent", "dark"):
        draft.set(header=style)
    elif draft.plan.header not in ("plain", "centred"):
        draft.set(header="plain")


def _color_button(draft: SiteState, wanted: str, letters: bool) -> None:
    """A filled button has white letters on the accent, an outlined one the accent's letters on the ground.

    On a banner a filled one has black letters on white, and an outlined one white letters on the banner.
    """
    plain = wanted in (*_PALE, "black") or "grey" in wanted
    banner = draft.plan.hero == "banner"
    if not plain:
        _color_accent(draft, "" if letters else wanted)
    if draft.plan.button in ("filled", "outlined"):
        filled = (wanted == "black" if letters else wanted == "white") if banner else plain == letters
        draft.set(button="filled" if filled else "outlined")


def _color_accent(draft: SiteState, wanted: str) -> None:
    """The colour of a filled button, "" for none."""
    if wanted and "grey" not in wanted and wanted not in ("white", "black"):
        accent, depth = _nearest(wanted, {(a, d): palette(a, d, "white").accent for a in ACCENTS for d in DEPTHS})
        draft.set(accent=accent, depth=depth)


def _color_behind(draft: SiteState, spot: Spot, wanted: str) -> None:
    if spot.part == "opening":
        colors = {(a, d): palette(a, d, "white").accent for a in ACCENTS for d in DEPTHS}
        plain = {("", ""): palette(draft.plan.accent, draft.plan.depth, draft.plan.ground).ground}
        accent, depth = _nearest(wanted, {**colors, **plain})
        if accent:
            draft.set(hero="banner", accent=accent, depth=depth)
        elif draft.plan.hero == "banner":
            draft.set(hero="plain")
    elif spot.part in ("cards", "prices", "form") and spot.role == "item":
        dark = _nearest(wanted, {True: "gray-700", False: "white"})
        if dark != (draft.plan.ground == "dark"):
            draft.set(ground="dark" if dark else "white")
    else:
        _color_page(draft, wanted)


def _color_letters(draft: SiteState, spot: Spot, wanted: str) -> None:
    light = _nearest(wanted, {True: "white", False: "gray-800"})
    grey = "grey" in wanted or wanted in ("white", "black")
    if spot.part == "header":
        if not light and draft.plan.header in ("accent", "dark"):
            draft.set(header="plain")
    elif spot.part == "opening":
        if light and draft.plan.hero != "banner" and draft.plan.ground != "dark":
            draft.set(hero="banner")
        elif not light and draft.plan.hero == "banner":
            draft.set(hero="plain")
    elif spot.role == "title" or spot.part == "numbers":
        if not grey:
            shades = {
                (a, d): palette(a, d, "dark" if draft.plan.ground == "dark" else "white").title
                for a in ACCENTS
                for d in DEPTHS
            }
            accent, depth = _nearest(wanted, shades, prefer=(draft.plan.accent, draft.plan.depth))
            draft.set(accent=accent, depth=depth)
    elif spot.part in draft.plan.sections and grey and light != (draft.plan.ground == "dark"):
        draft.set(ground="dark" if light else "white")


def _nearest(wanted: str, colors: Mapping[Key, str], prefer: object = None) -> Key:
    """The key of the colour that a name fits best; ``prefer`` among equals."""
    target = NAMES.get(wanted, NAMES["grey"])
    return min(
        colors,
        key=lambda key: (name_of(RGB[colors[key]]) != wanted, key != prefer, distance(RGB[colors[key]], target)),
    )
