"""Sections about who is behind it, when and where: story, team, news, hours, contact."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from colbench_gym.tasks.generated_frontend import words
from colbench_gym.tasks.generated_frontend.building.elements import Node, el, picture, say
from colbench_gym.tasks.generated_frontend.building.section_parts import Part, grid, lined, table
from colbench_gym.tasks.generated_frontend.content import address


def _story(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    texts = [say("p", "mb-4 leading-relaxed", text) for (text,) in items]
    if variant == "text":
        return [el("div", "text-lg", texts)]
    if variant == "framed":
        return [el("div", f"border-l-4 border-{style.colors.accent} pl-6 text-lg text-left", texts)]
    if variant == "two columns":
        return [grid(style, 2, texts)]
    side, image = el("div", "w-1/2", texts), el("div", "w-1/2", style.picture(560, 300))
    return [el("div", "flex items-center space-x-8", *([side, image] if variant == "picture right" else [image, side]))]


def _form(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    domain, branch = part.domain, part.branch
    send = words.SEND[branch % len(words.SEND)]
    if variant == "in a row":
        fields = [style.field(label, "flex-1") for (label,) in items]
        return [el("form", "flex items-center space-x-4", fields, style.button(send))]
    fields = [el("div", "mb-4", style.field(label)) for (label,) in items]
    form = el("form", "", fields, style.button(send))
    if variant == "narrow":
        return [el("div", "max-w-xl mx-auto" if style.middle else "max-w-xl", form)]
    if variant == "boxed":
        return [el("div", f"{style.card} p-8 max-w-3xl {'mx-auto' if style.middle else ''}", form)]
    street, town, phone, _ = address(domain, branch)
    details = el("div", "w-1/3 text-left", [say("p", "mb-2", text) for text in (street, town, phone)])
    return [el("div", "flex items-start space-x-12", el("div", "w-2/3", form), details)]


def _news(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "cards":
        cards = [
            el("div", f"{style.card} {style.card_pad}", style.picture(400, 180, "w-full mb-4"), style.muted(date),
               style.subtitle(title, "my-1"), say("p", "", text))
            for title, text, date in items
        ]  # fmt: skip
        return [grid(style, len(items), cards)]
    if variant == "with dates":
        dated = f"w-40 font-bold text-{style.colors.title}"
        return [
            el("div", f"flex items-center border-b border-{style.colors.line} py-4 text-left", say("div", dated, date),
               el("div", "flex-1", style.subtitle(title), say("p", "", text)))
            for title, text, date in items
        ]  # fmt: skip
    return [
        el("div", "mb-6", style.subtitle(title, f"text-{style.colors.title}"), say("p", "", text))
        for title, text, _ in items
    ]


def _team(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "list":
        return [el("div", "max-w-2xl mx-auto" if style.middle else "max-w-2xl", lined(style, items))]
    round_ = f"w-32 h-32 rounded-full object-cover mb-3{' mx-auto' if style.middle else ''}"
    people = []
    for name, role in items:
        square = variant == "square portraits"
        image = style.picture(300, 240, "w-full mb-3", name) if square else picture(200, 200, round_, name)
        people.append(el("div", "", image, style.subtitle(name), style.muted(role, "text-base")))
    return [grid(style, len(items), people)]


def _hours(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "boxes":
        boxes = [
            el("div", f"{style.card} {style.card_pad}", style.subtitle(day, "mb-1"), say("p", "", time))
            for day, time in items
        ]
        return [grid(style, 3, boxes)]
    if variant == "table":
        return [table(style, items)]
    street, town, phone, way = address(part.domain, part.branch)
    details = el("div", "w-1/2 text-left", [say("p", "mb-2", text) for text in (street, town, phone, way)])
    return [el("div", "flex items-start space-x-12", el("div", "w-1/2", lined(style, items)), details)]


def _call(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    ((text, action),) = items
    if variant == "split":
        return [el("div", "flex items-center justify-between", say("p", "text-xl", text), style.button(action))]
    white = "bg-white text-gray-900" if variant.endswith("band") else ""
    inside = [say("p", "text-xl mb-6", text), style.button(action, white)]
    if variant == "framed":
        return [el("div", f"border-2 border-{style.colors.accent} {style.corner} p-8 text-center", inside)]
    return inside


def _subscribe(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    ((text, button),) = items
    white = "bg-gray-900 text-white" if variant == "band" else ""
    middle = "justify-center" if variant == "band" or style.middle else ""
    line = el("div", f"flex {middle} space-x-4", style.field("you@example.org", "w-80"), style.button(button, white))
    inside = [say("p", "text-lg mb-4", text), line]
    return [el("div", f"{style.card} p-8", inside)] if variant == "boxed" else inside


def _partners(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "list":
        return [el("ul", f"{style.dots} text-lg", [say("li", "mb-1", name) for (name,) in items])]
    if variant == "boxes":
        return [grid(style, 4, [el("div", f"{style.card} p-6 text-center", say("p", "text-lg", n)) for (n,) in items])]
    names = [say("span", f"text-xl font-semibold text-{style.colors.muted}", name) for (name,) in items]
    return [el("div", "flex justify-between items-center", names)]


def _history(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    ink = f"text-2xl font-bold text-{style.colors.title}"
    if variant == "table":
        return [table(style, items)]
    shown = [el("div", "mb-5", say("p", ink, year), say("p", "", event)) for year, event in items]
    if variant == "columns":
        return [grid(style, len(items), shown)]
    return [el("div", f"border-l-4 border-{style.colors.accent} pl-6 text-left", shown)]


def _place(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    ((street, town, phone, way),) = items
    texts = [
        say("p", "text-lg font-semibold", street),
        say("p", "text-lg mb-3", town),
        say("p", "mb-1", phone),
        say("p", "", way),
    ]
    if variant == "map below":
        return [*texts, style.picture(1120, 280, "w-full mt-6", "Map")]
    side, image = el("div", "w-1/3", texts), el("div", "w-2/3", style.picture(720, 280, alt="Map"))
    return [el("div", "flex items-center space-x-8", *([side, image] if variant == "map right" else [image, side]))]


_ALL = (_story, _form, _news, _team, _hours, _call, _subscribe, _partners, _history, _place)
PEOPLE_SECTIONS: Mapping[str, Callable[[Part], list[Node]]] = {builder.__name__[1:]: builder for builder in _ALL}
