"""Forty kinds of change to a page, each in three degrees: every degree is obviously more wrong than the one before.

Obviously means by construction, whatever the page is: changes add to what the page has (a padding of 36 pixels may be
nearer to the page than one of 20), and each degree holds all of the one before.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Sequence

from bs4 import BeautifulSoup, NavigableString, Tag

OTHER_WORDS = "quartz vixens juggle bumpy foxglove jars while zinc owls hum under seven grey moons"
TEXT_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "td", "th", "a", "button", "span", "label", "div")
HUES = {
    "blue": "green",
    "green": "red",
    "red": "indigo",
    "indigo": "yellow",
    "yellow": "pink",
    "pink": "blue",
    "purple": "green",
    "gray": "yellow",
}
_COLORED = re.compile(r"^(bg|text|border|from|to)-(\w+)-(\d+)$")
Degree = int  # 0, 1 or 2
Change = Callable[[BeautifulSoup, Degree], None]


def texts(page: BeautifulSoup) -> list[Tag]:
    """Return the elements with words of their own, in document order."""
    body = page.body or page
    return [
        tag
        for tag in body.find_all(TEXT_TAGS)
        if any(isinstance(child, NavigableString) and child.strip() for child in tag.children)
    ]


def parts(page: BeautifulSoup) -> list[Tag]:
    """Return the children of the first container that has several."""
    box: Tag = page.body or page
    while True:
        children = [
            tag
            for tag in box.find_all(True, recursive=False)
            if tag.name not in ("link", "style", "script", "title", "meta", "head")
        ]
        if len(children) != 1 or not children[0].find_all(True, recursive=False):
            return children
        box = children[0]


def some(items: Sequence[Tag], degree: Degree) -> list[Tag]:
    """Return the longest one, about half, or all of them; each degree holds the one before."""
    ranked = sorted(items, key=lambda tag: -len(tag.get_text(strip=True)))
    return ranked[: max(1, (1, (len(ranked) + 1) // 2, len(ranked))[degree])]


def style(tag: Tag, css: str) -> None:
    """Add to the element's own style."""
    tag["style"] = f"{str(tag.get('style', '')).rstrip('; ')};{css}".lstrip(";")


def reword(tag: Tag, share: float = 1.0) -> None:
    """Replace that share of the element's own words."""
    other = OTHER_WORDS.split()
    for child in [child for child in tag.children if isinstance(child, NavigableString) and child.strip()]:
        words = child.split()
        count = max(1, round(share * len(words)))
        child.replace_with(" ".join([*(other[i % len(other)] for i in range(count)), *words[count:]]))


def every(css: Sequence[str], select: Callable[[BeautifulSoup], list[Tag]]) -> Change:
    """Return a change that gives each selected element the style of the degree."""

    def change(page: BeautifulSoup, degree: Degree) -> None:
        for tag in select(page):
            style(tag, css[degree])

    return change


def few(css: str, select: Callable[[BeautifulSoup], list[Tag]]) -> Change:
    """Return a change that gives one, half or all of the selected elements a style."""

    def change(page: BeautifulSoup, degree: Degree) -> None:
        for tag in some(found, degree) if (found := select(page)) else ():
            style(tag, css)

    return change


def body(page: BeautifulSoup) -> list[Tag]:
    return [page.body or page.find(True)]  # type: ignore[list-item]  # every page has an element


def pictures(page: BeautifulSoup) -> list[Tag]:
    return list(page.find_all("img"))


def pushed(page: BeautifulSoup) -> list[Tag]:
    return list(page.find_all(["button", "a", "input"]))


def boxes(page: BeautifulSoup) -> list[Tag]:
    return [tag for tag in page.find_all(True) if any(name.startswith("bg-") for name in tag.get("class", []))]


def padded(page: BeautifulSoup) -> list[Tag]:
    return [
        tag
        for tag in page.find_all(True)
        if any(re.fullmatch(r"p[xytblr]?-\d+", name) for name in tag.get("class", []))
    ]


def containers(page: BeautifulSoup) -> list[Tag]:
    return [tag for tag in page.find_all(True) if {"flex", "grid"} & set(tag.get("class", []))]


def recolor(
    rename: Callable[[str, int], tuple[str, int]], prefixes: Sequence[str] = ("bg", "text", "border", "from", "to")
) -> Change:
    """Return a change of the colour classes of one, half or all of the coloured elements."""

    def change(page: BeautifulSoup, degree: Degree) -> None:
        colored = [
            tag
            for tag in page.find_all(class_=True)
            if any((m := _COLORED.match(name)) and m[1] in prefixes for name in tag["class"])
        ]
        for tag in some(colored, degree) if colored else ():
            tag["class"] = [_renamed(name, rename, prefixes) for name in tag["class"]]

    return change


def _renamed(name: str, rename: Callable[[str, int], tuple[str, int]], prefixes: Sequence[str]) -> str:
    match = _COLORED.match(name)
    if match is None or match[1] not in prefixes:
        return name
    hue, shade = rename(match[2], int(match[3]))
    return f"{match[1]}-{hue}-{shade}"


def typos(page: BeautifulSoup, degree: Degree) -> None:
    for tag in some(texts(page), degree):
        for child in [child for child in tag.children if isinstance(child, NavigableString) and len(child.strip()) > 4]:
            child.replace_with(str(child).replace("e", "", 1 + degree).replace("a", "", 1 + degree))


def other_words(page: BeautifulSoup, degree: Degree) -> None:
    for tag in some(texts(page), degree):
        reword(tag)


def partly_other_words(page: BeautifulSoup, degree: Degree) -> None:
    for tag in texts(page):
        reword(tag, (0.2, 0.5, 0.9)[degree])


def fewer_words(page: BeautifulSoup, degree: Degree) -> None:
    for tag in texts(page):
        for child in [child for child in tag.children if isinstance(child, NavigableString) and child.strip()]:
            words = child.split()
            child.replace_with(" ".join(words[: max(1, round((0.8, 0.5, 0.15)[degree] * len(words)))]))


def missing_texts(page: BeautifulSoup, degree: Degree) -> None:
    for tag in some(texts(page), degree):
        for child in [child for child in tag.children if isinstance(child, NavigableString)]:
            child.extract()


def extra_texts(page: BeautifulSoup, degree: Degree) -> None:
    for number in range((1, 4, 12)[degree]):
        extra = page.new_tag("p")
        extra.string = f"{number} {OTHER_WORDS}"
        body(page)[0].append(extra)


def swapped_texts(page: BeautifulSoup, degree: Degree) -> None:
    children = [next(c for c in tag.children if isinstance(c, NavigableString) and c.strip()) for tag in texts(page)]
    pairs = list(zip(children[::2], children[1::2], strict=False))
    for one, other in pairs[: max(1, (1, (len(pairs) + 1) // 2, len(pairs))[degree])]:
        words, others = str(one), str(other)
        one.replace_with(others)
        other.replace_with(words)


def missing_pictures(page: BeautifulSoup, degree: Degree) -> None:
    for tag in some(pictures(page), degree) if pictures(page) else ():
        tag.decompose()


def missing_parts(page: BeautifulSoup, degree: Degree) -> None:
    smallest_first = sorted(parts(page), key=lambda part: len(str(part)))
    last = len(smallest_first) - 1
    for tag in smallest_first[: (min(1, last), (last + 1) // 2, last)[degree]]:
        tag.decompose()


def cut_short(page: BeautifulSoup, degree: Degree) -> None:
    found = [
        tag
        for tag in page.find_all(True)
        if tag.find(True) is None and tag.name not in ("link", "meta", "title", "style")
    ]
    for tag in found[int((0.85, 0.5, 0.2)[degree] * len(found)) :]:
        tag.decompose()


def other_order(page: BeautifulSoup, degree: Degree) -> None:
    found = parts(page)
    if len(found) < 2:
        return
    if degree == 0:
        found[-2].insert_before(found[-1].extract())
    elif degree == 1:
        found[0].insert_before(found[-1].extract())
    else:
        for tag in found[1:]:
            found[0].insert_before(tag.extract())
            found = [tag, *found]


def repeated_parts(page: BeautifulSoup, degree: Degree) -> None:
    found = parts(page)
    for _ in range((1, 3, 8)[degree]):
        found[-1].insert_after(copy.copy(found[-1]))


def without_style(page: BeautifulSoup, degree: Degree) -> None:
    styled = page.find_all(class_=True)
    for tag in styled[: max(1, round((0.25, 0.6, 1.0)[degree] * len(styled)))]:
        del tag["class"]


def covered(page: BeautifulSoup, degree: Degree) -> None:
    cover = page.new_tag("div")
    cover["style"] = f"position:absolute;top:0;left:0;width:100%;height:{(30, 200, 700)[degree]}px;background:#7c2d12"
    body(page)[0].append(cover)


def moved_part(page: BeautifulSoup, degree: Degree) -> None:
    found = some(texts(page), 0)[0]
    style(found, f"position:relative;left:{(15, 90, 420)[degree]}px;top:{(8, 60, 300)[degree]}px")


TINTS = tuple(f"box-shadow:inset 0 0 0 9999px rgba(30,41,59,{alpha})" for alpha in (0.06, 0.25, 0.8))
PADDINGS = tuple(f"border:{width}px solid transparent" for width in (6, 20, 70))  # a background goes on below a border
CHANGES: dict[str, Change] = {
    "typos": typos,
    "other words": other_words,
    "partly other words": partly_other_words,
    "fewer words": fewer_words,
    "capitals": few("text-transform:uppercase", texts),
    "missing texts": missing_texts,
    "extra texts": extra_texts,
    "swapped texts": swapped_texts,
    "color of texts": few("color:#e11d8f", texts),
    "shade of texts": every(("opacity:.9", "opacity:.65", "opacity:.35"), texts),
    "ground of the page": every(TINTS, body),
    "ground of texts": few("background:#b45309", texts),
    "ground of boxes": few("background:#f59e0b", boxes),
    "hues": recolor(lambda hue, shade: (HUES.get(hue, "red"), shade)),
    "hues of grounds": recolor(lambda hue, shade: (HUES.get(hue, "red"), shade), ("bg", "from", "to")),
    "greys": recolor(lambda hue, shade: ("gray", shade)),
    "shades": recolor(lambda hue, shade: (hue, {100: 400, 200: 500, 300: 600, 400: 700}.get(shade, 200))),
    "borders": few("border:4px solid #dc2626", boxes),
    "font sizes": every(("zoom:1.1", "zoom:1.4", "zoom:2.2"), texts),
    "weights": few("font-weight:800", texts),
    "fonts": few("font-family:monospace", texts),
    "padding": every(PADDINGS, padded),
    "room above": every(("padding-top:10px", "padding-top:60px", "padding-top:260px"), body),
    "room on the left": every(("padding-left:10px", "padding-left:80px", "padding-left:400px"), body),
    "narrow": every(("max-width:1200px", "max-width:900px", "max-width:400px"), body),
    "line heights": every(("line-height:1.7", "line-height:2.3", "line-height:4"), texts),
    "letter spacing": every(("letter-spacing:.3px", "letter-spacing:1.5px", "letter-spacing:6px"), texts),
    "size of buttons": every(("padding:6px 14px", "padding:16px 40px", "padding:48px 110px"), pushed),
    "size of pictures": every(("zoom:.9", "zoom:.6", "zoom:.2"), pictures),
    "missing pictures": missing_pictures,
    "corners": every(("border-radius:6px", "border-radius:20px", "border-radius:90px"), boxes),
    "columns": few("display:block", containers),
    "alignment": few("display:block;text-align:right", texts),
    "missing parts": missing_parts,
    "cut short": cut_short,
    "other order": other_order,
    "repeated parts": repeated_parts,
    "without style": without_style,
    "covered": covered,
    "a part moved": moved_part,
}
# The first degree may change all that is seen: of what is coloured, the outermost one holds the most text.
OF_THE_WHOLE = (
    *("without style", "ground of the page", "ground of boxes", "ground of texts"),
    *("hues", "hues of grounds", "greys", "shades"),
)
REMOVALS = ("cut short", "missing parts", "missing pictures")  # nobody can say which of two removals is worse
# Pairs across kinds: (kind, degree) that is nearer to the page than the second one.
ORDERED: tuple[tuple[tuple[str, Degree], tuple[str, Degree]], ...] = (
    *(((kind, 0), ("without style", 2)) for kind in CHANGES if kind not in OF_THE_WHOLE),
    *(((kind, 0), ("cut short", 2)) for kind in CHANGES if kind not in (*REMOVALS, *OF_THE_WHOLE)),
    (("padding", 0), ("hues", 2)),
    (("padding", 1), ("ground of the page", 2)),
    (("typos", 2), ("hues", 2)),
    (("other words", 2), ("without style", 2)),
    (("partly other words", 1), ("without style", 2)),
    (("corners", 0), ("hues", 2)),
    (("letter spacing", 0), ("ground of boxes", 2)),
)


def changed(html: str, kind: str, degree: Degree) -> str:
    """Return the page with one change."""
    page = BeautifulSoup(html, "html.parser")
    CHANGES[kind](page, degree)
    return str(page)
