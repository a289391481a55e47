"""Decisions about a page that a request may tell, each with phrases that are true of it but not all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from colbench_gym.tasks.generated_frontend.content import titles_of
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import Page

Form = Literal["part", "manner"]  # "with a footer that ..." or "in shades of blue"


@dataclass(frozen=True)
class Aspect:
    """One decision of a page.

    Attributes:
        key: what it is about.
        value: how the page has it, in words of the grammar.
        form: whether its phrases name a part of the page or its manner.
        phrases: of a request; empty for what no request tells.
    """

    key: str
    value: str
    form: Form = "part"
    phrases: tuple[str, ...] = ()


HUE_WORDS: Mapping[str, tuple[str, ...]] = {
    "gray": ("grey", "neutral grey", "slate grey"),
    "red": ("red", "warm red", "crimson"),
    "yellow": ("amber", "golden yellow", "warm amber"),
    "green": ("green", "fresh green", "emerald"),
    "blue": ("blue", "clear blue", "calm blue"),
    "indigo": ("indigo", "bluish violet", "inky indigo"),
    "purple": ("purple", "violet", "rich purple"),
    "pink": ("pink", "rosy pink", "magenta"),
}
_HUE = ("in shades of {}", "with {} as the main colour", "built around {}", "with {} accents", "with plenty of {}")
_GROUNDS = {
    "white": ("on a white background", "on plain white", "on a clean white ground"),
    "grey": ("on a pale grey background", "on light grey", "against a soft grey"),
    "tinted": ("on a softly tinted background", "on a background with a hint of colour"),
    "dark": ("on a dark background", "in dark mode", "on nearly black"),
    "deep": ("on a deeply coloured background", "with a dark coloured ground", "drenched in one deep colour"),
}
_HEADERS = {
    "split": ("the name on the left and the menu on the right", "a plain navigation bar with the menu at the right"),
    "centred": ("our name centred above the menu", "a centred name with the navigation below it"),
    "left": ("the name and the menu side by side at the left", "a navigation bar that starts at the left"),
    "button": ("a navigation bar that ends with a button", "a log-in button at the top right"),
    "search": ("a search field in the header", "a header with a search box"),
    "pills": ("menu entries that look like pills", "a navigation with rounded outlines"),
}
_TONES = {
    "accent": ("a coloured header", "a header in the main colour"),
    "dark": ("a black header", "a dark bar at the top"),
    "plain": ("a light header with a fine line below it",),
    "clear": ("a header that blends into the page",),
}
_OPENINGS = {
    "banner": ("a coloured banner with the headline", "a bold banner to start with"),
    "picture right": ("a picture beside the headline", "a headline with a photo next to it"),
    "picture left": ("a picture beside the headline", "a headline with a photo next to it"),
    "picture above": ("a wide photo at the top", "a full-width picture above the headline"),
    "backdrop": ("a headline that lies on a photo", "a big background photo at the top"),
    "plain": ("a simple headline without a picture", "just words at the top"),
    "centred": ("a centred headline", "a calm centred welcome"),
    "card": ("a headline in a box of its own", "a welcome card on a coloured ground"),
    "halves": ("an opening that is half colour and half photo", "a top that is split into two halves"),
    "sign-up": ("a short form right at the top", "a sign-up box beside the headline"),
    "figures": ("a headline with our key figures under it", "some numbers right under the headline"),
}
_FRAMES = {
    "left": ("a sidebar", "a sidebar on the left"),
    "right": ("a sidebar", "a sidebar on the right"),
}
_FOOTERS = {
    "dark line": ("a dark footer", "one line on black at the end"),
    "accent line": ("a coloured footer", "a footer in the main colour"),
    "plain line": ("a thin footer", "a footer under a fine line"),
    "columns": ("a footer with several columns", "a footer with our address"),
    "dark columns": ("a footer with several columns", "a dark footer with our address"),
    "centred links": ("a centred footer", "a footer with a few small links"),
}
_NOTICES = {
    "accent": ("a notice above the header", "an announcement at the very top"),
    "dark": ("a notice above the header", "a dark announcement strip"),
}
_FONTS = {
    "serif": ("in serif letters", "with a bookish typeface"),
    "mono": ("in typewriter letters", "with a monospaced typeface"),
    "sans": ("in a plain modern typeface",),
}
_CORNERS = {
    "square": ("with sharp corners", "with straight edges everywhere"),
    "rounded": ("with rounded corners",),
    "round": ("with very round shapes", "with soft, pill-like buttons"),
    "slight": (),
}
_CARDS = {
    "shadowed": ("with soft shadows",),
    "bordered": ("with thin borders around things",),
    "filled": ("with gently coloured boxes",),
    "bare": ("with no boxes around things",),
}
_DENSITY = {
    "airy": ("with plenty of air", "with generous spacing"),
    "compact": ("without wasted space", "with everything close together"),
    "normal": (),
}
_ALIGN = {"center": ("with everything centred",), "left": ("aligned to the left",)}
_HEADINGS = {
    "large": ("with big headlines",),
    "light": ("with thin, elegant headings",),
    "capitals": ("with headings in capitals",),
    "bold": (),
}
_IN_COLUMNS = ("cards in {} columns", "what we offer in {} columns")
_COLUMN_WORDS = {"2": "two", "3": "three", "4": "four"}
HUE_PHRASES: Mapping[str, tuple[str, ...]] = {
    hue: tuple(pattern.format(word) for pattern in _HUE for word in hue_words) for hue, hue_words in HUE_WORDS.items()
}
LOOK_PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {  # by the fields of a Look
    "ground": _GROUNDS,
    "font": _FONTS,
    "headings": _HEADINGS,
    "align": _ALIGN,
    "corners": _CORNERS,
    "cards": _CARDS,
    "density": _DENSITY,
}
PART_PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {  # by the fields of a Page
    "header": _HEADERS,
    "tone": _TONES,
    "notice": _NOTICES,
    "opening": _OPENINGS,
    "frame": _FRAMES,
    "footer": _FOOTERS,
}


def section_phrases(kind: str) -> tuple[str, ...]:
    """Return all phrases by which a request may name a kind of section."""
    columns = [pattern.format(word) for pattern in _IN_COLUMNS for word in _COLUMN_WORDS.values()]
    return (*KINDS[kind].phrases, *(columns if kind == "cards" else ()))


def aspects_of(page: Page) -> list[Aspect]:
    """Return all decisions of a page."""
    look, domain = page.look, page.domain
    found = [
        Aspect("name", page.name),
        Aspect("colour", f"{look.depth} {look.hue}", "manner", HUE_PHRASES[look.hue]),
        Aspect("ground", look.ground, "manner", _GROUNDS[look.ground]),
        Aspect("buttons", f"{look.buttons} colour" if page.button else "none"),
        Aspect("typeface", look.font, "manner", _FONTS[look.font]),
        Aspect("headings", look.headings, "manner", _HEADINGS[look.headings]),
        Aspect("alignment", look.align, "manner", _ALIGN[look.align]),
        Aspect("corners", look.corners, "manner", _CORNERS[look.corners]),
        Aspect("boxes", look.cards, "manner", _CARDS[look.cards]),
        Aspect("spacing", look.density, "manner", _DENSITY[look.density]),
        Aspect("width", look.width),
        Aspect("bands", look.bands),
        Aspect("header", page.header, "part", _HEADERS[page.header]),
        Aspect("header colour", page.tone, "part", _TONES[page.tone]),
        Aspect("notice", page.notice, "part", _NOTICES.get(page.notice, ())),
        Aspect("opening", page.opening, "part", _OPENINGS[page.opening]),
        Aspect("headline", domain.headlines[page.headline]),
        Aspect("lead", domain.leads[page.lead]),
        Aspect("sidebar", page.frame, "part", _FRAMES.get(page.frame, ())),
        Aspect("footer", page.footer, "part", _FOOTERS.get(page.footer, ())),
        Aspect("order", ", ".join(section.kind for section in page.sections)),
    ]
    for section in page.sections:
        kind = KINDS[section.kind]
        title = titles_of(domain, section.kind)[section.title]
        phrases = kind.phrases
        if section.kind == "cards" and section.variant[0] in _COLUMN_WORDS:
            columns = _COLUMN_WORDS[section.variant[0]]
            phrases = (*phrases, *(pattern.format(columns) for pattern in _IN_COLUMNS))
        found.append(
            Aspect(section.kind, f"{title}: {len(section.items)} in the form {section.variant}", "part", phrases)
        )
    return found
