"""Sections about what there is: offers, prices, figures, steps and what people say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from colbench_gym.tasks.generated_frontend.building.elements import Node, el, link, say
from colbench_gym.tasks.generated_frontend.building.section_parts import PICTURE_SIZES, Part, grid, lined, table
from colbench_gym.tasks.generated_frontend.content import unit_of


def _cards(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "picture beside":
        rows = [
            el("div", f"flex items-center space-x-6 mb-6 {style.card} {style.card_pad}",
               style.picture(240, 160, "w-60"), el("div", "", style.subtitle(title, "mb-2"), say("p", "", text)))
            for title, text in items
        ]  # fmt: skip
        return [el("div", "text-left", rows)]
    if variant == "numbered":
        badge = f"w-12 h-12 mb-4 flex items-center justify-center rounded-full bg-{style.colors.accent}"
        if style.middle:
            badge += " mx-auto"
        cards = [
            el("div", f"{style.card} {style.card_pad}",
               say("div", f"{badge} text-{style.colors.on_accent} font-bold", f"{number}"),
               style.subtitle(title, "mb-2"), say("p", "", text))
            for number, (title, text) in enumerate(items, start=1)
        ]  # fmt: skip
        return [grid(style, len(items), cards)]
    columns = int(variant[0])
    pictured = variant.endswith("pictures")
    cards = [
        el("div", f"{style.card} {style.card_pad}",
           style.picture(*PICTURE_SIZES[columns], "w-full mb-4") if pictured else None,
           style.subtitle(title, "mb-2"), say("p", "", text))
        for title, text in items
    ]  # fmt: skip
    return [grid(style, columns, cards)]


def _features(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    mark = f"text-{style.colors.title} font-bold"
    points = [say("li", "mb-2", text) for (text,) in items]
    if variant == "list":
        return [el("ul", f"{style.dots} text-lg", points)]
    if variant == "beside picture":
        listed = el("ul", "list-disc list-inside text-lg w-1/2 text-left", points)
        return [el("div", "flex items-center space-x-8", el("div", "w-1/2", style.picture(560, 280)), listed)]
    columns = 2 if variant == "two columns" else len(items)
    boxes = [el("div", f"{style.card} {style.card_pad}", say("p", mark, text)) for (text,) in items]
    return [grid(style, columns, boxes)]


def _plans(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    cards = []
    for place, (name, price, *lines) in enumerate(items):
        strong = variant == "highlighted" and place == 1
        ground = f"bg-{style.colors.accent} text-{style.colors.on_accent} {style.corner}" if strong else style.card
        button = style.button(f"Choose {name}", "bg-white text-gray-900" if strong else "")
        cards.append(
            el("div", f"{ground} p-6 text-center", style.subtitle(name, "mb-2"),
               say("p", "text-4xl font-bold mb-4", price), [say("p", "mb-2", line) for line in lines],
               el("div", "mt-4", button))
        )  # fmt: skip
    return [grid(style, len(items), cards)]


def _prices(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    note = style.muted(f"Prices for {unit_of(part.domain)}, taxes included.", "text-sm mt-4")
    if variant == "table":
        return [table(style, items), note]
    if variant == "two columns":
        return [el("div", "grid grid-cols-2 gap-x-12", lined(style, items)), note]
    return [el("div", "max-w-2xl mx-auto" if style.middle else "max-w-2xl", lined(style, items)), note]


def _quotes(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant

    def quote(words_: str, speaker: str, size: str) -> list[Node]:
        return [say("p", f"{size} italic mb-3", f"“{words_}”"), say("p", f"text-sm text-{style.colors.muted}", speaker)]

    if variant == "single":
        ((text, speaker),) = items
        return [el("div", "text-center max-w-3xl mx-auto", quote(text, speaker, "text-3xl"))]
    if variant == "stacked":
        bar = f"border-l-4 border-{style.colors.accent} pl-4 mb-6 text-left"
        return [el("div", bar, quote(text, speaker, "text-lg")) for text, speaker in items]
    cards = [el("div", f"{style.card} {style.card_pad}", quote(text, speaker, "text-lg")) for text, speaker in items]
    return [grid(style, 2 if variant == "two columns" else 3, cards)]


def _figures(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    ink = "" if variant == "accent bar" else f"text-{style.colors.title}"
    box = f"{style.card} {style.card_pad}" if variant == "boxes" else ""
    shown = [
        el("div", f"{box} text-center", say("p", f"text-4xl font-bold {ink}", figure), say("p", "", counted))
        for figure, counted in items
    ]
    return [grid(style, len(items), shown)]


def _steps(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "list":
        rows = [
            el(
                "li",
                "mb-4",
                say("span", "font-semibold block", title),
                say("span", f"text-{style.colors.muted} block", text),
            )
            for title, text in items
        ]
        return [el("ol", f"list-none border-l-2 border-{style.colors.accent} pl-6 text-left", rows)]
    box = f"{style.card} {style.card_pad}" if variant == "boxes" else f"border-t-4 border-{style.colors.accent} pt-4"
    shown = [el("div", box, style.subtitle(title, "mb-2"), say("p", "", text)) for title, text in items]
    return [grid(style, len(items), shown)]


def _questions(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    box = f"{style.card} {style.card_pad} mb-4" if variant == "boxes" else ""
    if variant == "list":
        box = f"border-b border-{style.colors.line} py-4"
    shown = [
        el("div", f"{box} text-left", style.subtitle(question, "mb-1"), say("p", f"text-{style.colors.muted}", answer))
        for question, answer in items
    ]
    return [grid(style, 2, shown)] if variant == "two columns" else shown


def _tags(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    colors = style.colors
    classes = {
        "pills": f"bg-{colors.accent} text-{colors.on_accent} py-1 px-4 rounded-full",
        "tabs": f"border-b-2 border-{colors.accent} py-2 px-4 font-semibold",
        "links": f"text-{colors.title} underline text-lg",
    }[variant]
    space = "flex justify-center space-x-4" if style.middle else "flex space-x-4"
    return [el("div", space, [link(text, classes) for (text,) in items])]


def _gallery(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "wide and two":
        small = [style.picture(560, 240, alt=alt) for (alt,) in items[1:]]
        wide = style.picture(1120, 300, "w-full mb-6", items[0][0])
        return [wide, grid(style, 2, small)]
    if variant == "captions":
        shown = [
            el("div", "", style.picture(400, 240, alt=text), style.muted(text, "text-sm mt-2")) for (text,) in items
        ]
        return [grid(style, 3, shown)]
    columns = 4 if variant == "four" else 3
    return [grid(style, columns, [style.picture(*PICTURE_SIZES[columns], alt=text) for (text,) in items])]


_ALL = (_cards, _features, _plans, _prices, _quotes, _figures, _steps, _questions, _tags, _gallery)
OFFER_SECTIONS: Mapping[str, Callable[[Part], list[Node]]] = {builder.__name__[1:]: builder for builder in _ALL}
