"""The sections of a page as elements, a function for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.tasks.generated_frontend import words
from colbench_gym.tasks.generated_frontend.building.elements import Node, el, link, picture, say
from colbench_gym.tasks.generated_frontend.building.style import Style, style_of
from colbench_gym.tasks.generated_frontend.content import Texts, address, items_of, titles_of, unit_of
from colbench_gym.tasks.generated_frontend.domains import Domain
from colbench_gym.tasks.generated_frontend.page import Look, Section


@dataclass(frozen=True)
class Part:
    """What a section is built of.

    Attributes:
        style: of the page.
        items: the texts of each item that it shows.
        variant: of its kind.
        domain, branch: whose words it has.
    """

    style: Style
    items: Sequence[Texts]
    variant: str
    domain: Domain
    branch: int


_PICTURE = {1: (960, 360), 2: (560, 260), 3: (400, 220), 4: (300, 180)}  # by how many stand side by side
_TINTED = ("figures", "call", "subscribe")  # kinds with variants that bring their own ground


@lru_cache(maxsize=65536)
def section_node(domain: Domain, branch: int, section: Section, look: Look, banded: bool, framed: bool) -> Node:
    """Return one section.

    Args:
        domain: whose words it has.
        branch: of the domain.
        section: what it shows and how.
        look: of the page.
        banded: whether it stands on the second ground.
        framed: whether it stands beside a sidebar, so that its contents are not held to a width of their own.
    """
    style = style_of(look)
    content = items_of(domain, branch, section.kind)
    chosen = [content[i] for i in section.items]
    title = titles_of(domain, section.kind)[section.title]
    inside = _BUILDERS[section.kind](Part(style, chosen, section.variant, domain, branch))
    colors = style.colors
    if section.kind in _TINTED and section.variant in ("accent bar", "accent band", "dark band", "band"):
        dark = section.variant == "dark band"
        ground = "bg-gray-900 text-white" if dark else f"bg-{colors.accent} text-{colors.on_accent}"
        heading = say("h2", "text-2xl font-bold mb-4", title)
        return el("section", f"{ground} {style.pad} px-8 text-center", heading, *inside)
    ground = f"bg-{colors.band}" if banded else ""
    within = el("div", "" if framed else style.width, style.title(title), *inside)
    return el("section", f"{ground} {style.pad} {'px-6' if framed else 'px-8'} {style.align}", within)


def _grid(style: Style, columns: int, inside: Sequence[Node]) -> Node:
    return el("div", f"grid grid-cols-{columns} {style.gap}", inside)


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
        return [_grid(style, len(items), cards)]
    columns = int(variant[0])
    pictured = variant.endswith("pictures")
    cards = [
        el("div", f"{style.card} {style.card_pad}",
           style.picture(*_PICTURE[columns], "w-full mb-4") if pictured else None,
           style.subtitle(title, "mb-2"), say("p", "", text))
        for title, text in items
    ]  # fmt: skip
    return [_grid(style, columns, cards)]


def _features(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    mark = f"text-{style.colors.title} font-bold"
    points = [say("li", "mb-2", text) for (text,) in items]
    if variant == "list":
        return [el("ul", "list-disc list-inside text-lg", points)]
    if variant == "beside picture":
        listed = el("ul", "list-disc list-inside text-lg w-1/2 text-left", points)
        return [el("div", "flex items-center space-x-8", el("div", "w-1/2", style.picture(560, 280)), listed)]
    columns = 2 if variant == "two columns" else len(items)
    boxes = [el("div", f"{style.card} {style.card_pad}", say("p", mark, text)) for (text,) in items]
    return [_grid(style, columns, boxes)]


def _story(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    texts = [say("p", "mb-4 leading-relaxed", text) for (text,) in items]
    if variant == "text":
        return [el("div", "text-lg", texts)]
    if variant == "framed":
        return [el("div", f"border-l-4 border-{style.colors.accent} pl-6 text-lg text-left", texts)]
    if variant == "two columns":
        return [_grid(style, 2, texts)]
    side, image = el("div", "w-1/2", texts), el("div", "w-1/2", style.picture(560, 300))
    return [el("div", "flex items-center space-x-8", *([side, image] if variant == "picture right" else [image, side]))]


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
    return [_grid(style, len(items), cards)]


def _table(style: Style, rows: Sequence[Texts]) -> Node:
    cell = f"border-b border-{style.colors.line} py-3 px-4"
    return el(
        "table",
        "w-full text-left",
        [
            el(
                "tr",
                "",
                [say("td", f"{cell} font-semibold" if place == 0 else cell, text) for place, text in enumerate(row)],
            )
            for row in rows
        ],
    )


def _lined(style: Style, rows: Sequence[Texts]) -> list[Node]:
    line = f"flex justify-between border-b border-dotted border-{style.colors.line} py-2"
    return [el("div", line, say("span", "", first), say("span", "font-semibold", last)) for first, last, *_ in rows]


def _prices(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    note = style.muted(f"All prices are {unit_of(part.domain)}, taxes included.", "text-sm mt-4")
    if variant == "table":
        return [_table(style, items), note]
    if variant == "two columns":
        return [el("div", "grid grid-cols-2 gap-x-12", _lined(style, items)), note]
    return [el("div", "max-w-2xl mx-auto" if style.middle else "max-w-2xl", _lined(style, items)), note]


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
    return [_grid(style, 2 if variant == "two columns" else 3, cards)]


def _gallery(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "wide and two":
        small = [style.picture(560, 240, alt=alt) for (alt,) in items[1:]]
        wide = style.picture(1120, 300, "w-full mb-6", items[0][0])
        return [wide, _grid(style, 2, small)]
    if variant == "captions":
        shown = [
            el("div", "", style.picture(400, 240, alt=text), style.muted(text, "text-sm mt-2")) for (text,) in items
        ]
        return [_grid(style, 3, shown)]
    columns = 4 if variant == "four" else 3
    return [_grid(style, columns, [style.picture(*_PICTURE[columns], alt=text) for (text,) in items])]


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


def _figures(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    ink = "" if variant == "accent bar" else f"text-{style.colors.title}"
    box = f"{style.card} {style.card_pad}" if variant == "boxes" else ""
    shown = [
        el("div", f"{box} text-center", say("p", f"text-4xl font-bold {ink}", figure), say("p", "", counted))
        for figure, counted in items
    ]
    return [_grid(style, len(items), shown)]


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
    return [_grid(style, len(items), shown)]


def _questions(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    box = f"{style.card} {style.card_pad} mb-4" if variant == "boxes" else ""
    if variant == "list":
        box = f"border-b border-{style.colors.line} py-4"
    shown = [
        el("div", f"{box} text-left", style.subtitle(question, "mb-1"), say("p", f"text-{style.colors.muted}", answer))
        for question, answer in items
    ]
    return [_grid(style, 2, shown)] if variant == "two columns" else shown


def _news(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "cards":
        cards = [
            el("div", f"{style.card} {style.card_pad}", style.picture(400, 180, "w-full mb-4"), style.muted(date),
               style.subtitle(title, "my-1"), say("p", "", text))
            for title, text, date in items
        ]  # fmt: skip
        return [_grid(style, len(items), cards)]
    if variant == "with dates":
        dated = f"w-32 font-bold text-{style.colors.title}"
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
        return [el("div", "max-w-2xl mx-auto" if style.middle else "max-w-2xl", _lined(style, items))]
    if variant == "square portraits":
        people = [
            el(
                "div",
                "",
                style.picture(300, 240, "w-full mb-3", name),
                style.subtitle(name),
                style.muted(role, "text-base"),
            )
            for name, role in items
        ]
        return [_grid(style, len(items), people)]
    round_ = f"w-32 h-32 rounded-full object-cover mb-3{' mx-auto' if style.middle else ''}"
    people = [
        el(
            "div",
            "",
            picture(200, 200, round_, name),
            style.subtitle(name),
            style.muted(role, "text-base"),
        )
        for name, role in items
    ]
    return [_grid(style, len(items), people)]


def _hours(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    if variant == "boxes":
        boxes = [
            el("div", f"{style.card} {style.card_pad}", style.subtitle(day, "mb-1"), say("p", "", time))
            for day, time in items
        ]
        return [_grid(style, 3, boxes)]
    if variant == "table":
        return [_table(style, items)]
    street, town, phone, way = address(part.domain, part.branch)
    details = el("div", "w-1/2 text-left", [say("p", "mb-2", text) for text in (street, town, phone, way)])
    return [el("div", "flex items-start space-x-12", el("div", "w-1/2", _lined(style, items)), details)]


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
        return [el("ul", "list-disc list-inside text-lg", [say("li", "mb-1", name) for (name,) in items])]
    if variant == "boxes":
        return [_grid(style, 4, [el("div", f"{style.card} p-6 text-center", say("p", "text-lg", n)) for (n,) in items])]
    names = [say("span", f"text-xl font-semibold text-{style.colors.muted}", name) for (name,) in items]
    return [el("div", "flex justify-between items-center", names)]


def _history(part: Part) -> list[Node]:
    style, items, variant = part.style, part.items, part.variant
    ink = f"text-2xl font-bold text-{style.colors.title}"
    if variant == "table":
        return [_table(style, items)]
    shown = [el("div", "mb-5", say("p", ink, year), say("p", "", event)) for year, event in items]
    if variant == "columns":
        return [_grid(style, len(items), shown)]
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


_BUILDERS: Mapping[str, Callable[[Part], list[Node]]] = {
    "cards": _cards,
    "features": _features,
    "story": _story,
    "plans": _plans,
    "prices": _prices,
    "quotes": _quotes,
    "gallery": _gallery,
    "form": _form,
    "figures": _figures,
    "steps": _steps,
    "questions": _questions,
    "news": _news,
    "team": _team,
    "hours": _hours,
    "call": _call,
    "subscribe": _subscribe,
    "partners": _partners,
    "history": _history,
    "place": _place,
    "tags": _tags,
}
