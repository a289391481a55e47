"""Facts about buttons, pictures, links, contact details and the footer of the page."""

from __future__ import annotations

from collections.abc import Iterator

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.areas import pictures_of
from colbench_gym.humans.page.reading import CLOSING, CONTACT, beside, rows_of
from colbench_gym.humans.page.sections import arranged
from colbench_gym.humans.page.telling import (
    Wanted,
    alignment,
    color_words,
    counted,
    listed,
    most_common,
    quoted,
    said,
    several,
    tell,
)
from colbench_gym.page_language.color_names import name_of
from colbench_gym.rendering.layout import Element

_MOST_BUTTONS = 6  # each told of apart


def detail_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield what concerns single things of the page, and its footer."""
    yield from _buttons(wanted)
    yield from _pictures(wanted)
    yield from _contact(wanted)
    yield from _footer(wanted)


def _buttons(wanted: Wanted) -> Iterator[Fact]:
    labels = [label for area in wanted.areas for label in area.buttons]
    texts = [text for area in wanted.areas for text in area.pushed]
    if not labels:
        return
    yield tell(
        "buttons_3",
        start="should be" if wanted.single(labels) else "are" if len(labels) > 1 else "is",
        many=counted(len(labels), "button"),
        names=quoted(dict.fromkeys(labels), 8),
    )
    told: set[str] = set()
    for area in wanted.areas:
        for text in area.pushed:
            if text.text in told or len(told) >= _MOST_BUTTONS:
                continue
            told.add(text.text)
            element = next(
                (one for one in wanted.layout.elements if one.kind == "button" and one.label == text.text), None
            )
            shape = _shape(element)
            filled = (
                element is None
                or element.border is None
                or element.border != text.color
                or area.color != text.background
            )
            look = f"{name_of(text.background)} with {name_of(text.color)} text, {'filled' if filled else 'outlined'}"
            yield tell(
                "colour_button",
                wanted.words(area)[:6],
                text.text,
                text=said(text.text, 6),
                look=look,
                shape=shape,
                label=text.text,
            )
            yield tell(
                "place_button",
                text.text,
                text=said(text.text, 6),
                called=wanted.called(area),
                side=wanted.side(text.rect),
                label=text.text,
            )
    looks = {(text.background, text.color) for text in texts}
    if len(looks) == 1 and len(texts) > 1:
        ((ground, ink),) = looks
        yield tell("colour_buttons", color=name_of(ground), color2=name_of(ink))


def _shape(element: Element | None) -> str:
    if element is None:
        return ""
    corner = (
        "fully round ends"
        if element.radius_px >= 0.45 * element.rect.height
        else "rounded corners"
        if element.radius_px > 1.5
        else "square corners"
    )
    return f", with {corner}" + (f" and a {name_of(element.border)} border" if element.border else "")


def _pictures(wanted: Wanted) -> Iterator[Fact]:
    pictures = wanted.pictures
    if not pictures:
        return
    places = []
    for area in wanted.areas:
        count = len(area.pictures)
        if count:
            places.append(f"{several(count, 'picture').split()[0]} in {wanted.called(area)}")
    _, element = wanted.page.ground(wanted.page.body)
    if element is not None:
        places.append("one behind the whole page")
    yield tell(
        "pictures_2",
        verb="is" if len(pictures) == 1 else "are",
        many=several(len(pictures), "picture"),
        where=f": {listed(places)}" if places else "",
    )
    for area in wanted.areas:
        for number, one in enumerate(area.pictures[:2]):
            if one is wanted.logo or (area.items and len(area.pictures) > 1):
                continue
            share = one.rect.width / wanted.layout.width
            wide = "over the full width" if share > 0.94 else f"about {round(share * 20) * 5} percent of the width wide"
            which = "the picture" if len(area.pictures) == 1 else f"the {('first', 'second')[number]} picture"
            yield tell(
                "picture",
                wanted.words(area)[:6],
                which=which,
                called=wanted.called(area),
                wide=wide,
                more=round(one.rect.height / 10) * 10,
                more2=_corners(one),
                key=wanted.areas.index(area),
                number=number,
            )
            texts = [text for text in area.texts if text.role != "button"]
            side = [text for text in texts if beside(one.rect, text.rect)]
            below = [text for text in texts if text.rect.y >= one.rect.y + one.rect.height - 2]
            above = [text for text in texts if text.rect.y + text.rect.height <= one.rect.y + 2]
            if side:
                where = (
                    f"to the {'left' if one.rect.x < side[0].rect.x else 'right'} of the text {said(side[0].text, 6)}"
                )
            elif below and above:
                where = f"below {said(above[-1].text, 6)} and above {said(below[0].text, 6)}"
            elif below or above:
                where = f"above {said(below[0].text, 6)}" if below else f"below {said(above[-1].text, 6)}"
            else:
                continue
            if area.kind != "opening":
                yield tell(
                    "picture_place",
                    wanted.words(area)[:6],
                    which=which,
                    called=wanted.called(area),
                    where=where,
                    key=wanted.areas.index(area),
                    number=number,
                )
    round_ = {_corners(one) for one in pictures if one is not wanted.logo}
    if len(round_) == 1:
        shadow = (
            " and a shadow"
            if "shadow" in wanted.page.source
            and any(
                name.startswith("shadow")
                for node in wanted.page.body.every()
                for name in node.classes
                if node.element in pictures
            )
            else ""
        )
        yield tell("picture_corners", more=round_.pop(), shadow=shadow)


def _corners(one: Element) -> str:
    return "square" if one.radius_px < 1.5 else "fully round" if one.radius_px >= 0.45 * one.rect.height else "rounded"


def _contact(wanted: Wanted) -> Iterator[Fact]:
    for area in wanted.areas:
        texts = [text.text for text in area.texts if CONTACT.search(text.text) and len(text.text) < 160]
        if texts and area.kind != "sidebar":
            yield tell(
                "contact",
                area.kind,
                called=wanted.called(area),
                names=listed([said(text) for text in texts[:5]]),
                key=wanted.areas.index(area),
            )


def _footer(wanted: Wanted) -> Iterator[Fact]:
    footer = wanted.first("footer")
    if footer is None:
        return
    if not footer.texts and not footer.pictures:
        look = f", a {color_words(footer.color)} strip" if footer.color else ""
        yield tell("no_footer", look=look)
    else:
        texts = [text.text for text in footer.texts]
        yield tell("footer", names=listed([said(text, 20) for text in texts], 9))
    if footer.color is not None:
        yield tell("colour_footer", color=color_words(footer.color))
        ink = most_common(text.color for text in footer.texts)
        if ink is not None:
            yield tell("colour_footer_text", color=color_words(ink))
    for text in footer.texts:
        if CLOSING.search(text.text):
            yield tell("copyright", text=said(text.text))
            break
    else:
        yield tell("no_copyright")
    if footer.links:
        yield tell(
            "footer_links", many=several(len(footer.links), "link"), names=quoted([text.text for text in footer.links])
        )
    else:
        yield tell("no_footer_links")
    if footer.headings:
        yield tell("footer_headings", names=quoted([text.text for text in footer.headings]))
    node = footer.nodes[0]
    row = next((one.seen for one in node.every() if len(one.seen) > 1), [])
    rects = [kid.rect for kid in row if kid.rect is not None]
    rows = rows_of(rects)
    if len(rects) > 1 and len(rows) == 1 and not all(kid.tag == "a" for kid in row):
        row = sorted(row, key=lambda kid: kid.rect.x if kid.rect else 0.0)
        held = [
            next(
                (said(text.text, 6) for one in kid.every() for text in one.texts),
                "a picture" if pictures_of(kid) else "nothing",
            )
            for kid in row
        ]
        sides = {2: ("on the left", "on the right"), 3: ("on the left", "in the middle", "on the right")}.get(
            len(row), ("",) * len(row)
        )
        parts = [f"{what} {where}".strip() for what, where in zip(held, sides, strict=True)]
        yield tell("footer_columns", many=several(len(row), "column"), names=listed(parts))
    elif rects or footer.texts:
        yield (
            tell("no_footer_columns", stands=arranged(rows))
            if len(rects) > 1
            else tell("no_footer_columns_else", aligned=alignment(footer.texts))
        )
    if footer.texts:
        yield tell("align_footer", aligned=alignment(footer.texts))
    if not footer.inputs:
        yield tell("no_footer_form")
    else:
        yield tell(
            "footer_form",
            more="s" if len(footer.inputs) > 1 else "",
            more2=quoted([one.label for one in footer.inputs if one.label]) or "without words",
        )
