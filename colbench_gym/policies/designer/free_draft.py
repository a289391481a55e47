"""A page of any kind as rows of blocks, which a person's statements fill and rearrange."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from colbench_gym.jsonl import read_toml
from colbench_gym.page_language.color_names import NAMES
from colbench_gym.page_language.statements import CORNERS, RATIOS, SHARES, TEXT_KINDS, Statement, Subject, pixels_of
from colbench_gym.tasks.generated_frontend.building.elements import PICTURES, STYLESHEET

_LOOKS = read_toml(Path(__file__).with_suffix(".toml"))
_TAGS, _STYLES, _ALIGNS, _FILLER = _LOOKS["tags"], _LOOKS["styles"], _LOOKS["aligns"], _LOOKS["filler"].split()
_HEADING_PX, _PLAIN_PX = 24.0, 16.0
_STEP = 0.12  # of the way to black or white, for "a bit darker"
_TEXTS = (*TEXT_KINDS, "quote")
_FIRST_COLORS = re.compile(r"\b(red|orange|yellow|green|blue|purple|pink|brown|gr[ae]y)\b", re.IGNORECASE)


@dataclass(eq=False)
class Block:
    """One thing on the page; empty style fields leave it to the page."""

    kind: str
    text: str = ""
    style: dict[str, str] = field(default_factory=dict)
    size_px: float = 0.0

    def html(self) -> str:
        """Return the element."""
        style = {**_STYLES.get(self.kind, {}), **self.style}
        if self.kind == "picture":
            return f'<img src="{PICTURES}/600/300" alt="{escape(self.text)}" style="{_css(style)}">'
        if self.kind == "input":
            return f'<input type="text" placeholder="{escape(self.text)}" style="{_css(style)}">'
        tag, style = _TAGS.get(self.kind, "p"), {"font-size": f"{self.font_px:.0f}px", **style}
        return f'<{tag} style="{_css(style)}">{escape(self.text, quote=False)}</{tag}>'

    @property
    def font_px(self) -> float:
        """Size of its letters."""
        return self.size_px or (_HEADING_PX if self.kind == "heading" else _PLAIN_PX)


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
        rows = [Row([Block("heading", name)], {"padding": "16px"})]
        color = _FIRST_COLORS.search(wishes)
        if color:
            rows[0].style |= {"background": _hex(color[1].lower().replace("gray", "grey")), "color": "#FFFFFF"}
        for first in _LOOKS["first"]:
            if re.search(first.get("asked", ""), wishes):
                texts, style, size_px = first["texts"], first.get("style", {}), first.get("size_px", 0.0)
                rows.append(Row([Block(first["kind"], text.format(name), dict(style), size_px) for text in texts]))
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
            block = self._block(statement.subject)
            if statement.kind in ("wording", "columns", "color", "shade"):
                getattr(self, f"_{statement.kind}")(statement)
            elif block is not None and hasattr(self, f"_{statement.kind}_of"):
                getattr(self, f"_{statement.kind}_of")(block, statement)

    def _missing(self, said: Statement) -> None:
        subject = said.subject or Subject("page")
        if subject.kind not in (*_TEXTS, "picture", "input"):
            return
        kind = "text" if subject.kind == "quote" else subject.kind
        self._put(Block(kind, _worded(subject.text, subject.words)), said.wanted, self._block(said.other))

    def _unwanted_of(self, block: Block, said: Statement) -> None:
        if _is(said.subject, "box around", "background behind"):
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

    def _length_of(self, block: Block, said: Statement) -> None:
        block.text = _worded(" ".join(block.text.split()[: int(said.wanted)]), int(said.wanted))

    def _place_of(self, block: Block, said: Statement) -> None:
        neighbour = self._block(said.other)
        if neighbour is not None and block is not neighbour:
            self._take(block)
            self._put(block, said.wanted, neighbour)

    def _columns(self, said: Statement) -> None:
        blocks = [block for item in said.items if (block := self._block(item))]
        if blocks:
            row = self._row(blocks[0])
            for block in blocks[1:]:
                if block not in row.blocks:
                    self._take(block)
                    row.blocks.append(block)
            row.columns = int(said.wanted.split()[0])

    def _color(self, said: Statement) -> None:
        subject = said.subject or Subject("page")
        block, style, name = self._block(subject), self.style, "background"
        if subject.kind in ("header", "footer") and not subject.text:
            style = self.rows[-1 if subject.kind == "footer" else 0].style
        elif subject.kind != "page":
            if block is None:
                return
            own = block.kind == "button" and subject.kind != "writing on"
            around = not own and subject.kind in ("box around", "background behind")
            style, name = self._row(block).style if around else block.style, name if own or around else "color"
        style[name] = _hex(said.wanted)

    def _font_of(self, block: Block, said: Statement) -> None:
        block.size_px = block.font_px * RATIOS.get(said.wanted, 1.0)

    def _bold_of(self, block: Block, said: Statement) -> None:
        block.style["font-weight"] = "700" if said.wanted == "bold" else "400"

    def _align_of(self, block: Block, said: Statement) -> None:
        align = _ALIGNS.get(said.wanted, "left")
        justify = {"left": "flex-start", "right": "flex-end"}.get(align, align)
        self._row(block).style |= {"text-align": align, "justify-content": justify}
        if block.kind == "picture":
            block.style |= {"margin": "0 auto" if align == "center" else "0"}

    def _width_of(self, block: Block, said: Statement) -> None:
        share = SHARES.get(said.wanted)
        if share and _is(said.subject, "picture", "input", "button"):
            block.style["width"] = f"{1280 * share:.0f}px"

    def _height_of(self, block: Block, said: Statement) -> None:
        if _is(said.subject, "picture", "input"):
            block.style["height"] = f"{pixels_of(said.wanted):.0f}px"

    def _corners_of(self, block: Block, said: Statement) -> None:
        block.style["border-radius"] = f"{CORNERS.get(said.wanted, 0.0):.0f}px"

    def _role_of(self, block: Block, said: Statement) -> None:
        block.kind = said.wanted if said.wanted in _TEXTS else block.kind

    def _gap_of(self, block: Block, said: Statement) -> None:
        neighbour = self._block(said.other)
        if neighbour is not None and said.got and block not in (row := self._row(neighbour)).blocks:
            row.pad("padding-top", pixels_of(said.wanted) - pixels_of(said.got))

    def _shift_of(self, block: Block, said: Statement) -> None:
        (pixels, *_, side), row = said.wanted.split(), self._row(block)
        edge = {"down": "padding-top", "right": "padding-left", "left": "padding-left"}.get(side)
        if edge and (block is row.blocks[0] or side == "down"):  # the others move with the first one
            row.pad(edge, float(pixels) if side != "left" else -float(pixels))

    def _shade(self, said: Statement) -> None:
        block, subject = self._block(said.subject), said.subject or Subject("page")
        if subject.kind == "page":
            self.style["background"] = _shaded(self.style["background"], said.wanted)
        elif block is not None and subject.kind in _TEXTS:
            block.style["color"] = _shaded(block.style.get("color", "#000000"), said.wanted)

    # blocks

    def _blocks(self) -> list[Block]:
        return [block for row in self.rows for block in row.blocks]

    def _row(self, block: Block) -> Row:
        return next(row for row in self.rows if block in row.blocks)

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
        row = next((row for row in self.rows if neighbour in row.blocks), None)
        if row is None or neighbour is None:
            self.rows.insert(0 if where in ("at the top", "above") else len(self.rows), Row([block]))
        elif where in ("to the right of", "to the left of"):
            row.blocks.insert(row.blocks.index(neighbour) + (where == "to the right of"), block)
        else:
            style = {name: row.style[name] for name in _LOOKS["handed_on"] if name in row.style}
            self.rows.insert(self.rows.index(row) + (where != "above"), Row([block], style))

    def _take(self, block: Block) -> None:
        for row in self.rows:
            if block in row.blocks:
                row.blocks.remove(block)
        self.rows = [row for row in self.rows if row.blocks] or [Row([Block("text", " ")])]


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
