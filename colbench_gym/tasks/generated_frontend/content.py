"""Texts of the sections of a domain: every text of its pages, by kind of section, branch and number."""

from __future__ import annotations

from functools import lru_cache

from colbench_gym.tasks.generated_frontend import words
from colbench_gym.tasks.generated_frontend.domains import Domain
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.permutation import Draw

Texts = tuple[str, ...]


@lru_cache(maxsize=4096)
def items_of(domain: Domain, branch: int, kind: str) -> tuple[Texts, ...]:
    """Return all items that a section of that kind may show, each as its texts."""
    if kind in ("cards", "tags"):
        return domain.items if kind == "cards" else tuple((title,) for title, _ in domain.items)
    if kind in ("features", "story"):
        return tuple((text,) for text in (domain.points if kind == "features" else domain.about))
    if kind in ("steps", "questions"):
        return domain.steps if kind == "steps" else domain.questions
    if kind == "gallery":
        return tuple((caption,) for caption in words.CAPTIONS)
    if kind == "form":
        return tuple((label,) for label in words.FIELDS)
    if kind == "figures":
        return tuple(_figure(text, branch) for (text,) in domain.figures)
    if kind == "call":
        return tuple((text, domain.actions[i % len(domain.actions)]) for i, text in enumerate(domain.headlines))
    if kind == "subscribe":
        return tuple((text, words.SUBSCRIBE[i % len(words.SUBSCRIBE)]) for i, text in enumerate(words.INVITATIONS))
    return _MADE_UP[kind](domain, branch)


def titles_of(domain: Domain, kind: str) -> Texts:
    """Return the headings that a section of that kind may have."""
    return domain.offer if kind == "cards" else KINDS[kind].titles


def _draw(domain: Domain, branch: int, what: str) -> Draw:
    return Draw("content", domain.key, branch, what)


def _figure(text: str, branch: int) -> Texts:
    numbers, _, counted = text.partition(" ")
    alternatives = numbers.split("/")
    return alternatives[branch % len(alternatives)], counted[:1].upper() + counted[1:]


def _price(domain: Domain, branch: int, share: float) -> str:
    low, high, _ = domain.prices[0].split(" ", 2)
    amount = (float(low) + (float(high) - float(low)) * share) * (0.86 + 0.04 * branch)
    sign = "$" if branch % 2 else "€"
    return f"{sign}{amount:.0f}" if amount >= 50 else f"{sign}{round(amount * 10) / 10:.2f}"


def unit_of(domain: Domain) -> str:
    """Return what a price is for, such as ``a piece``."""
    return domain.prices[0].split(" ", 2)[2]


def _plans(domain: Domain, branch: int) -> tuple[Texts, ...]:
    lines = words.PLAN_LINES[branch % len(words.PLAN_LINES)]
    shares = (0.3, 0.65, 1.1)
    return tuple(
        (name, _price(domain, branch, share), *texts)
        for name, share, texts in zip(domain.plans, shares, lines, strict=True)
    )


def _prices(domain: Domain, branch: int) -> tuple[Texts, ...]:
    places = _draw(domain, 0, "prices").shuffled(range(len(domain.items)))
    last = len(places) - 1
    return tuple(
        (title, _price(domain, branch, share / last)) for (title, _), share in zip(domain.items, places, strict=True)
    )


def _quotes(domain: Domain, branch: int) -> tuple[Texts, ...]:
    draw = _draw(domain, branch, "quotes")
    firsts, lasts = draw.some(words.FIRST_NAMES, len(domain.quotes)), draw.some(words.SURNAMES, len(domain.quotes))
    return tuple((text, f"{a} {b}") for text, a, b in zip(domain.quotes, firsts, lasts, strict=True))


def _news(domain: Domain, branch: int) -> tuple[Texts, ...]:
    draw = _draw(domain, branch, "news")
    days = draw.some(range(1, 29), len(domain.news))
    months = draw.some(words.MONTHS, len(domain.news))
    return tuple((*pair, f"{day} {month}") for pair, day, month in zip(domain.news, days, months, strict=True))


def _team(domain: Domain, branch: int) -> tuple[Texts, ...]:
    draw = _draw(domain, branch, "team")
    firsts, lasts = draw.some(words.FIRST_NAMES, len(domain.roles)), draw.some(words.SURNAMES, len(domain.roles))
    return tuple((f"{a} {b}", role) for role, a, b in zip(domain.roles, firsts, lasts, strict=True))


def _hours(domain: Domain, branch: int) -> tuple[Texts, ...]:
    draw = _draw(domain, branch, "hours")
    opens, closes, half = draw.between(8, 10), draw.between(17, 19), draw.pick(("00", "30"))
    spans = [
        (opens, closes),
        (opens, closes + 2),
        (opens, closes + 1),
        (opens + 1, closes - 2),
        (opens + 2, closes - 3),
    ]
    times = [f"{start:02}:00 to {end}:{half}" for start, end in spans]  # as usual, late, on Friday, at the weekend
    if draw.below(2):
        times[-1] = "Closed"
    return tuple(zip(words.DAYS, times, strict=True))


def _partners(domain: Domain, branch: int) -> tuple[Texts, ...]:
    names = _draw(domain, branch, "partners").some(words.SURNAMES, len(words.PARTNERS))
    return tuple((pattern.format(name),) for pattern, name in zip(words.PARTNERS, names, strict=True))


def _history(domain: Domain, branch: int) -> tuple[Texts, ...]:
    draw = _draw(domain, branch, "history")
    street, town = draw.pick(words.STREETS), draw.pick(words.TOWNS)
    role, year = draw.pick(domain.roles), draw.between(1961, 1998)
    found: list[Texts] = []
    for event in words.EVENTS:
        found.append((str(year), event.format(street=street, town=town, role=role.lower())))
        year += draw.between(2, 5)
    return tuple(found)


def _place(domain: Domain, branch: int) -> tuple[Texts, ...]:
    return (address(domain, branch),)


@lru_cache(maxsize=1024)
def address(domain: Domain, branch: int) -> Texts:
    """Return street, town, telephone and directions of a branch."""
    draw = _draw(domain, branch, "address")
    street = f"{draw.between(1, 98)} {draw.pick(words.STREETS)}"
    phone = f"Call us on 0{draw.between(20, 89)} {draw.between(200, 999)} {draw.between(1000, 9999)}"
    return street, f"{draw.between(10000, 99999)} {draw.pick(words.TOWNS)}", phone, draw.pick(words.DIRECTIONS)


def notice_of(domain: Domain, branch: int) -> str:
    """Return the line that a branch has above its header."""
    draw = _draw(domain, branch, "notice")
    return draw.pick(words.NOTICES).format(month=draw.pick(words.MONTHS))


_OF_BRANCHES = (_plans, _prices, _quotes, _news, _team, _hours, _partners, _history, _place)
_MADE_UP = {items.__name__[1:]: items for items in _OF_BRANCHES}
