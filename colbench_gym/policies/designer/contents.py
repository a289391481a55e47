"""What belongs on a page of a known site, by what a person says: sections, titles, cards, the button, pictures."""

from __future__ import annotations

from colbench_gym.page_language.statements import Statement, Subject
from colbench_gym.policies.designer.places import beside
from colbench_gym.policies.designer.state import SiteState, is_picture, section_kind
from colbench_gym.policies.designer.words import Spot
from colbench_gym.tasks.generated_frontend.schema_1.choices import GRIDS

_CARDS = sorted({cards for (cards, _), _ in GRIDS})


def missing(draft: SiteState, said: Statement) -> None:
    """Put in what is missing."""
    subject = said.subject or Subject("page")
    if subject.kind == "picture":
        _add_picture(draft, said)
        return
    spot, other = draft.spot(subject), draft.spot(said.other)
    if spot is None:
        return
    if subject.kind in ("box around", "background behind", "blank box"):
        if spot.part == "opening" and spot.role != "button":
            draft.set(hero="banner")
        return
    if spot.role == "button":
        _place_button(draft, other)
    elif spot.part == "footer":
        draft.set(footer=draft.plan.footer or "dark")
    elif spot.part == "header":
        low = other is not None and (other.part in (*draft.plan.sections, "footer") or said.wanted == "below")
        if low and other is not None and (other.part != "header" or draft.plan.footer):
            draft.set(footer="columns")
    elif spot.role == "headline":
        draft.set(headline=spot.index)
        beside_picture = {"below": "picture above", "to the right of": "picture left"}
        if is_picture(said.other) and said.wanted in beside_picture:
            draft.set(hero=beside_picture[said.wanted])
    elif spot.part != "opening":
        _add_section(draft, spot, said, other)


def unwanted(draft: SiteState, said: Statement) -> None:
    """Take out what should go."""
    subject = said.subject or Subject("page")
    if subject.kind == "picture":
        _drop_picture(draft, subject.ordinal)
        return
    spot = draft.spot(subject)
    if spot is None:
        return
    if subject.kind in ("box around", "background behind"):
        if spot.part == "opening" and spot.role != "button":
            draft.set(hero="plain" if draft.plan.hero == "banner" else draft.plan.hero)
    elif spot.role == "button":
        draft.set(button=None)
    elif spot.part == "footer":
        draft.set(footer=None)
    elif spot.part == "header":
        if draft.plan.footer == "columns":
            draft.set(footer="dark")
    elif spot.part == "cards" and spot.role == "item":
        draft.set(cards=max((n for n in _CARDS if n <= spot.index), default=_CARDS[0]))
    elif spot.role == "title" and spot.part != "cards" and spot.part not in draft.renamed:
        draft.set(sections=tuple(kind for kind in draft.plan.sections if kind != spot.part))


def wording(draft: SiteState, said: Statement) -> None:
    """Say it in the wanted words."""
    spot = draft.find(said.wanted)
    if spot is None:
        return
    if spot.role == "headline":
        draft.set(headline=spot.index)
    elif spot.role == "title":
        old = draft.find(said.got)
        if old is not None and old.part != spot.part and old.part in draft.plan.sections:
            _exchange(draft, old.part, spot.part)
        draft.set(titles=spot.index)
    elif spot.part not in ("header", "opening", "footer") and spot.part not in draft.plan.sections:
        old = draft.find(said.got)
        if old is not None and old.part in draft.plan.sections and old.part != "cards":
            _exchange(draft, old.part, spot.part)


def order(draft: SiteState, said: Statement) -> None:
    """Take the headings that are enumerated, in their order."""
    found = [spot for item in said.items if (spot := draft.spot(item))]
    kinds = [spot.part for spot in found if spot.role == "title"]
    if "cards" in kinds:
        draft.set(sections=tuple(dict.fromkeys(kinds)))
    for spot in found:
        if spot.role == "title":
            draft.set(titles=spot.index)
        elif spot.role == "headline":
            draft.set(headline=spot.index)


def count(draft: SiteState, said: Statement) -> None:
    """Have so many pictures."""
    words = said.wanted.split()
    if len(words) != 2 or not words[1].startswith("picture"):
        return
    cards = draft.plan.cards
    beside = int(words[0]) - ("story" in draft.plan.sections)
    options = {0: (False, False), 1: (True, False), cards: (False, True), cards + 1: (True, True)}
    if beside in options:
        opening, pictures = options[beside]
        draft.set(pictures=pictures)
        if opening and not draft.plan.hero.startswith("picture"):
            draft.set(hero="picture right")
        elif not opening and draft.plan.hero.startswith("picture"):
            draft.set(hero="plain")


def _add_section(draft: SiteState, spot: Spot, said: Statement, other: Spot | None) -> None:
    if spot.role == "title":
        draft.set(titles=spot.index)
    if spot.part not in draft.plan.sections:
        at = len(draft.plan.sections)
        if other is not None and other.part in draft.plan.sections:
            at = draft.plan.sections.index(section_kind(other.part)) + (said.wanted != "above")
        elif (other is not None and other.part in ("header", "opening")) or said.wanted == "at the top":
            at = 0
        kinds = list(draft.plan.sections)
        kinds.insert(at, section_kind(spot.part))
        draft.set(sections=tuple(kinds))
    if spot.part == "cards" and spot.role == "item":
        if spot.index >= draft.plan.cards:
            draft.set(cards=min(n for n in _CARDS if n > spot.index))
        if other is not None and other.part == "cards" and other.role == "item":
            beside(draft, spot.index, other.index, said.wanted)


def _exchange(draft: SiteState, old: str, new: str) -> None:
    kinds = [kind for kind in draft.plan.sections if kind != new]
    if old == "cards" or old not in kinds:
        return
    kinds[kinds.index(section_kind(old))] = section_kind(new)
    draft.set(sections=tuple(kinds))


def _place_button(draft: SiteState, other: Spot | None) -> None:
    if other is not None and other.part == "header":
        draft.set(button="header")
    elif draft.plan.button in (None, "header"):
        draft.set(button="filled")


def _add_picture(draft: SiteState, said: Statement) -> None:
    other = draft.spot(said.other)
    beside_text = {"to the right of": "picture right", "to the left of": "picture left"}
    if is_picture(said.other) or (other is not None and other.part not in ("header", "opening", "footer")):
        draft.set(pictures=True)  # the story has one anyway
    elif said.wanted in beside_text and (other is None or other.part == "opening"):
        draft.set(hero=beside_text[said.wanted])
    elif other is None or other.part in ("header", "opening"):
        draft.set(hero=draft.plan.hero if draft.plan.hero.startswith("picture") else "picture above")


def _drop_picture(draft: SiteState, ordinal: int) -> None:
    owner = draft.shown[ordinal - 1] if 1 <= ordinal <= len(draft.shown) else ""
    if owner == "cards" and "pictures" not in draft.settled:
        draft.set(pictures=False)
    elif owner == "opening" and "hero" not in draft.settled:
        draft.set(hero="plain")
