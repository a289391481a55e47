"""Finds what the words of a statement name on a layout, apart from the code that makes statements."""

TEXTS = ("heading", "text", "link", "button", "label")
SCREEN_ERROR = 2.5  # pixels that things may overlap and still be beside one another


def words(text):
    return " ".join(text.replace("“", "'").replace("”", "'").replace("…", "...").split())


def says(text, quoted):
    """Return whether a text is what a quote names."""
    text = words(text)
    if quoted.endswith(" …"):
        return text.startswith(quoted[:-2]) and len(text) > len(quoted) - 2
    return text == quoted


def logos(layout):
    """Pictures that may be called the logo: those that say so, and small ones."""
    pictures = [one for one in layout.elements if one.kind == "picture" and one.rect.width <= 0.4 * layout.width]
    called = [one for one in pictures if "logo" in one.label.lower()]
    return called + [one for one in pictures if one.rect.width <= 0.2 * layout.width and one.rect.height <= 150]


class Page:
    def __init__(self, layout):
        self.layout = layout

    def all(self, subject):
        """(rect, text block or element) of everything that a subject without an ordinal may mean."""
        if subject.kind in (*TEXTS, "quote", "box around", "background behind", "writing on") and subject.text:
            texts = [text for text in self.layout.texts if says(text.text, subject.text)]
            return sorted(texts, key=lambda text: (round(text.rect.y), text.rect.x))
        if subject.kind == "page":
            return [self.layout]
        if subject.kind in ("header", "footer"):
            return self.bars(subject.kind)
        if subject.kind == "logo":
            return logos(self.layout)[:1]
        kind = subject.kind.removeprefix("blank ")
        found = [one for one in self.layout.elements if one.kind == kind and one.rect.width * one.rect.height > 0]
        if kind in ("button", "box"):
            found = [one for one in found if not any(middle_in(other.rect, one.rect) for other in self.contents())]
        if kind == "box":
            found = [one for one in found if min(one.rect.width, one.rect.height) >= 8]
        if subject.kind == "input":
            found = [one for one in found if (says(one.label, subject.text) if subject.text else not words(one.label))]
        return sorted(found, key=lambda one: (round(one.rect.y), one.rect.x))

    def contents(self):
        return [
            *self.layout.texts,
            *(one for one in self.layout.elements if one.kind in ("picture", "input", "button")),
        ]

    def bars(self, kind):
        boxes = []
        for one in self.layout.elements:
            rect = one.rect
            high = rect.height <= 0.45 * self.layout.height
            wide = rect.width >= 0.9 * self.layout.width
            top = rect.y <= 8
            bottom = rect.y + rect.height >= self.layout.height - 8 and not top
            if one.kind == "box" and high and wide and (top if kind == "header" else bottom):
                boxes.append(one)
        return sorted(boxes, key=lambda one: -one.rect.width * one.rect.height)[:1]

    def find(self, subject):
        found = self.all(subject)
        at = max(subject.ordinal, 1) - 1
        if at >= len(found):
            raise LookupError(f"there is no {subject}")
        if not subject.ordinal and len(found) > 1 and subject.kind != "picture":
            raise LookupError(f"there are {len(found)} of {subject}")
        if subject.kind == "box around":
            box = self.box(found[at])
            if box is None:
                raise LookupError(f"there is no {subject}")
            return box
        return found[at]

    def box(self, text):
        boxes = [one for one in self.layout.elements if one.kind == "box" and inside(text.rect, one.rect)]
        return min(boxes, key=lambda one: one.rect.width * one.rect.height, default=None)

    def button(self, text):
        return next(
            iter(sorted((one for one in self.layout.elements if one.kind == "button" and inside(text.rect, one.rect)),
                        key=lambda one: one.rect.width * one.rect.height)),
            None,
        )  # fmt: skip

    def shape(self, subject):
        """The element that corners, borders and sizes of a subject belong to."""
        found = self.find(subject)
        if subject.kind in ("button", "quote") and hasattr(found, "text"):
            found = self.button(found)
        if found is None or hasattr(found, "text"):
            raise LookupError(f"{subject} has no shape")
        return found

    def color(self, subject):
        found = self.find(subject)
        if subject.kind == "writing on" and found.role != "button":
            raise LookupError(f"{subject.text!r} is no button")
        if subject.kind in ("page", "background behind") or (subject.kind == "button" and subject.text):
            return found.background
        return found.color


def inside(rect, box, off=1.6):
    return (
        box.x <= rect.x + off and box.y <= rect.y + off
        and box.x + box.width >= rect.x + rect.width - off and box.y + box.height >= rect.y + rect.height - off
    )  # fmt: skip


def middle_in(rect, box):
    """Return whether the middle of something smaller is in a box."""
    x, y = rect.x + rect.width / 2 - box.x, rect.y + rect.height / 2 - box.y
    return rect.width * rect.height < box.width * box.height and 0 <= x <= box.width and 0 <= y <= box.height


def stands(one, other, relation):
    off = SCREEN_ERROR
    return {
        "above": one.y + one.height <= other.y + off,
        "below": one.y >= other.y + other.height - off,
        "to the left of": one.x + one.width <= other.x + off,
        "to the right of": one.x >= other.x + other.width - off,
        "beside": one.x + one.width <= other.x + off or one.x >= other.x + other.width - off,
    }[relation]
