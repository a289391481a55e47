"""The HTML of a page: Tailwind classes, the stylesheet linked as official pages link it, no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from colbench_gym.tasks.generated_frontend.schema_1.page import Footer, Header, Hero, Page, Section

STYLESHEET = "https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.css"  # the one of official pages
PICTURES = "https://picsum.photos/id/48"  # the one picture of official pages

_CORNERS = {"square": "rounded-none", "rounded": "rounded-lg", "round": "rounded-3xl"}
_BUTTON_CORNERS = {"square": "rounded-none", "rounded": "rounded-lg", "round": "rounded-full"}
_COLUMNS = {1: "grid-cols-1", 2: "grid-cols-2", 3: "grid-cols-3", 4: "grid-cols-4", 5: "grid-cols-5", 6: "grid-cols-6"}
_CARD_PICTURE = {1: (960, 240), 2: (560, 200), 3: (400, 180), 4: (300, 160), 5: (240, 140), 6: (200, 120)}
_YEAR = "2024"

Lines = list[str]


def page_html(page: Page) -> str:
    """The page as a document that begins with ``<html>``, as official references do."""
    body: Lines = []
    if page.header:
        body += _header(page.header, page)
    if page.hero:
        body += _hero(page.hero, page)
    for section in page.sections:
        body += _section(section, page)
    if page.footer:
        body += _footer(page.footer, page)
    opening = f'<body class="font-sans bg-{page.palette.ground} text-{page.palette.text}">'
    return "\n".join(["<html>", f'<link href="{STYLESHEET}" rel="stylesheet">', *_in(opening, body), "</html>"])


def _in(opening: str, inside: Sequence[str]) -> Lines:
    """The lines inside an element, set off."""
    name = opening[1:].split(maxsplit=1)[0].rstrip(">")
    return [opening, *(f"  {line}" for line in inside), f"</{name}>"]


def _tag(name: str, classes: str, text: str) -> str:
    return f'<{name} class="{classes}">{escape(text, quote=False)}</{name}>'


def _picture(width: int, height: int, classes: str, page: Page) -> str:
    return f'<img src="{PICTURES}/{width}/{height}" alt="Picture" class="{classes} {_CORNERS[page.corners]}">'


def _button(text: str, colors: str, page: Page) -> str:
    return _tag("button", f"{colors} font-bold py-2 px-6 {_BUTTON_CORNERS[page.corners]}", text)


def _header(header: Header, page: Page) -> Lines:
    palette = page.palette
    colors = {
        "plain": f"bg-{palette.surface} text-{palette.text} border-b border-{palette.line}",
        "accent": f"bg-{palette.accent} text-white",
        "centred": f"bg-{palette.surface} text-{palette.text} border-b border-{palette.line}",
        "dark": "bg-black text-white",
    }[header.style]
    space = "justify-start space-x-6" if header.style == "dark" else "space-x-6"
    if header.style == "centred":
        space = "justify-center space-x-6"
    links = [f'<a href="#" class="text-base">{escape(link, quote=False)}</a>' for link in header.links]
    if header.button:
        filled = "bg-white text-black" if header.style in ("accent", "dark") else f"bg-{palette.accent} text-white"
        links.append(_button(header.button, filled, page))
    name = _tag("span", "text-2xl font-bold", header.name)
    if header.style == "centred":
        inside = [
            *_in('<div class="text-center mb-2">', [name]),
            *_in(f'<nav class="flex items-center {space}">', links),
        ]
        return _in(f'<header class="{colors} py-4 px-8">', inside)
    between = "justify-start space-x-12" if header.style == "dark" else "justify-between"
    nav = _in(f'<nav class="flex items-center {space}">', links)
    return _in(f'<header class="{colors} flex items-center {between} py-4 px-8">', [name, *nav])


def _hero(hero: Hero, page: Page) -> Lines:
    palette = page.palette
    banner = hero.style == "banner"
    words = [_tag("h1", "text-4xl font-bold mb-4", hero.headline), _tag("p", "text-lg", hero.lead)]
    if hero.button:
        if hero.button_style == "filled":
            colors = "bg-white text-black" if banner else f"bg-{palette.accent} text-white"
        else:
            colors = "border-2 border-white text-white" if banner else f"border-2 border-{palette.title}"
            colors += "" if banner else f" text-{palette.title}"
        words += _in('<div class="mt-6">', [_button(hero.button, colors, page)])
    if banner:
        return _in(f'<section class="bg-{palette.accent} text-white text-center py-16 px-8">', words)
    if hero.style == "plain":
        return _in('<section class="text-left py-12 px-8">', words)
    if hero.style == "picture above":
        text = _in('<div class="text-center py-8 px-8">', words)
        return _in("<section>", [f'<img src="{PICTURES}/1280/300" alt="Picture" class="w-full">', *text])
    text = _in('<div class="w-1/2">', words)
    picture = _in('<div class="w-1/2">', [_picture(600, 320, "w-full", page)])
    sides = [*text, *picture] if hero.style == "picture right" else [*picture, *text]
    return _in('<section class="flex items-center space-x-8 py-10 px-8">', sides)


def _section(section: Section, page: Page) -> Lines:
    title = [_tag("h2", f"text-2xl font-bold mb-4 text-{page.palette.title}", section.title)] if section.title else []
    content = _SETTINGS[section.kind](section, page)
    return _in(f'<section class="py-8 px-8 text-{page.align}">', [*title, *content])


def _card_classes(page: Page) -> str:
    palette = page.palette
    return f"bg-{palette.surface} border border-{palette.line} p-4 {_CORNERS[page.corners]}"


def _cards(section: Section, page: Page) -> Lines:
    columns = min(max(section.columns, 1), max(_COLUMNS))
    cards: Lines = []
    for title, *texts in section.items:
        inside = [_picture(*_CARD_PICTURE[columns], "w-full mb-4", page)] if section.pictures else []
        inside.append(_tag("h3", "text-xl font-bold mb-2", title))
        inside += [_tag("p", "text-base", text) for text in texts]
        cards += _in(f'<div class="{_card_classes(page)}">', inside)
    return _in(f'<div class="grid {_COLUMNS[columns]} gap-6">', cards)


def _story(section: Section, page: Page) -> Lines:
    words = [_tag("p", "text-base", text) for (text,) in section.items]
    if not section.pictures:
        return words
    text = _in('<div class="w-2/3">', words)
    picture = _in('<div class="w-1/3">', [_picture(400, 220, "w-full", page)])
    return _in('<div class="flex items-center space-x-8">', [*text, *picture])


def _prices(section: Section, page: Page) -> Lines:
    cell = f"border border-{page.palette.line} py-2 px-4 text-{page.align}"
    rows: Lines = []
    for row in section.items:
        rows += _in("<tr>", [_tag("td", cell, text) for text in row])
    return _in(f'<table class="w-full bg-{page.palette.surface} text-{page.palette.text}">', rows)


def _quotes(section: Section, page: Page) -> Lines:
    quotes: Lines = []
    for words, *speaker in section.items:
        inside = [_tag("p", "text-lg italic mb-2", words), *(_tag("p", "text-sm font-bold", who) for who in speaker)]
        quotes += _in(f'<div class="border-l-4 border-{page.palette.title} pl-4 py-2">', inside)
    return _in('<div class="grid grid-cols-2 gap-6">', quotes)


def _form(section: Section, page: Page) -> Lines:
    box = f"w-full bg-{page.palette.surface} border border-{page.palette.line} py-2 px-4 mb-4 {_CORNERS[page.corners]}"
    fields = [f'<input type="text" placeholder="{escape(label)}" class="{box}">' for (label,) in section.items]
    send = [_button(section.button, f"bg-{page.palette.accent} text-white", page)] if section.button else []
    return _in(f'<form class="max-w-xl{" mx-auto" if page.align == "center" else ""}">', [*fields, *send])


def _steps(section: Section, page: Page) -> Lines:  # noqa: ARG001  one signature for all
    steps = [_tag("li", "text-lg mb-2", text) for (text,) in section.items]
    return _in('<ol class="list-decimal list-inside">', steps)


def _numbers(section: Section, page: Page) -> Lines:
    figures: Lines = []
    for figure, *meaning in section.items:
        inside = [_tag("p", f"text-4xl font-bold text-{page.palette.title}", figure)]
        inside += [_tag("p", "text-base", text) for text in meaning]
        figures += _in("<div>", inside)
    return _in('<div class="grid grid-cols-3 gap-6">', figures)


def _text(section: Section, page: Page) -> Lines:  # noqa: ARG001  one signature for all
    return [_tag("p", "text-base mb-4", text) for (text,) in section.items]


_SETTINGS = {
    "cards": _cards,
    "story": _story,
    "prices": _prices,
    "quotes": _quotes,
    "form": _form,
    "steps": _steps,
    "numbers": _numbers,
    "text": _text,
}


def _footer(footer: Footer, page: Page) -> Lines:
    line = _tag("p", "text-sm", footer_line(footer.name))
    if footer.style == "dark":
        return _in('<footer class="bg-black text-white text-center py-6 px-8">', [line])
    if footer.style == "accent":
        return _in(f'<footer class="bg-{page.palette.accent} text-white text-left py-6 px-8">', [line])
    colors = f"bg-{page.palette.surface} text-{page.palette.text} border-t border-{page.palette.line}"
    links = [_tag("p", "text-sm", link) for link in footer.links]
    columns = [_tag("p", "text-lg font-bold", footer.name), *_in("<div>", links), line]
    return _in(f'<footer class="{colors} grid grid-cols-3 gap-6 py-6 px-8">', columns)


def footer_line(name: str) -> str:
    """The line at the end of a page."""
    return f"© {_YEAR} {name}. All rights reserved."
