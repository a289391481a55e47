"""Checks what the page critic says against the two layouts, from the text of a reply alone.

Nothing of the code that finds differences is used: names are looked up, boxes, places, colours and sizes are derived
here once more.
"""

import math
import re

from support.color_truth import colorfulness, is_color, luma
from support.page_areas import (
    AREAS,
    colors,
    counts_fit,
    holds_item,
    rect_of,
    rects,
)
from support.page_lookup import TEXTS, Page, says, stands, words

from colbench_gym.page_language.sentences import read_statements, say

SHARES = {
    "a tenth": 0.1, "a fifth": 0.2, "a quarter": 0.25, "a third": 0.333, "two fifths": 0.4, "half": 0.5, "three fifths": 0.6,
    "two thirds": 0.667, "three quarters": 0.75, "four fifths": 0.8, "nine tenths": 0.9, "all": 1.0,
}  # fmt: skip
RATIOS = {
    "less than half as large": (0.0, 0.46), "half as large": (0.44, 0.59), "two thirds as large": (0.56, 0.72),
    "a quarter smaller": (0.69, 0.82), "a bit smaller": (0.79, 0.999), "a bit larger": (1.001, 1.21), "a quarter larger": (1.18, 1.39),
    "half as large again": (1.35, 1.75), "twice as large": (1.7, 2.5), "three times as large": (2.4, 3.5), "four times as large": (3.4, 99.0),
}  # fmt: skip
ALIGNS = {"aligned left": "left", "centred": "center", "aligned right": "right", "justified": "justify"}


def lies(reply, wanted, got=None, limit=1000):
    """Return what of a reply is not true of the two layouts, as messages; got is None where there is no page."""
    found = [] if len(reply) <= limit else [f"{len(reply)} characters"]
    statements = read_statements(reply)
    found += [f"not a statement: {one.wanted!r}" for one in statements if one.kind == "unread"]
    covered = " ".join(match.group() for match in re.finditer(r"(?:“[^”]*”|[^“.])+\.", reply))
    if re.sub(r"\s+", "", covered) != re.sub(r"\s+", "", reply):
        found.append("the reply is more than whole sentences")
    if re.search(r"<[a-z/!]|class=|</", reply):
        found.append("HTML")
    for quoted in re.findall("“([^”]*)”", reply):
        if len(quoted.replace("…", "").split()) > 30 or len(quoted) > 195:
            found.append(f"a long quote: {quoted!r}")
    for statement in statements:
        if statement.kind == "unread":
            continue
        try:
            true = CHECKS[statement.kind](statement, Page(wanted), None if got is None else Page(got))
        except LookupError as error:
            found.append(f"{say([statement])} ({error})")
            continue
        if not true:
            found.append(say([statement]))
    return found


def near_pixels(value, said, slack=6.0):
    number = float(said.split()[0])
    return abs(value - number) <= max(slack, 0.07 * max(value, number))


def near_share(value, said):
    ranked = sorted(SHARES, key=lambda name: abs(SHARES[name] - value))
    return said in ranked[:2] and abs(SHARES[said] - value) <= max(0.08, 0.0 if value <= 1 else value)


def middle_of_in(inner, outer):
    x, y = inner.x + inner.width / 2 - outer.x, inner.y + inner.height / 2 - outer.y
    return -2 <= x <= outer.width + 2 and -2 <= y <= outer.height + 2


def held(s, wanted, got):
    boxed = s.subject.kind == "box around"
    areas = [wanted.find(s.subject).rect] if boxed else rects(wanted, s.subject.kind)
    return any(all(holds_item(wanted, rect, item) for item in s.items) for rect in areas)


def missing(s, wanted, got):
    if s.subject.kind == "box around":
        text = s.subject
        box = wanted.find(text)
        theirs = got.all(text)[max(text.ordinal, 1) - 1]
        return box is not None and got.box(theirs) is None
    mine = wanted.all(s.subject)
    nth = max(s.subject.ordinal, 1)
    if s.subject.text:
        this = [wanted.find(s.subject)]
        if len(got.all(s.subject)) >= nth or (
            s.subject.kind in TEXTS and getattr(this[0], "role", s.subject.kind) != s.subject.kind
        ):
            return False
        if s.subject.words and len(this[0].text.split()) != s.subject.words:
            return False
    else:
        this = mine
        if len(mine) <= len(got.all(s.subject)):
            return False
    if s.wanted == "at the top":
        others = [*wanted.layout.texts, *(one for one in wanted.layout.elements if one.kind in ("picture", "input"))]
        return any(not any(stands(o.rect, one.rect, "above") for o in others if o is not one) for one in this)
    if not s.wanted:
        return True
    anchors = wanted.all(s.other) if not (s.other.text or s.other.ordinal) else [wanted.find(s.other)]
    return any(stands(one.rect, other.rect, s.wanted) for one in this for other in anchors if one is not other)


def unwanted(s, wanted, got):
    if s.subject.kind == "box around":
        theirs = wanted.all(s.subject)[max(s.subject.ordinal, 1) - 1]
        return got.find(s.subject) is not None and wanted.box(theirs) is None
    found = got.find(s.subject)
    if s.subject.kind in TEXTS and getattr(found, "role", s.subject.kind) != s.subject.kind:
        return False
    if not s.subject.text:
        return len(got.all(s.subject)) > len(wanted.all(s.subject))
    return len(wanted.all(s.subject)) < max(s.subject.ordinal, 1)


def holds(page, kind, quoted):
    core = quoted.removeprefix("… ").removesuffix(" …")
    if quoted.startswith("… "):
        return any(core in words(text.text) for text in page.layout.texts if kind in (text.role, None))
    return any(says(text.text, quoted) for text in page.layout.texts if kind in (text.role, None))


def wording(s, wanted, got):
    kind = s.subject.kind
    if kind == "input":
        return any(says(one.label, s.wanted) for one in wanted.layout.elements if one.kind == "input")
    if not holds(wanted, kind, s.wanted):
        return False
    if got is None or not s.got:
        return True
    return holds(got, None, s.got) and not holds(wanted, None, s.got) and not holds(got, None, s.wanted)


def columns(page, items):
    rects = [page.find(item).rect for item in items]
    rows = [sum(r.y <= one.y + one.height / 2 <= r.y + r.height for r in rects) for one in rects]
    return max(rows)


def shifted(s, wanted, got):
    pixels, way = s.wanted.split(" further ")
    mine, theirs = wanted.find(s.subject).rect, got.find(s.subject).rect
    by_middle = mine.x + mine.width / 2 - theirs.x - theirs.width / 2
    moved = {"right": by_middle, "left": -by_middle, "down": mine.y - theirs.y, "up": theirs.y - mine.y}[way]
    return moved > 0 and near_pixels(moved, pixels)


def space(page, s):
    upper, lower = page.find(s.subject).rect, page.find(s.other).rect
    return max(0.0, lower.y - upper.y - upper.height)


def two(check):
    """A check of one page, done on both."""

    def both(s, wanted, got):
        if not check(s, wanted, s.wanted):
            return False
        return not s.got or (check(s, got, s.got) and s.wanted != s.got)

    return both


def counted(s, page, said):
    number, _, noun = said.partition(" ")
    if number == "none":
        number, noun = "no", "card"
    kind = (noun or s.wanted.partition(" ")[2]).removesuffix("s")
    if any(page.find(item).role != kind if kind != "input" else False for item in s.items):
        return False
    if kind not in ("heading", "link", "button", "picture", "input"):
        return counts_fit(page, kind, {"no": 0, "a": 1, "an": 1}.get(number) if not number.isdigit() else int(number))
    if number in ("a", "an"):
        number = "1"
    if kind in ("heading", "link", "button"):
        there = sum(text.role == kind for text in page.layout.texts)
    else:
        there = sum(one.kind == kind for one in page.layout.elements)
    return there == (0 if number == "no" else int(number))


def enumerated(s, wanted, got):
    kind = s.wanted.removesuffix("s")
    if kind == "input":
        places = [
            next(
                at
                for at, one in enumerate(wanted.layout.elements)
                if one.kind == "input" and says(one.label, item.text)
            )
            for item in s.items
        ]
        return places == sorted(places)
    found = [wanted.find(item) for item in s.items]
    if kind == "text":
        return all(hasattr(one, "text") for one in found)
    ordered = [(round(one.rect.y), one.rect.x) for one in found]
    return ordered == sorted(ordered) and all(one.role == kind for one in found)


def bordered(s, page, said):
    border = page.shape(s.subject).border
    return (
        border is None
        if said == "no border"
        else border is not None and is_color(border, said.split(" ", 1)[1].removesuffix(" border"))
    )


def cornered(s, page, said):
    shape = page.shape(s.subject)
    radius, half = shape.radius_px, shape.rect.height / 2
    bounds = {
        "square": (0, 2), "slightly rounded": (1.4, 6.1), "rounded": (5.9, 12.1), "strongly rounded": (11.9, 999),
        "fully round": (0.88 * half, 1e9),
    }  # fmt: skip
    low, high = bounds[said]
    return low <= radius <= high


def shaded(s, wanted, got):
    mine, theirs = wanted.color(s.subject), got.color(s.subject)
    return (
        mine != theirs
        and {
            "darker": luma(mine) < luma(theirs) + 0.02,
            "lighter": luma(mine) > luma(theirs) - 0.02,
            "stronger": colorfulness(mine) > colorfulness(theirs) - 0.05,
            "paler": colorfulness(mine) < colorfulness(theirs) + 0.05,
        }[s.wanted]
    )


def placed(s, wanted, got):
    if s.wanted == "on top of":
        picture = rect_of(wanted, s.other)[0]
        around = [rect for rect in rect_of(wanted, s.subject) if middle_of_in(rect, picture)]
        return bool(around)
    if s.subject.kind in AREAS or s.other.kind in AREAS:
        return any(
            stands(one, other, s.wanted) for one in rect_of(wanted, s.subject) for other in rect_of(wanted, s.other)
        )
    mine = stands(wanted.find(s.subject).rect, wanted.find(s.other).rect, s.wanted)
    return mine and (not s.got or stands(got.find(s.subject).rect, got.find(s.other).rect, s.got))


def colored(s, page, said):
    if s.subject.kind in AREAS:
        return any(is_color(color, said) for color in colors(page, s.subject))
    return is_color(page.color(s.subject), said)


def wide(s, page, said):
    if "column" in s.subject.kind:
        return near_share(1 / 2, said) or near_share(1 / 3, said) or any(
            near_share(one.rect.width / page.layout.width, said) for one in page.layout.elements if one.kind == "box"
        )  # fmt: skip
    if s.subject.kind in AREAS:
        return any(near_share(rect.width / page.layout.width, said) for rect in rects(page, s.subject.kind))
    shape = page.find(s.subject) if s.subject.kind in ("text", "heading") else page.shape(s.subject)
    return near_share(shape.rect.width / page.layout.width, said)


def looks_right(s, wanted, got):
    """No text, picture or input too many or too few, and no colour, size or place that strikes the eye."""
    mine, theirs = wanted.layout, got.layout
    if sorted(words(t.text) for t in mine.texts) != sorted(words(t.text) for t in theirs.texts):
        return False
    for kind in ("picture", "input"):
        if sum(one.kind == kind for one in mine.elements) != sum(one.kind == kind for one in theirs.elements):
            return False
    if math.dist(mine.background, theirs.background) > 40:
        return False
    pairs = zip(sorted(mine.texts, key=order), sorted(theirs.texts, key=order), strict=True)
    return all(
        math.dist(a.color, b.color) <= 40 and math.dist(a.background, b.background) <= 40
        and abs(a.font_px - b.font_px) < 1.01 and abs(a.rect.x - b.rect.x) < 40
        for a, b in pairs
    )  # fmt: skip


def order(text):
    return words(text.text), round(text.rect.y), text.rect.x


def said_font(s, wanted, got):
    low, high = RATIOS[s.wanted]
    return low <= wanted.find(s.subject).font_px / got.find(s.subject).font_px <= high


def high(s, page, said):
    if s.subject.kind in AREAS and s.subject.kind != "page":
        return any(near_pixels(rect.height, said) for rect in rects(page, s.subject.kind)) or s.subject.kind in (
            "hero section",
            "header",
        )
    found = page.find(s.subject) if s.subject.kind == "page" else page.shape(s.subject)
    return near_pixels(found.height if s.subject.kind == "page" else found.rect.height, said)


CHECKS = {
    "holds": held,
    "missing": missing,
    "unwanted": unwanted,
    "wording": wording,
    "length": two(lambda s, page, said: len(page.find(s.subject).text.split()) == int(said)),
    "place": placed,
    "columns": two(lambda s, page, said: columns(page, s.items) == int(said.split()[0])),
    "color": two(colored),
    "shade": shaded,
    "font": said_font,
    "bold": two(lambda s, page, said: page.find(s.subject).bold == (said == "bold")),
    "align": two(lambda s, page, said: page.find(s.subject).align == ALIGNS[said]),
    "shift": shifted,
    "gap": two(lambda s, page, said: near_pixels(space(page, s), said)),
    "width": two(wide),
    "height": two(high),
    "corners": two(cornered),
    "border": two(bordered),
    "role": two(
        lambda s, page, said: bool(rects(page, "logo")) if said == "picture" else page.find(s.subject).role == said
    ),
    "count": two(counted),
    "order": enumerated,
    "right": looks_right,
    "show": lambda s, wanted, got: got is None,
    "broken": lambda s, wanted, got: got is not None and not got.layout.texts,
    "unknown": lambda s, wanted, got: True,
    "refused": lambda s, wanted, got: True,
}
