"""Checks of the statements that only answers have: where things stand, what areas hold, what a page has none of."""

from itertools import pairwise

from support.color_truth import is_color
from support.page_areas import AREAS, bounds, holds_item, mentions, rect_of, rects, spot_fits, spot_of

LETTERS = {"small": (0, 14.6), "normal-sized": (14.4, 20.6), "large": (20.4, 32.6), "very large": (32.4, 999)}


def middle_of_in(inner, outer):
    x, y = inner.x + inner.width / 2 - outer.x, inner.y + inner.height / 2 - outer.y
    return -2 <= x <= outer.width + 2 and -2 <= y <= outer.height + 2


def faced(s, page, said):
    face, writing = said.removesuffix(" writing").split(" with ")
    text = page.find(s.subject)
    return text.role == "button" and is_color(text.background, face) and is_color(text.color, writing)


def held(s, wanted, got):
    boxed = s.subject.kind == "box around"
    areas = [wanted.find(s.subject).rect] if boxed else rects(wanted, s.subject.kind)
    return any(all(holds_item(wanted, rect, item) for item in s.items) for rect in areas)


def tallied(s, wanted, got):
    number, _, noun = s.wanted.partition(" ")
    kind = noun.removesuffix("s")
    for rect in rects(wanted, s.subject.kind):
        some = [text for text in wanted.layout.texts if text.role == kind and middle_of_in(text.rect, rect)]
        some += [one for one in wanted.layout.elements if one.kind == kind != "button" and middle_of_in(one.rect, rect)]
        if len(some) == int(number) and all(holds_item(wanted, rect, item) for item in s.items):
            return True
    return False


def emptied(s, wanted, got):
    if s.subject.kind == "page":
        return not wanted.layout.texts
    inner = [*wanted.layout.texts, *(one for one in wanted.layout.elements if one.kind in ("picture", "input"))]
    return any(not any(middle_of_in(one.rect, rect) for one in inner) for rect in rects(wanted, s.subject.kind))


def backs(s, wanted, got):
    rect, layout = wanted.find(s.subject).rect, wanted.layout
    return rect.x <= 8 and rect.y <= 8 and rect.width >= 0.9 * layout.width and rect.height >= 0.8 * layout.height


def bare(s, wanted, got):
    """Below it comes a larger text, or one as large, or something in another box, or far away, or nothing."""
    this = wanted.find(s.subject)
    low = [
        one
        for one in wanted.layout.texts
        if one is not this
        and one.rect.y >= this.rect.y + this.rect.height - 2
        and one.rect.x < this.rect.x + this.rect.width
        and one.rect.x + one.rect.width > this.rect.x
    ]
    nearest = min(low, key=lambda one: one.rect.y, default=None)
    if nearest is None or nearest.role == "heading" or nearest.bold or nearest.font_px > 18:
        return True
    return nearest.rect.y + nearest.rect.height > 0.5 * wanted.layout.height


def in_row(s, wanted, got):
    some = [wanted.find(item).rect for item in s.items]
    level = all(abs(rect.y + rect.height / 2 - some[0].y - some[0].height / 2) < 20 for rect in some)
    return level and spot_of(wanted, bounds(some), s.wanted)


def compared(s, wanted, got):
    one, other = (rect_of(wanted, subject)[0] for subject in (s.subject, s.other))
    return {
        "wider than": one.width > other.width + 8,
        "as wide as": abs(one.width - other.width) <= 24,
        "higher than": one.height > other.height + 8,
    }[s.wanted]


def outlined(s, wanted, got):
    tops = []
    for item in s.items:
        if item.kind in AREAS:
            some = rects(wanted, item.kind)
            if not some:
                return False
            tops.append(max(rect.y for rect in some) if item.kind == "footer" else min(rect.y for rect in some))
        else:
            tops.append(rect_of(wanted, item)[0].y)
    return all(before <= after + 160 for before, after in pairwise(tops))


def lettered(s, wanted, got):
    name, _, size = s.wanted.partition(", about ")
    low, high = LETTERS[name]
    font = wanted.find(s.subject).font_px
    return low <= font <= high and abs(font - int(size.split()[0])) <= 0.51


def but_these(s, wanted, got):
    """All of a kind are named."""
    layout = wanted.layout
    texts = s.wanted in ("heading", "link", "button")
    there = [
        one for one in (layout.texts if texts else layout.elements) if (one.role if texts else one.kind) == s.wanted
    ]
    named = [rect_of(wanted, item)[0] for item in s.items]
    return len(there) == len(named) > 0 and all(
        any(one.rect == rect or (s.wanted == "button" and middle_of_in(one.rect, rect)) for rect in named)
        for one in there
    )


ANSWER_CHECKS = {  # (statement, wanted page, shown page) -> whether it is true
    "face": lambda s, wanted, got: faced(s, wanted, s.wanted),
    "spot": lambda s, wanted, got: spot_fits(wanted, s.subject, s.wanted),
    "holds": held,
    "tally": tallied,
    "empty": emptied,
    "outline": outlined,
    "backdrop": backs,
    "bare": bare,
    "row": in_row,
    "compare": compared,
    "only": but_these,
    "scrolling": lambda s, wanted, got: s.subject.kind == "page background" or bool(rects(wanted, s.subject.kind)),
    "letters": lettered,
    "mention": lambda s, wanted, got: not mentions(wanted, s.wanted),
    "agreed": lambda s, wanted, got: s.verdict == "yes",
    "unseen": lambda s, wanted, got: True,
    "indifferent": lambda s, wanted, got: True,
    "hint": lambda s, wanted, got: True,
    "enough": lambda s, wanted, got: True,
}
