"""A page of any kind as rows of blocks, which a person's statements fill and rearrange."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

from colbench_gym.page_language.color_names import NAMES
from colbench_gym.page_language.statements import CORNERS, RATIOS, SHARES, Statement, Subject, pixels_of
from colbench_gym.tasks.generated_frontend.building.elements import PICTURES, STYLESHEET

_SIZES = {"heading": 24.0}  # pixels; other blocks have the size of plain text
_PLAIN_PX = 16.0
_STEP = 0.12  # of the way to black or white, for "a bit darker"
_FILLER = ("and", "more", "about", "what", "we", "do", "for", "you", "with", "care", "every", "day")
_TEXTS = ("heading", "text", "link", "button", "label", "quote")
_TAGS = {"heading": "h2", "link": "a", "label": "label", "button": "button"}
_LINKS = ("Home", "About", "Contact")
_FIRST_COLORS = re.compile(r"\b(red|orange|yellow|green|blue|purple|pink|brown|gr[ae]y)\b", re.IGNORECASE)
_BUTTON_BLUE = "blue"


@dataclass(eq=False)
class Block:
    """One thing on the page; empty style fields leave it to the page."""

    kind: str
    text: str = ""
    style: dict[str, str] = field(default_factory=dict)
    size_px: float = 0.0

    def html(self) -> str:
        """Return the element."""
        if self.kind == "picture":
            style = {"width": "600px", **self.style}
            return f'<img src="{PICTURES}/600/300" alt="{escape(self.text)}" style="{_css(style)}">'
        if self.kind == "input":
            style = {"border": "1px solid #9CA3AF", "padding": "8px 12px", **self.style}
            return f'<input type="text" placeholder="{escape(self.text)}" style="{_css(style)}">'
        style = {"font-size": f"{self.size_px or _SIZES.get(self.kind, _PLAIN_PX):.0f}px"}
        if self.kind == "heading":
            style["font-weight"] = "700"
        if self.kind == "button":
            style |= {"background": _hex(_BUTTON_BLUE), "color": "#FFFFFF", "padding": "8px 16px"}
        tag = _TAGS.get(self.kind, "p")
        return f'<{tag} style="{_css({**style, **self.style})}">{escape(self.text, quote=False)}</{tag}>'


@dataclass(eq=False)
class Row:
    """Blocks side by side."""

    blocks: list[Block]
    style: dict[str, str] = field(default_factory=dict)
    columns: int = 0

    def pad(self, side: str, pixels: float) -> None:
        """Set it further off, or nearer."""
        now = float(self.style.get(side, "8px").removesuffix("px"))
        self.style[side] = f"{min(800.0, max(0.0, now + pixels)):.0f}px"

    def html(self) -> str:
        """Return the row over the page's whole width."""
        inside = "\n    ".join(block.html() for block in self.blocks)
        style = {"padding": "8px 16px"}
        if self.columns:
            style |= {"display": "grid", "grid-template-columns": f"repeat({self.columns}, 1fr)", "gap": "16px"}
        elif len(self.blocks) > 1:
            style |= {"display": "flex", "align-items": "center", "gap": "24px"}
        return f'  <div style="{_css({**style, **self.style})}">\n    {inside}\n  </div>'


@dataclass(eq=False)
class FreeDraft:
    """A page as it was understood so far."""

    rows: list[Row]
    style: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, request: str) -> FreeDraft:
        """Return the first guess from a request such as ``Kind of business: how the page should be``."""
        name, colon, wishes = " ".join(request.split()).partition(":")
        name, wishes = (name, wishes.lower()) if colon and len(name) < 80 else ("Our Site", request.lower())
        bar = Row([Block("heading", name)], {"padding": "16px"})
        rows = [bar]
        color = _FIRST_COLORS.search(wishes)
        if color:
            bar.style |= {"background": _hex(color[1].lower().replace("gray", "grey")), "color": "#FFFFFF"}
        if re.search(r"\b(navigation|menu|nav)\b", wishes):
            rows.append(Row([Block("link", link) for link in _LINKS]))
        if re.search(r"\b(image|images|picture|pictures|photo|photos|hero|banner|visuals)\b", wishes):
            rows.append(Row([Block("picture", "", {"width": "100%", "height": "400px"})]))
        rows.append(Row([Block("heading", f"Welcome to {name}", size_px=36.0)]))
        welcome = f"At {name} we are dedicated to providing the best possible service to our customers."
        rows.append(Row([Block("text", welcome)]))
        if re.search(r"\b(button|call-to-action|call to action)\b", wishes):
            rows.append(Row([Block("button", "Learn More")]))
        dark = {"background": _hex("very dark grey"), "color": "#FFFFFF"}
        return cls(rows, dark if "dark" in wishes else {"background": "#FFFFFF"})

    def html(self) -> str:
        """Return the page."""
        body = "\n".join(row.html() for row in self.rows if row.blocks)
        link = f'<link href="{STYLESHEET}" rel="stylesheet">'
        return f'<html>\n{link}\n<body class="font-sans" style="{_css(self.style)}">\n{body}\n</body>\n</html>'

    def revise(self, statements: Iterable[Statement]) -> None:
        """Change the page as the statements ask; those that it cannot follow are passed over."""
        said = list(statements)
        waiting = [statement for statement in said if statement.kind == "missing"]
        while waiting:  # what others are placed by comes first
            ready = [s for s in waiting if s.other is None or self._block(s.other) is not None] or waiting
            for statement in ready:
                self._missing(statement)
            waiting = [statement for statement in waiting if statement not in ready]
        for statement in said:
            change = getattr(self, f"_{statement.kind}", None)
            if change is not None and statement.kind != "missing":
                change(statement)

    def _missing(self, said: Statement) -> None:
        subject = said.subject or Subject("page")
        if subject.kind not in (*_TEXTS, "picture", "input"):
            return
        kind = "text" if subject.kind == "quote" else subject.kind
        self._put(Block(kind, _worded(subject.text, subject.words)), said.wanted, self._block(said.other))

    def _unwanted(self, said: Statement) -> None:
        block = self._block(said.subject)
        if block is not None and said.subject is not None:
            if said.subject.kind in ("box around", "background behind"):
                block.style.pop("background", None)
            else:
                self._take(block)

    def _wording(self, said: Statement) -> None:
        old = said.got.strip("… ")
        block = next((candidate for candidate in self._blocks() if old and old.lower() in candidate.text.lower()), None)
        if block is not None:
            start, words = block.text.lower().index(old.lower()), len(block.text.split())
            new = block.text[:start] + said.wanted.strip("… ") + block.text[start + len(old) :]
            block.text = " ".join(new.split()[:words]) if "…" in said.wanted else new
        elif said.subject is not None and not said.got and self._text(said.wanted) is None:
            self._put(Block(said.subject.kind, _worded(said.wanted, 0)), "", None)

    def _length(self, said: Statement) -> None:
        block = self._block(said.subject)
        if block is not None:
            block.text = _worded(" ".join(block.text.split()[: int(said.wanted)]), int(said.wanted))

    def _place(self, said: Statement) -> None:
        block, neighbour = self._block(said.subject), self._block(said.other)
        if block is not None and neighbour is not None and block is not neighbour:
            self._take(block)
            self._put(block, said.wanted, neighbour)

    def _columns(self, said: Statement) -> None:
        blocks = [block for item in said.items if (block := self._block(item))]
        if blocks:
            row = next(row for row in self.rows if blocks[0] in row.blocks)
            for block in blocks[1:]:
                if block not in row.blocks:
                    self._take(block)
                    row.blocks.append(block)
            row.columns = int(said.wanted.split()[0])

    def _color(self, said: Statement) -> None:
        subject = said.subject or Subject("page")
        color = _hex(said.wanted)
        block = self._block(subject)
        if subject.kind == "page":
            self.style["background"] = color
        elif subject.kind in ("header", "footer") and not subject.text:
            self.rows[-1 if subject.kind == "footer" else 0].style["background"] = color
        elif block is None:
            return
        elif block.kind == "button" and subject.kind != "writing on":
            block.style["background"] = color
        elif subject.kind in ("box around", "background behind"):
            next(row for row in self.rows if block in row.blocks).style["background"] = color
        else:
            block.style["color"] = color

    def _font(self, said: Statement) -> None:
        block = self._block(said.subject)
        if block is not None:
            block.size_px = (block.size_px or _SIZES.get(block.kind, _PLAIN_PX)) * RATIOS.get(said.wanted, 1.0)

    def _bold(self, said: Statement) -> None:
        self._restyle(said, "font-weight", "700" if said.wanted == "bold" else "400")

    def _align(self, said: Statement) -> None:
        align = {"centred": "center", "aligned right": "right", "justified": "justify"}.get(said.wanted, "left")
        block = self._block(said.subject)
        if block is not None:
            row = next(row for row in self.rows if block in row.blocks)
            row.style |= {
                "text-align": align,
                "justify-content": {"left": "flex-start", "right": "flex-end"}.get(align, align),
            }
            if block.kind == "picture":
                block.style |= {"margin": "0 auto" if align == "center" else "0"}

    def _width(self, said: Statement) -> None:
        share = SHARES.get(said.wanted)
        if share and _is(said.subject, "picture", "input", "button"):
            self._restyle(said, "width", f"{1280 * share:.0f}px")

    def _height(self, said: Statement) -> None:
        if _is(said.subject, "picture", "input"):
            self._restyle(said, "height", f"{pixels_of(said.wanted):.0f}px")

    def _gap(self, said: Statement) -> None:
        block, neighbour = self._block(said.subject), self._block(said.other)
        if block is not None and neighbour is not None and said.got:
            row = next(row for row in self.rows if neighbour in row.blocks)
            if block not in row.blocks:
                row.pad("padding-top", pixels_of(said.wanted) - pixels_of(said.got))

    def _shift(self, said: Statement) -> None:
        block, (pixels, *_, side) = self._block(said.subject), said.wanted.split()
        if block is not None and side in ("down", "right", "left"):
            row = next(row for row in self.rows if block in row.blocks)
            edge = "padding-top" if side == "down" else "padding-left"
            if block is row.blocks[0] or side == "down":  # the others move with the first one
                row.pad(edge, float(pixels) if side != "left" else -float(pixels))

    def _shade(self, said: Statement) -> None:
        block, subject = self._block(said.subject), said.subject or Subject("page")
        if subject.kind == "page":
            self.style["background"] = _shaded(self.style["background"], said.wanted)
        elif block is not None and subject.kind in _TEXTS:
            block.style["color"] = _shaded(block.style.get("color", "#000000"), said.wanted)

    def _corners(self, said: Statement) -> None:
        self._restyle(said, "border-radius", f"{CORNERS.get(said.wanted, 0.0):.0f}px")

    def _role(self, said: Statement) -> None:
        block = self._block(said.subject)
        if block is not None and said.wanted in _TEXTS:
            block.kind = said.wanted

    def _restyle(self, said: Statement, name: str, value: str) -> None:
        block = self._block(said.subject)
        if block is not None:
            block.style[name] = value

    # blocks

    def _blocks(self) -> list[Block]:
        return [block for row in self.rows for block in row.blocks]

    def _text(self, words: str) -> Block | None:
        lower = words.lower()
        known = lower.strip("… ")
        for block in self._blocks():
            text = block.text.lower()
            fits = known in text if lower.startswith("…") else text.startswith(known)
            if known and fits and ("…" in (lower[0], lower[-1]) or text == known):
                return block
        return None

    def _block(self, subject: Subject | None) -> Block | None:
        """Return the block that a subject names."""
        if subject is None:
            return None
        if subject.text:
            return self._text(subject.text)
        alike = [block for block in self._blocks() if block.kind == subject.kind]
        index = max(0, subject.ordinal - 1)
        return alike[index] if index < len(alike) else None

    def _put(self, block: Block, where: str, neighbour: Block | None) -> None:
        row_index = next((i for i, row in enumerate(self.rows) if neighbour in row.blocks), None) if neighbour else None
        if row_index is None or neighbour is None:
            self.rows.insert(0 if where in ("at the top", "above") else len(self.rows), Row([block]))
        elif where in ("to the right of", "to the left of"):
            blocks = self.rows[row_index].blocks
            blocks.insert(blocks.index(neighbour) + (where == "to the right of"), block)
        else:
            self.rows.insert(row_index + (where != "above"), Row([block], dict(_inherited(self.rows[row_index]))))

    def _take(self, block: Block) -> None:
        for row in self.rows:
            if block in row.blocks:
                row.blocks.remove(block)
        self.rows = [row for row in self.rows if row.blocks] or [Row([Block("text", " ")])]


def _inherited(row: Row) -> dict[str, str]:
    """Return the style of a new row beside another one."""
    return {name: value for name, value in row.style.items() if name in ("text-align", "justify-content", "background")}


def _worded(quote: str, words: int) -> str:
    """Return a quoted text; one that goes on is filled up to its number of words."""
    known = quote.rstrip("… ").split()
    missing = max(0, words - len(known)) if words else 0
    return " ".join([*known, *(_FILLER[i % len(_FILLER)] for i in range(missing))])


def _is(subject: Subject | None, *kinds: str) -> bool:
    return subject is not None and subject.kind in kinds


def _hex(name: str) -> str:
    red, green, blue = NAMES.get(name, (128, 128, 128))
    return f"#{red:02X}{green:02X}{blue:02X}"


def _shaded(color: str, wanted: str) -> str:
    """Return a colour that is a bit darker, lighter, stronger or paler."""
    end = 0 if wanted in ("darker", "stronger") else 255
    channels = (int(color[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(channel + _STEP * (end - channel)):02X}" for channel in channels)


def _css(style: dict[str, str]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in style.items())
