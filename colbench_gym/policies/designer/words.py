"""Where on a page of a known site a text belongs, and which text is meant by a quote of its beginning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.tasks.generated_frontend.schema_1.html import footer_line
from colbench_gym.tasks.generated_frontend.schema_1.sites import SITES
from colbench_gym.tasks.generated_frontend.schema_1.task_set import request, requests
from colbench_gym.tasks.generated_frontend.schema_1.words import FIELDS, SEND, TITLES, Site


@dataclass(frozen=True)
class Spot:
    """Where a text belongs.

    Attributes:
        part: ``header``, ``opening``, ``footer`` or a kind of section.
        role: ``name``, ``link``, ``headline``, ``lead``, ``button``, ``title`` (of a section), ``item``, ``send``
            or ``line``.
        index: which alternative of a headline or title, which card, which link.
    """

    part: str
    role: str
    index: int = 0


@lru_cache(maxsize=1)
def known_requests() -> Mapping[str, tuple[Site, str]]:
    """Every request that a generated task may have, with its site and the name of the business."""
    return {
        request(site, name, wording): (site, name)
        for site in SITES
        for name in site.names
        for wording in range(requests(site))
    }


@lru_cache(maxsize=64)
def spots(site: Site, name: str) -> Mapping[str, Spot]:
    """Where every text that a page of the site may have belongs."""
    found = {name: Spot("header", "name"), footer_line(name): Spot("footer", "line")}
    found |= {link: Spot("header", "link", i) for i, link in enumerate(site.links)}
    found |= {headline: Spot("opening", "headline", i) for i, headline in enumerate(site.headlines)}
    found |= {site.lead: Spot("opening", "lead"), site.button: Spot("opening", "button")}
    found |= {title: Spot("cards", "title", i) for i, title in enumerate(site.offer_titles)}
    found |= {title: Spot(kind, "title", i) for kind, titles in TITLES.items() for i, title in enumerate(titles)}
    found |= {text: Spot("cards", "item", i) for i, card in enumerate(site.offers) for text in card}
    items = {"story": [(site.story,)], "prices": site.prices, "quotes": site.quotes, "numbers": site.numbers}
    found |= {text: Spot(kind, "item", i) for kind, rows in items.items() for i, row in enumerate(rows) for text in row}
    found |= {step: Spot("steps", "item", i) for i, step in enumerate(site.steps)}
    found |= {step.removeprefix(f"{i}. "): Spot("steps", "item", i - 1) for i, step in enumerate(site.steps, start=1)}
    found |= {field: Spot("form", "item", i) for i, field in enumerate(FIELDS)} | {SEND: Spot("form", "send")}
    return {_plain(text): spot for text, spot in found.items()}


def spot_of(quote: str, site: Site, name: str) -> Spot | None:
    """Where the text that a quote shows belongs; a cut quote is known by its beginning (or its middle)."""
    known = spots(site, name)
    words = _plain(quote)
    if words in known or not words:
        return known.get(words)
    if words.endswith("…"):
        start = words.rstrip("… ")
        return next((spot for text, spot in known.items() if start and text.startswith(start)), None)
    inside = words.strip("… ")
    longer = [
        spot
        for text, spot in known.items()
        if len(inside) > 3 and (inside in text or (len(text) > 3 and text in inside))
    ]
    return longer[0] if len({spot.part for spot in longer}) == 1 else None


def _plain(text: str) -> str:
    return " ".join(text.replace("“", "'").replace("”", "'").split()).lower()
