"""Draws pages: which parts, in which order and how they are set, so that some neighbours are kept for a split alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

from colbench_gym.tasks.generated_frontend.building.pages import page_node, texts_of
from colbench_gym.tasks.generated_frontend.content import items_of, titles_of
from colbench_gym.tasks.generated_frontend.domains import Domain
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import LOOK_OPTIONS, PART_OPTIONS, Look, Page, Section
from colbench_gym.tasks.permutation import Draw

RESERVED_SHARE = 0.2  # ours: of all pairs of neighbours, those that are never together in train
MIN_RESERVED = 2  # ours: of them, on every page of the split that they are kept for
SECTIONS = (2, 3, 3, 4, 4, 5)  # how many, each number as often as it stands here
MAX_ATTEMPTS = 200  # ours: of drawing a page on which no text stands twice

_SAME_WORDS = ("cards", "prices", "tags")  # sections that show the domain's items, no item in two of them
_NEVER_FIRST = ("call", "subscribe", "partners", "form", "questions", "place")
_OFTEN = {"cards": 3, "story": 2, "quotes": 2, "form": 2, "plans": 2, "news": 2}


@lru_cache(maxsize=4096)
def is_reserved(before: str, after: str) -> bool:
    """Return whether two parts that follow each other are kept out of train.

    Args:
        before: ``header/tone``, an opening, or a kind of section.
        after: an opening or a kind of section.
    """
    digest = blake2b(f"neighbours\0{before}\0{after}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") < RESERVED_SHARE * 2**64


def neighbours(page: Page) -> list[tuple[str, str]]:
    """Return the pairs of parts of a page that follow each other."""
    parts = [page.header, page.opening, *(section.kind for section in page.sections)]
    return list(pairwise(parts))


def draw_page(draw: Draw, domain: Domain, name: str, compositions: bool) -> Page:
    """Return a page on which no text stands twice.

    Args:
        draw: the choices.
        domain: the kind of business.
        name: of the business.
        compositions: whether at least :data:`MIN_RESERVED` pairs of neighbours are reserved ones; else none is.

    Raises:
        RuntimeError: no such page was drawn; a domain repeats its own words.
    """
    for _ in range(MAX_ATTEMPTS):
        page = _page(draw, domain, name, compositions)
        reserved = sum(is_reserved(*pair) for pair in neighbours(page))
        fits = reserved >= MIN_RESERVED if compositions else reserved == 0
        if fits and is_unambiguous(page):
            return page
    raise RuntimeError(f"got no page of {domain.key!r} in {MAX_ATTEMPTS} attempts; expected one; look for equal texts")


def is_unambiguous(page: Page) -> bool:
    """Return whether every text of a page stands on it once, whatever its case."""
    texts = [text.casefold() for text in texts_of(page_node(page))]
    return len(set(texts)) == len(texts)


def _page(draw: Draw, domain: Domain, name: str, compositions: bool) -> Page:
    look = draw_look(draw)
    look = replace(look, font="serif") if look.font == "mono" and "sober" in domain.mood else look
    header = draw.pick(PART_OPTIONS["header"])
    opening = _after(draw, header, PART_OPTIONS["opening"], compositions)
    branch = draw.below(8)
    sections = _sections(draw, domain, branch, opening, compositions)
    return Page(
        domain=domain,
        name=name,
        branch=branch,
        look=look,
        header=header,
        tone=draw.pick(PART_OPTIONS["tone"]),
        notice=draw.pick((*PART_OPTIONS["notice"], "none", "none", "none")),
        opening=opening,
        headline=draw.below(len(domain.headlines)),
        lead=draw.below(len(domain.leads)),
        action=draw.below(len(domain.actions)),
        button=opening == "sign-up" or draw.below(3) > 0,
        sections=sections,
        frame=draw.pick((*PART_OPTIONS["frame"], "none", "none")),
        footer=draw.pick(PART_OPTIONS["footer"]),
    )


def draw_look(draw: Draw) -> Look:
    """Return a look; what is plain is drawn more often than what is loud."""
    often = {
        "ground": ("white", "white", "grey", "tinted", "dark", "deep"),
        "font": ("sans", "sans", "sans", "serif", "serif", "mono"),
    }
    values = {name: draw.pick(often.get(name, options)) for name, options in LOOK_OPTIONS.items()}
    return Look(**values)


def _after(draw: Draw, before: str, options: Sequence[str], compositions: bool) -> str:
    """Return a part that may follow another one; of reserved pairs many where they are looked for."""
    reserved = [part for part in options if is_reserved(before, part)]
    usual = [part for part in options if not is_reserved(before, part)]
    if compositions and reserved and (draw.below(2) == 0 or not usual):
        return draw.pick(reserved)
    return draw.pick(usual or list(options))


def _sections(draw: Draw, domain: Domain, branch: int, opening: str, compositions: bool) -> tuple[Section, ...]:
    kinds: list[str] = []
    before = opening
    taken: set[int] = set()  # of the domain's items
    found: list[Section] = []
    for _ in range(draw.pick(SECTIONS)):
        early = [kind for kind in KINDS if kind not in kinds and (found or kind not in _NEVER_FIRST)]
        options = [kind for kind in early if kind not in domain.without for _ in range(_OFTEN.get(kind, 1))]
        kind = _after(draw, before, options, compositions)
        section = draw_section(draw, domain, branch, kind, taken if kind in _SAME_WORDS else set())
        if section is None:
            continue
        if kind in _SAME_WORDS:
            taken |= set(section.items)
        found.append(section)
        kinds.append(kind)
        before = kind
    return tuple(found)


def draw_section(draw: Draw, domain: Domain, branch: int, kind: str, taken: set[int]) -> Section | None:
    """Return a section of a kind that shows none of the items taken; None where too few are left."""
    variants = KINDS[kind].variants
    variant = draw.pick(tuple(variants))
    count = draw.pick(variants[variant])
    left = [i for i in range(len(items_of(domain, branch, kind))) if i not in taken]
    title = draw.below(len(titles_of(domain, kind)))
    if kind in ("plans", "form", "hours"):
        left = left[:count]
    if count > len(left):
        return None
    return Section(kind, variant, title, tuple(sorted(draw.some(left, count))))
