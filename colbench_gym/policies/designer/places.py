"""Where things stand on a page of a known site, by what a person says: order, columns, alignment, sides."""

from __future__ import annotations

from colbench_gym.page_language.statements import SHARES, Statement
from colbench_gym.policies.designer.state import SiteState, is_box, is_picture, section_kind
from colbench_gym.policies.designer.words import Spot

_OTHER_SIDE = 590  # pixels: from the left half to the right one; the middle is nearer for any text
_FAR = 60  # pixels: a shift that no other text's length explains


def place(draft: SiteState, said: Statement) -> None:
    """Move one thing to the wanted side of another."""
    subject, other = draft.spot(said.subject), draft.spot(said.other)
    if is_picture(said.subject) or is_picture(said.other):
        _place_picture(draft, said, subject or other)
    elif subject is None or other is None:
        return
    elif subject.part == other.part == "cards" and subject.role == other.role == "item":
        beside(draft, subject.index, other.index, said.wanted)
    elif subject.part == other.part == "header":
        _place_in_header(draft, said.wanted, subject, other)
    elif subject.role == "button" and other.part == "header":
        draft.set(button="header")
    elif subject.role == "button" and other.part == "opening" and draft.plan.button == "header":
        draft.set(button="filled")
    elif subject.part != other.part and {subject.part, other.part} <= set(draft.plan.sections):
        _reorder(draft, subject.part, said.wanted, other.part)


def _reorder(draft: SiteState, part: str, wanted: str, other: str) -> None:
    if wanted in ("above", "below"):
        kinds = [kind for kind in draft.plan.sections if kind != part]
        kinds.insert(kinds.index(section_kind(other)) + (wanted == "below"), section_kind(part))
        draft.set(sections=tuple(kinds))


def columns(draft: SiteState, said: Statement) -> None:
    """Set the cards in so many columns."""
    found = [draft.spot(item) for item in said.items]
    if not found or any(spot is not None and spot.part == "cards" for spot in found):
        draft.set(columns=int(said.wanted.split()[0]))


def width(draft: SiteState, said: Statement) -> None:
    """Conclude from a width how many stand side by side."""
    spot, share = draft.spot(said.subject), SHARES.get(said.wanted, 0.0)
    if spot is not None and spot.part == "cards" and share and is_box(said.subject):
        draft.set(columns=min(4, max(2, round(1 / share))))
    elif is_picture(said.subject) and said.subject is not None:
        owners = draft.shown
        at = said.subject.ordinal - 1
        if 0 <= at < len(owners) and owners[at] == "opening":
            if share > 0.9:
                draft.set(hero="picture above")
            elif draft.plan.hero == "picture above":
                draft.set(hero="picture right")
        elif 0 <= at < len(owners) and owners[at] == "cards" and share:
            draft.set(columns=min(4, max(2, round(1 / share))))


def align(draft: SiteState, said: Statement) -> None:
    """Align a part of the page."""
    spot, centred = draft.spot(said.subject), said.wanted == "centred"
    if spot is None:
        return
    if spot.part in draft.plan.sections:
        draft.set(align="center" if centred else "left")
    elif spot.part == "opening" and spot.role != "button":
        if centred and draft.plan.hero not in ("banner", "picture above"):
            draft.set(hero="banner" if draft.plan.hero == "plain" else "picture above")
        elif not centred and draft.plan.hero in ("banner", "picture above"):
            draft.set(hero="plain" if draft.plan.hero == "banner" else "picture right")
    elif spot.role == "name":
        draft.set(header="centred" if centred else draft.plan.header)
    elif spot.part == "footer":
        draft.set(footer="dark" if centred else "accent" if draft.plan.footer == "dark" else draft.plan.footer)


def shift(draft: SiteState, said: Statement) -> None:
    """Conclude from a distance how a part is set."""
    spot = draft.spot(said.subject)
    pixels, side = int(said.wanted.split()[0]), said.wanted.split()[-1]
    if spot is None or pixels < _FAR or side not in ("left", "right"):
        return
    if spot.role == "link":
        if side == "left" and draft.plan.header in ("plain", "accent"):
            draft.set(header="dark" if pixels > 450 else "centred")
        elif side == "right" and draft.plan.header in ("dark", "centred"):
            draft.set(header="plain")
    elif spot.role == "name" and side == "right":
        draft.set(header="centred")
    elif spot.role == "name" and draft.plan.header == "centred":
        draft.set(header="plain")
    elif spot.part in draft.plan.sections and spot.part not in ("prices",):
        draft.set(align="center" if side == "right" else "left")
    elif spot.part == "opening" and (spot.role != "button" or draft.plan.button != "header"):
        _shift_opening(draft, side, pixels)


def _place_picture(draft: SiteState, said: Statement, text: Spot | None) -> None:
    sides = {"to the right of": "picture right", "to the left of": "picture left", "above": "picture above"}
    opposite = {"to the right of": "to the left of", "to the left of": "to the right of", "below": "above"}
    wanted = said.wanted if is_picture(said.subject) else opposite.get(said.wanted, "")
    if text is None or not draft.plan.hero.startswith("picture"):
        return
    if text.part == "opening" and wanted in sides:
        draft.set(hero=sides[wanted])
    elif text.part == "cards" and wanted == "below" and said.subject is not None:
        owners = draft.shown[said.subject.ordinal - 1 :][:1]
        if owners == ["opening"]:  # the picture that is wanted with the first card
            draft.set(hero="plain", pictures=True)


def _place_in_header(draft: SiteState, wanted: str, subject: Spot, other: Spot) -> None:
    if {subject.role, other.role} != {"name", "link"}:
        return
    if wanted in ("above", "below"):
        draft.set(header="centred")
    elif draft.plan.header == "centred":
        draft.set(header="plain")


def beside(draft: SiteState, index: int, other: int, wanted: str) -> None:
    """Set the cards so that card ``index`` is ``wanted`` card ``other``."""
    if wanted == "below" and index > other:
        draft.set(columns=max(2, index - other))
    elif wanted == "above" and index < other:
        draft.set(columns=max(2, other - index))
    elif wanted.startswith("to the") and abs(index - other) >= draft.plan.columns:
        draft.set(columns=abs(index - other) + 1)
    elif wanted.startswith("to the") and draft.plan.cards == 4 and {index, other} == {1, 2}:
        draft.set(columns=4)


def _shift_opening(draft: SiteState, side: str, pixels: int) -> None:
    to_other_side = pixels >= _OTHER_SIDE
    if side == "right" and draft.plan.hero in ("plain", "picture right"):
        centred = "banner" if draft.plan.hero == "plain" else "picture above"
        draft.set(hero="picture left" if to_other_side else centred)
    elif side == "left" and draft.plan.hero == "picture left" and to_other_side:
        draft.set(hero="picture right")
    elif side == "left" and draft.plan.hero in ("banner", "picture above"):
        draft.set(hero="plain" if draft.plan.hero == "banner" else "picture right")
