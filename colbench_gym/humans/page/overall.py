"""Facts about the page as a whole: what it consists of, its colours, letters, alignment and boxes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.telling import (
    Wanted,
    alignment,
    color_words,
    listed,
    most_common,
    quoted,
    said,
    several,
    tell,
)
from colbench_gym.humans.page.words import ROLES
from colbench_gym.page_language.color_names import oklab
from colbench_gym.rendering.layout import Color

_COLOURED = 0.05  # OKLab chroma from which a colour is no grey


def overall_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield what concerns the whole page."""
    yield from _outline(wanted)
    yield from _colors(wanted)
    yield from _letters(wanted)
    yield from _boxes(wanted)
    yield (tell("no_static") if "animate" not in wanted.page.source else tell("static"))
    hovers = sorted(set(re.findall(r"hover:(bg|text|underline)", wanted.page.source)))
    if hovers:
        what = {"bg": "their background", "text": "the colour of their letters", "underline": "a line below them"}
        yield tell("hover", names=listed([what[h] for h in hovers]))
    else:
        yield tell("no_hover")


def outline_words(wanted: Wanted) -> list[str]:
    """Return the areas of the page by name, from top to bottom."""
    names = []
    for area in wanted.areas:
        name = wanted.called(area)
        if area.kind == "section" and area.title is not None:
            name = said(area.title.text, 10)
            if area.role:
                name += f" ({ROLES[area.role].name})" if len(wanted.areas) < 10 else ""
        elif area.kind == "opening" and area.title is not None:
            name = f"the opening {said(area.title.text, 10)}"
        names.append(name.replace("the ", "a ", 1) if area.kind in ("header", "footer", "menu", "sidebar") else name)
    return [name.replace("a opening", "an opening") for name in dict.fromkeys(names)]


def _outline(wanted: Wanted) -> Iterator[Fact]:
    names = outline_words(wanted)
    if names:
        yield tell("outline", names=listed(names, 14))
    titled = [area.title.text for area in wanted.sections if area.title]
    content = [area for area in wanted.areas if area.kind in ("section", "opening")]
    if titled and len(content) > 1:
        yield tell(
            "sections",
            many=several(len(content), "section"),
            names=quoted([area.title.text for area in content if area.title], 12),
        )
    headings = [text for area in wanted.areas for text in area.headings]
    if headings:
        start = "should be" if wanted.single(text.text for text in headings) else "are"
        yield tell("headings", start=start, names=quoted(dict.fromkeys(text.text for text in headings), 14))
    between = [area for area in wanted.areas if area.kind in ("section", "opening", "sidebar")]
    for before, area, after in zip([None, *wanted.areas], wanted.areas, [*wanted.areas[1:], None], strict=False):
        if area not in between or not (before or after):
            continue
        where = [
            f"below {wanted.called(before)}" if before else "at the top",
            f"above {wanted.called(after)}" if after else "at the end of the page",
        ]
        third = 3 * (wanted.areas.index(area) + 0.5) / len(wanted.areas)
        place = "near the top" if third < 1 else "in the middle of the page" if third < 2 else "near the end"
        yield tell(
            "order",
            wanted.words(area),
            called=wanted.called(area),
            place=place,
            more=" and ".join(where),
            key=wanted.areas.index(area),
        )
    if not between and wanted.areas:
        yield tell("no_empty")
    height = wanted.layout.height
    if height <= 760:
        yield tell("page_height")


def _colors(wanted: Wanted) -> Iterator[Fact]:
    layout = wanted.layout
    backdrop, element = wanted.page.ground(wanted.page.body)
    whole = next(
        (
            p
            for p in wanted.pictures
            if p.rect.width >= 0.95 * layout.width and p.rect.height >= 0.85 * min(layout.height, 720)
        ),
        None,
    )
    if backdrop is None or (element is None and whole is not None and whole.rect.height >= 0.9 * layout.height):
        fixed = (
            " and stays in place while the page scrolls"
            if "bg-fixed" in wanted.page.body.classes or "bg-fixed" in wanted.page.source
            else ""
        )
        yield tell("colour_page", fixed=fixed)
    else:
        yield tell("colour_page_2", color=color_words(layout.background))
    dark = oklab(layout.background)[0] < 0.5
    accent = accent_of(wanted)
    grounds = list(dict.fromkeys(color_words(area.color) for area in wanted.areas if area.color is not None))
    texts = most_common(text.color for text in layout.texts if text.role in ("text", "heading"))
    yield (tell("scheme", color=color_words(accent)) if accent else tell("scheme_else"))
    if len(grounds) > 1:
        yield tell("grounds", names=listed(grounds, 6))
    if accent:
        where = [name for name, there in _where(wanted, accent) if there]
        if where:
            yield tell("accent", color=color_words(accent), names=listed(where))
    if dark:
        yield tell("darkness")
    if texts:
        yield tell("colour_text", color=color_words(texts))
    heads = most_common(text.color for text in layout.texts if text.role == "heading")
    if heads and heads != texts:
        yield tell("colour_headings", color=color_words(heads))
    links = most_common(text.color for text in layout.texts if text.role == "link")
    if links:
        yield tell("colour_links", color=color_words(links))
    if "gradient" in wanted.page.source:
        yield tell("gradient")


def accent_of(wanted: Wanted) -> Color | None:
    """Return the strongest colour that is used for buttons, areas and headings; None where all is grey."""
    weighed: Counter[Color] = Counter()
    for text in wanted.layout.texts:
        if text.role == "button":
            weighed[text.background] += 3
        weighed[text.color] += 2 if text.role == "heading" else 1
    for element in wanted.layout.elements:
        if element.kind in ("box", "button", "navigation"):
            weighed[element.color] += 2
            if element.border:
                weighed[element.border] += 1
    weighed[wanted.layout.background] += 3
    strong = Counter({color: weight for color, weight in weighed.items() if _chroma(color) >= _COLOURED})
    return strong.most_common(1)[0][0] if strong else None


def _chroma(color: Color) -> float:
    _, green, blue = oklab(color)
    return float((green * green + blue * blue) ** 0.5)


def _where(wanted: Wanted, accent: Color) -> Iterator[tuple[str, bool]]:
    texts = wanted.layout.texts
    for area in wanted.areas:
        yield wanted.called(area), area.color == accent
    yield "the headings", any(text.role == "heading" and text.color == accent for text in texts)
    yield "the buttons", any(text.role == "button" and text.background == accent for text in texts)
    yield "the links", any(text.role == "link" and text.color == accent for text in texts)


def _letters(wanted: Wanted) -> Iterator[Fact]:
    source = wanted.page.source
    classes = wanted.page.body.classes | {name for node in wanted.page.body.every() for name in node.classes}
    named = re.search(r"font-family:\s*['\"]?([\w ]+)", source)
    kind = (
        "letters with serifs"
        if "font-serif" in classes or re.search(r"font-family:[^;]*(?<!sans-)(?<!sans )serif", source)
        else "typewriter letters, all of one width"
        if "font-mono" in classes
        else "plain letters without serifs (sans-serif)"
    )
    family = f", {named.group(1).strip()}" if named else ""
    if "font-serif" in classes or "font-mono" in classes or "font-sans" in classes or named:
        yield tell("font", kind=kind, family=family)
    else:
        yield tell("font_2")
    headings = [text for text in wanted.layout.texts if text.role == "heading"]
    if headings:
        capitals = sum(text.text.isupper() for text in headings) > len(headings) / 2
        bold = sum(text.bold for text in headings) > len(headings) / 2
        look = f"{'bold' if bold else 'not bold'}{' and in capitals' if capitals else ''}"
        yield tell("heading_letters", look=look, number=round(max(t.font_px for t in headings)))
    body = [text for text in wanted.layout.texts if text.role == "text"]
    where = alignment(body or headings)
    if where:
        heads = alignment(headings)
        also = "and so are the headings" if heads == where else f"the headings are {heads}" if heads else ""
        yield tell("alignment", where=where, more=", " + also if also else "")


def _boxes(wanted: Wanted) -> Iterator[Fact]:
    source = wanted.page.source
    boxes = [
        one
        for one in wanted.layout.elements
        if one.kind == "box" and one.rect.width < 0.9 * wanted.layout.width and one.rect.height > 40
    ]
    buttons = [one for one in wanted.layout.elements if one.kind in ("button", "picture")]
    round_ = Counter(_corner(one.radius_px, one.rect.height) for one in [*boxes, *buttons])
    if round_:
        yield tell("corners", more=" or ".join(name for name, _ in round_.most_common(2)))
    if "shadow" in source:
        yield tell("shadow")
    else:
        yield tell("no_shadow")
    wide = [text for text in wanted.layout.texts if text.role != "link"]
    if wide:
        left = min(text.rect.x for text in wide)
        right = max(text.rect.x + text.rect.width for text in wide)
        share = (right - left) / wanted.layout.width
        spread = (
            "goes over almost the full width of the page"
            if share > 0.85
            else f"takes about {round(100 * share)} percent of the width, so there is a margin on the sides"
        )
        yield tell("width", spread=spread)
    gaps = [int(n) for n in re.findall(r"\bp[ty]?-(\d+)\b", source)]
    if gaps:
        mean = sum(gaps) / len(gaps)
        yield tell("spacing", more="generous" if mean >= 7 else "rather tight" if mean <= 3 else "normal")


def _corner(radius: float, height: float) -> str:
    if radius < 1.5:
        return "square"
    return "fully round" if radius >= 0.45 * height else "slightly rounded" if radius < 6 else "rounded"
