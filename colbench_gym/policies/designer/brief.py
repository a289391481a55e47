"""The first guess of a page from a request for a generated one: what it tells, and the likeliest for the rest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from colbench_gym.policies.designer.things import LOOKS
from colbench_gym.tasks.generated_frontend.aspects import HUE_PHRASES, LOOK_PHRASES, PART_PHRASES, section_phrases
from colbench_gym.tasks.generated_frontend.content import items_of
from colbench_gym.tasks.generated_frontend.domains import Domain, load_domains
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import Look, Page, Section

_FILLING = ("cards", "story", "quotes")  # sections of a page of which the request names none


@lru_cache(maxsize=256)
def first_page(request: str) -> Page | None:
    """Return the page that a request most probably means; None where it is no request of the grammar."""
    domain = _domain(request)
    if domain is None:
        return None
    lower = request.lower()
    look = {name: value for name, table in LOOK_PHRASES.items() if (value := _value(lower, table))}
    hue = _value(lower, HUE_PHRASES)
    rest: dict[str, Any] = dict.fromkeys(("branch", "headline", "lead", "action"), 0)  # Any: fields of a page
    rest |= {name: _value(lower, table) or LOOKS["likely"][name] for name, table in PART_PHRASES.items()}
    return Page(
        domain=domain,
        name=name_in(request, domain) or domain.nouns[0],
        look=Look(**look, **({"hue": hue} if hue else {})),
        sections=_sections(lower, domain),
        button=True,
        **rest,
    )


def name_in(text: str, domain: Domain) -> str:
    """Return the name of a business of a domain that stands in a text, or an empty text."""
    nouns = "|".join(re.escape(noun) for noun in sorted(domain.nouns, key=len, reverse=True))
    match = re.search(rf"\b[A-Z][a-z]+ (?:{nouns})\b", text)
    return match[0] if match else ""


def _domain(request: str) -> Domain | None:
    """Return the domain that a request calls by its name beside that of the business, in the most letters."""
    found = ((len(called), domain) for domain in load_domains().values() for called in _called(request, domain))
    return max(found, key=lambda pair: pair[0], default=(0, None))[1]


def _called(request: str, domain: Domain) -> list[str]:
    name = name_in(request, domain)
    lower = (request.replace(name, "") if name else request).lower()
    return [called for called in domain.called if called.lower() in lower]


def _value(lower: str, table: Mapping[str, tuple[str, ...]]) -> str:
    """Return the value whose longest phrase stands in a request, or an empty text."""
    wanted = [(phrase.removeprefix("with "), value) for value, phrases in table.items() for phrase in phrases]
    present = [(len(phrase), value) for phrase, value in wanted if phrase in lower]
    longest = max((length for length, _ in present), default=0)
    return next((value for length, value in present if length == longest), "")


def _sections(lower: str, domain: Domain) -> tuple[Section, ...]:
    places = {kind: place for kind in KINDS if (place := _first(lower, section_phrases(kind, domain))) >= 0}
    kinds = sorted(places, key=lambda kind: places[kind]) or list(_FILLING)
    if len(kinds) == 1:
        kinds += [kind for kind in _FILLING if kind not in kinds][:1]
    return tuple(usual_section(kind, domain, _columns(lower) if kind == "cards" else "") for kind in kinds)


def usual_section(kind: str, domain: Domain, variant: str = "") -> Section:
    """Return a section of a kind as one would set it without knowing more."""
    variants = KINDS[kind].variants
    chosen = variant or ("3 columns" if kind == "cards" else next(iter(variants)))
    count = min(variants[chosen][0], len(items_of(domain, 0, kind)))
    return Section(kind, chosen, 0, tuple(range(count)))


def _first(lower: str, phrases: tuple[str, ...]) -> int:
    return min((place for phrase in phrases if (place := lower.find(phrase)) >= 0), default=-1)


def _columns(lower: str) -> str:
    words = {"two columns": "2 columns", "three columns": "3 columns", "four columns": "4 columns"}
    return next((variant for word, variant in words.items() if word in lower), "")
