"""Pages that want to hang, fill, crash or mislead the browser, by name."""

import base64
import struct
import zlib

from support.tables import named

from colbench_gym.rendering import MAX_HTML_BYTES


def png(width: int, height: int) -> str:
    """A black picture of any size in a data: address; black compresses a thousandfold."""
    packer = zlib.compressobj(9, wbits=-15)
    rows = b"\x00" * (width // 8 + 2) * 100
    hundred_rows = packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH)  # stands alone, so that it may stand again
    adler32 = struct.pack(">HH", height // 100 * len(rows) % 65521, 1)  # of so many zeros
    data = b"\x78\xda" + hundred_rows * (height // 100) + packer.flush() + adler32

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)  # one bit a pixel
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(picture).decode()


def svg_picture(size: int) -> str:
    text = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}"><rect width="9" height="9"/></svg>'
    return "data:image/svg+xml;base64," + base64.b64encode(text.encode()).decode()


def use_bomb(levels: int, width: int, wrap: str = "{}") -> str:
    """Each level shows the one before it ``width`` times."""
    groups = "".join(
        f'<g id="g{level}">' + f'<use href="#g{level - 1}" x="1" y="1"/>' * width + "</g>" for level in range(1, levels)
    )
    return wrap.format(f'<svg><g id="g0"><rect width="9" height="9"/></g>{groups}<use href="#g{levels - 1}"/></svg>')


def entity_free_fill(piece: str, size: int = MAX_HTML_BYTES) -> str:
    return piece * ((size - 200) // len(piece))


def css_steps(levels: int) -> str:
    """Custom properties that double in length at every level."""
    steps = "".join(f"--v{level}:var(--v{level - 1})var(--v{level - 1});" for level in range(1, levels))
    return f"<style>body{{--v0:'lol';{steps}}}p::after{{content:var(--v{levels - 1})}}</style><p>text"


GRID = "display:grid;grid-template-columns:repeat(10000,1px);grid-template-rows:repeat(10000,1px)"
TAILWIND = "http://unpkg.com/tailwindcss@2/dist/tailwind.css"
PLACEHOLDER = "https://picsum.photos/id/48"
MANY = range(1000)


PAGES = named(__file__, "hostile_pages.txt", "PAGES", globals())
# That ask for much, hide what they ask for, move, or are read by what runs outside of the browser.
ASKING = named(__file__, "hostile_pages.txt", "ASKING", globals())
