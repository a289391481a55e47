"""Areas of a page and what may be said of them, derived from a layout once more for checking answers."""

from support.page_lookup import logos, middle_in

from colbench_gym.rendering.layout import Rect

AREAS = (
    "header", "footer", "navigation bar", "sidebar", "hero section", "form", "logo", "left column", "middle column", "right column",
)  # fmt: skip


def rects(page, kind):
    """Rectangles that a person may mean by such a word; of columns the side of the page that they take."""
    layout = page.layout
    width, height = layout.width, layout.height
    boxes = [one.rect for one in layout.elements if one.kind == "box"]
    marked = [one.rect for one in layout.elements if one.kind == "navigation"]
    things = [*layout.texts, *(one for one in layout.elements if one.kind in ("picture", "input", "button"))]
    if kind == "navigation bar":
        links = [text.rect for text in layout.texts if text.role == "link" and text.rect.y < 160]
        row = [rect for rect in links if abs(rect.y - links[0].y) < 30]
        return marked[:1] or ([bounds(row)] if len(row) > 1 else [])
    if kind == "header":
        top = [
            rect for rect in boxes + marked if rect.y <= 8 and rect.width >= 0.9 * width and rect.height <= 0.6 * height
        ]
        low = min([one.rect.y + one.rect.height for one in things if one.rect.height < 160] or [0.0])
        return top or [Rect(0, 0, width, max(low, 0) + 120)]
    if kind == "footer":
        bars = [rect for rect in boxes if rect.width >= 0.9 * width and rect.height <= 0.45 * height and rect.y > 8]
        last = [rect for rect in bars if not any(one.rect.y >= rect.y + rect.height for one in things)]
        lowest = max(things, key=lambda one: one.rect.y + one.rect.height, default=None)
        row = [one.rect for one in things if lowest and one.rect.y + one.rect.height > lowest.rect.y]
        return last or [Rect(0, height / 2, width, height / 2), *([bounds(row)] if row else [])]
    if kind == "sidebar":
        return [
            rect
            for rect in boxes + marked
            if rect.width <= 0.36 * width and (rect.x <= 8 or rect.x + rect.width >= width - 8)
        ]
    if kind == "hero section":
        return [Rect(0, 0, width, max(1400.0, 0.6 * height))]
    if kind == "form":
        inputs = [one.rect for one in layout.elements if one.kind == "input"]
        return [bounds(inputs)] if inputs else []
    if kind == "logo":
        return [one.rect for one in logos(layout)]
    left, right = {"left column": (0, 0.6), "middle column": (0.2, 0.8), "right column": (0.3, 1)}[kind]
    return [Rect(left * width, 0, (right - left) * width, height)]


def bounds(some):
    left, top = min(rect.x for rect in some), min(rect.y for rect in some)
    right, bottom = max(rect.x + rect.width for rect in some), max(rect.y + rect.height for rect in some)
    return Rect(left, top, right - left, bottom - top)


def rect_of(page, subject):
    """The rectangle of whatever a subject names, the button's for a text on it; several for an area."""
    if subject.kind == "navigation bar":
        area = rects(page, "navigation bar")
        links = [
            text.rect
            for text in page.layout.texts
            if text.role in ("link", "button") and area and middle_in(text.rect, area[0])
        ]
        return [bounds(links)] if links else area
    if subject.kind in AREAS:
        return rects(page, subject.kind)
    if subject.kind == "page":
        return [Rect(0, 0, page.layout.width, page.layout.height)]
    found = page.find(subject)
    if subject.kind == "button" and hasattr(found, "text"):
        found = page.button(found) or found
    return [found.rect]


def colors(page, subject):
    """Colours that an area may be said to have: of its boxes, else of what it lies on."""
    layout = page.layout
    some = rects(page, subject.kind)
    near = [one.color for one in layout.elements if one.kind in ("box", "navigation") and one.rect in some]
    if "column" in subject.kind or subject.kind in ("hero section", "sidebar"):
        near += [
            one.color
            for one in layout.elements
            if one.kind == "box" and any(middle_in(one.rect, rect) for rect in some)
        ]
    around = [
        one.color for one in layout.elements if one.kind == "box" and any(middle_in(rect, one.rect) for rect in some)
    ]
    return [*near, *around, layout.background]


def counts_fit(page, noun, number):
    """Return whether there may be said to be so many of what is no single element."""
    layout = page.layout
    inputs = [one for one in layout.elements if one.kind == "input"]
    pictures = [one for one in layout.elements if one.kind == "picture"]
    texts = [text for text in layout.texts if text.role in ("heading", "text")]
    if noun in ("navigation bar", "sidebar", "logo") and number:
        return bool(rects(page, noun))
    if noun == "navigation bar":
        return not any(one.kind == "navigation" for one in layout.elements)
    if noun == "sidebar":
        return not any(
            rect.height > 0.65 * layout.height and rect.height > 1.6 * rect.width for rect in rects(page, noun)
        )
    if noun == "logo":
        return not any(
            "logo" in one.label.lower() and one.rect.width <= 0.2 * layout.width and one.rect.height <= 150
            for one in pictures
        )
    if noun == "icon":
        return (sum(max(one.rect.width, one.rect.height) <= 72 for one in pictures) >= number) if number else True
    if noun in ("form", "search field"):
        some = [one for one in inputs if noun == "form" or "search" in one.label.lower()]
        return bool(some) == bool(number)
    if noun == "paragraph":
        return sum(text.role == "text" and len(text.text.split()) >= 8 for text in layout.texts) == number
    if noun == "text":
        return sum(text.role == "text" for text in layout.texts) == number
    if noun == "card":
        boxes = [
            one
            for one in layout.elements
            if one.kind == "box" and any(middle_in(text.rect, one.rect) for text in texts)
        ]
        beside = [
            a
            for a in texts
            if any(a is not b and abs(a.rect.y - b.rect.y) < 40 and abs(a.rect.x - b.rect.x) > 60 for b in texts)
        ]
        return number <= max(len(boxes), len(beside))
    if noun == "column":
        edges = [one.rect for one in [*layout.texts, *layout.elements]]
        return number == 1 or max(side_by_side(edges, rect) for rect in edges) >= number
    if noun in ("header", "footer"):
        return bool(rects(page, noun)) if number else not page.bars(noun)
    return noun in ("map", "table") and number == 0


def side_by_side(some, rect):
    """Count the rectangles that stand apart from left to right on the line through the middle of one."""
    middle = rect.y + rect.height / 2
    met = sorted((one for one in some if one.y <= middle <= one.y + one.height), key=lambda one: (one.x, one.width))
    narrow = [one for one in met if one.width < 900]
    number, end = 0, -1.0
    for one in sorted(narrow, key=lambda one: one.x + one.width):
        if one.x >= end - 2:
            number, end = number + 1, one.x + one.width
    return number


def holds_item(page, rect, item):
    for found in [page.find(item)] if item.text or item.ordinal else rect_list(page, item):
        inner = found if isinstance(found, Rect) else found.rect
        x, y = inner.x + inner.width / 2, inner.y + inner.height / 2
        if rect.x - 2 <= x <= rect.x + rect.width + 2 and rect.y - 2 <= y <= rect.y + rect.height + 2:
            return True
    return False


def rect_list(page, item):
    return rects(page, item.kind)
