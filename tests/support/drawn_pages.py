"""Layouts drawn by hand, and a renderer that shows them: what the page critic sees, without a browser."""

from dataclasses import replace

from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.layout import Element, Layout, Rect, TextBlock

WHITE, BLACK, NAVY, SILVER, RED = (255, 255, 255), (0, 0, 0), (30, 58, 138), (229, 231, 235), (239, 68, 68)


def text(
    words,
    x,
    y,
    width=200,
    height=24,
    *,
    color=BLACK,
    background=WHITE,
    font_px=16.0,
    bold=False,
    align="left",
    role="text",
):
    return TextBlock(words, Rect(x, y, width, height), color, background, font_px, bold, align, role)


def heading(words, x, y, width=300, height=32, **more):
    return text(words, x, y, width, height, **{"font_px": 24.0, "bold": True, "role": "heading", **more})


def element(kind, x, y, width, height, color=WHITE, *, border=None, radius_px=0.0, label=""):
    return Element(kind, Rect(x, y, width, height), (0, 0, 0) if kind == "picture" else color, border, radius_px, label)


def layout(*parts, background=WHITE, height=720.0):
    parts = sorted(parts, key=lambda part: (part.rect.y, part.rect.x))
    return Layout(
        1280.0, height, background, tuple(part for part in parts if isinstance(part, TextBlock)),
        tuple(part for part in parts if isinstance(part, Element)),
    )  # fmt: skip


BAR = element("box", 0, 0, 1280, 64, NAVY)
NAME = text("Bay Bakery", 32, 16, color=WHITE, background=NAVY, font_px=24.0, bold=True)
LINKS = tuple(
    text(words, 900 + 100 * at, 20, 60, color=WHITE, background=NAVY, role="link")
    for at, words in enumerate(("Home", "Menu", "Contact"))
)
TITLE = heading("Fresh bread every day", 490, 120, align="center", font_px=36.0)
LEAD = text(
    "We bake through the night so that you can have warm rolls for breakfast in the morning.", 340, 180, 600,
    align="center",
)  # fmt: skip
PUSH = element("button", 580, 230, 120, 40, RED, radius_px=8.0, label="Order now")
ORDER = text("Order now", 600, 238, 80, color=WHITE, background=RED, bold=True, role="button")
CARDS = tuple(
    part
    for at, (name, words) in enumerate(
        (("Rye", "Dark and moist."), ("Spelt", "Light and nutty."), ("Oat", "Soft and sweet."))
    )
    for part in (
        element("box", 32 + 410 * at, 320, 396, 260, WHITE, border=SILVER, radius_px=8.0),
        element("picture", 48 + 410 * at, 336, 364, 160),
        heading(name, 48 + 410 * at, 510, 364, 28, font_px=20.0),
        text(words, 48 + 410 * at, 544, 364),
    )
)
BAKERY = layout(BAR, NAME, *LINKS, TITLE, LEAD, PUSH, ORDER, *CARDS)
_CARD = '<div class="bg-white border rounded-lg"><img><h3>{}</h3><p>{}</p></div>'
BAKERY_HTML = (
    '<html><body><header class="bg-blue-900"><span>Bay Bakery</span>'
    "<nav><a>Home</a><a>Menu</a><a>Contact</a></nav></header>"
    f"<section><h1>{TITLE.text}</h1><p>{LEAD.text}</p><button>Order now</button></section><section>"
    + "".join(_CARD.format(CARDS[at].text, CARDS[at + 1].text) for at in range(2, len(CARDS), 4))
    + "</section></body></html>"
)


def without(page, *parts):
    return replace(
        page,
        texts=tuple(one for one in page.texts if one not in parts),
        elements=tuple(one for one in page.elements if one not in parts),
    )


def changed(page, part, **fields):
    """The page with one part replaced; ``x, y, width, height`` go into its rectangle."""
    rect = replace(part.rect, **{name: fields.pop(name) for name in ("x", "y", "width", "height") if name in fields})
    other = replace(part, rect=rect, **fields)
    rest = without(page, part)
    parts = sorted((*rest.texts, *rest.elements, other), key=lambda one: (one.rect.y, one.rect.x))
    return layout(*parts, background=page.background, height=page.height)


class Drawings:
    """A Renderer that shows the layout whose name a page holds, and counts what it is asked."""

    def __init__(self, **layouts):
        self.versions = {"browser": "drawings", "fonts": "none", "assets": "none"}
        self.layouts = layouts
        self.rendered = []
        self.closed = 0

    def render(self, html):
        self.rendered.append(html)
        name = html.removeprefix("<html>").removesuffix("</html>")
        return RenderedPage("rendered", b"", self.layouts[name]) if name in self.layouts else RenderedPage("timed_out")

    def close(self):
        self.closed += 1
