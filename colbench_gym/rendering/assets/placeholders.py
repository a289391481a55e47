"""Draw the pictures of placeholder services in the size that the address asks for, another one for each id or seed.

A placeholder is a small SVG landscape. It costs the browser only the part that is shown, whatever size it claims, and
it is scaled, cropped and laid out like any picture of that size.
"""

from __future__ import annotations

import base64
import colorsys
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from colbench_gym.errors import InputFileError

DRAWING_VERSION = "1"  # part of the assets' digest: goes up when a placeholder looks different
MAX_ADDRESS_CHARS = 2048  # ours: of a request; servers refuse longer ones too
MAX_SIDE = 5000  # pixels; picsum.photos refuses more
MAX_REAL_BYTES = 4 * 1024 * 1024  # of a picture that the user brings

_PICSUM_HOSTS = frozenset(
    {"picsum.photos", "www.picsum.photos", "fastly.picsum.photos", "i.picsum.photos", "unsplash.it"}
)
_OTHER_HOSTS = frozenset(
    {
        "via.placeholder.com",
        "placehold.co",
        "placehold.it",
        "placeholder.com",
        "dummyimage.com",
        "placekitten.com",
        "placebear.com",
        "loremflickr.com",
        "source.unsplash.com",
        "fakeimg.pl",
    }
)
_SLASHES = re.compile(r"/+")
_PICSUM_PATH = re.compile(  # of a path whose runs of slashes are one slash
    r"/(?:g/)?(?:(?P<kind>id|seed)/(?P<name>[^/]+)/)?(?P<width>\d{1,9})(?:/(?P<height>\d{1,9}))?/?"
    r"(?:\.(?:jpg|jpeg|webp|png))?/?",
    re.IGNORECASE,
)
_OTHER_SIZE = re.compile(r"/(?P<width>\d{1,9})(?:[x/](?P<height>\d{1,9}))?(?=[/.@?]|$)", re.IGNORECASE)
_REAL_TYPES = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".gif": "image/gif",
}


@dataclass(frozen=True)
class PictureRequest:
    """The picture that an address asks for.

    Attributes:
        name: ``id-48``, ``seed-cat``, or ``any`` where the service would choose.
        variant: what else tells two pictures apart, such as ``?random=2``; "" for a name that is fixed.
        width, height: pixels, 1 to :data:`MAX_SIDE`.
        grayscale: without colours.
        blur: 0 (sharp) to 10.
    """

    name: str
    variant: str
    width: int
    height: int
    grayscale: bool = False
    blur: int = 0


def read_picture_address(url: str) -> PictureRequest | None:
    """Return what this address asks for, None for other services and for what the service would refuse."""
    if len(url) > MAX_ADDRESS_CHARS:
        return None
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if host in _PICSUM_HOSTS:
        match = _PICSUM_PATH.fullmatch(_SLASHES.sub("/", parts.path))
    elif host in _OTHER_HOSTS:
        match = _OTHER_SIZE.search(parts.path)
    else:
        return None
    if match is None:
        return None
    width = int(match["width"])
    height = int(match["height"] or width)
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE):
        return None
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    groups = match.groupdict()
    kind, name = groups.get("kind"), groups.get("name")
    if kind and name:
        name, variant = f"{kind.lower()}-{unquote(name)}", ""
    elif "image" in query:  # the old form of an id
        name, variant = f"id-{query['image']}", ""
    else:
        name, variant = "any", f"{query.get('random', '')} {parts.path if host in _OTHER_HOSTS else ''}".strip()
    blur = query.get("blur")
    return PictureRequest(
        name=name,
        variant=variant,
        width=width,
        height=height,
        grayscale="grayscale" in query or parts.path.lower().startswith("/g/"),
        blur=0 if blur is None else min(10, int(blur)) if blur.isascii() and blur.isdigit() and len(blur) < 4 else 5,
    )


def draw(request: PictureRequest) -> bytes:
    """Draw an SVG of that size: sky, sun and hills in colours that depend on the name; equal requests, equal bytes."""
    dice = hashlib.sha256(f"{request.name}\n{request.variant}".encode("utf-8", "replace")).digest()
    hue = dice[0] / 256
    saturation = 0.0 if request.grayscale else 0.35 + 0.25 * dice[1] / 256
    hill_hue = (hue + 0.25 + 0.3 * dice[2] / 256) % 1
    colors = [
        _hex(hue, 0.80, saturation),
        _hex((hue + 0.5) % 1, 0.90, saturation),
        _hex(hill_hue, 0.52, saturation),
        _hex(hill_hue, 0.36, saturation),
    ]
    if request.blur:  # a blurred landscape is three bands
        shapes = f'<path fill="{colors[2]}" d="M0 60H100V80H0z"/><path fill="{colors[3]}" d="M0 80H100V100H0z"/>'
    else:
        x, y, radius = 15 + 70 * dice[3] // 256, 15 + 20 * dice[4] // 256, 6 + 8 * dice[5] // 256
        far = [35 + 40 * d // 256 for d in dice[6:10]]
        near = [65 + 25 * d // 256 for d in dice[10:14]]
        shapes = f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colors[1]}"/>' + "".join(
            f'<path fill="{color}" d="M0 {h[0]}L30 {h[1]}L65 {h[2]}L100 {h[3]}V100H0z"/>'
            for color, h in ((colors[2], far), (colors[3], near))
        )
    return _svg(request, f'<path fill="{colors[0]}" d="M0 0H100V100H0z"/>{shapes}', 'viewBox="0 0 100 100"')


def _svg(request: PictureRequest, inside: str, view_box: str) -> bytes:
    size = f'width="{request.width}" height="{request.height}" {view_box} preserveAspectRatio="none"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{inside}</svg>'.encode()


def _hex(hue: float, lightness: float, saturation: float) -> str:
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue, lightness, saturation))
    return f"#{red:02x}{green:02x}{blue:02x}"


class RealPictures:
    """The user's own pictures: a folder whose files are named like ``id-48.jpg``, ``seed-cat.png`` or ``any.jpg``.

    ``any`` stands for every picture that has no file of its own. A picture fills the size that is asked for and is cut
    at its longer side, as the service does it.
    """

    def __init__(self, folder: Path) -> None:
        """Read every picture.

        Raises:
            InputFileError: no such folder, none of its files is a picture, or one is too large.
        """
        self._pictures: dict[str, tuple[str, bytes]] = {}
        try:
            for path in sorted(folder.iterdir()):
                if path.suffix.lower() in _REAL_TYPES:
                    self._pictures[path.stem] = (_REAL_TYPES[path.suffix.lower()], path.read_bytes())
        except OSError as e:
            raise InputFileError(
                f"{folder}: {e.strerror}; expected a folder of pictures (COLBENCH_PICTURES). "
                "Name one that can be read, or unset the variable for drawn placeholders"
            ) from e
        kinds = ", ".join(_REAL_TYPES)
        if not self._pictures:
            raise InputFileError(
                f"{folder}: no picture in it; expected files named id-48.jpg, seed-NAME.png or any.jpg ({kinds}). "
                "Put one there, or unset COLBENCH_PICTURES for drawn placeholders"
            )
        for name, (_, data) in self._pictures.items():
            if len(data) > MAX_REAL_BYTES:
                raise InputFileError(
                    f"{folder}: {name} has {len(data):,} bytes; expected at most {MAX_REAL_BYTES:,}. Save it smaller"
                )

    @property
    def hashes(self) -> Mapping[str, str]:
        """Return the sha256 of each picture's file by the picture's name."""
        return {name: hashlib.sha256(data).hexdigest() for name, (_, data) in self._pictures.items()}

    def fitted(self, request: PictureRequest) -> bytes | None:
        """Return the user's picture in the size that is asked for, wrapped in an SVG; None without one."""
        picture = self._pictures.get(request.name) or self._pictures.get("any")
        if picture is None:
            return None
        content_type, data = picture
        filters = ("grayscale(1) " if request.grayscale else "") + (f"blur({request.blur}px)" if request.blur else "")
        style = f' style="filter:{filters.strip()}"' if filters else ""
        address = f"data:{content_type};base64,{base64.b64encode(data).decode()}"
        inside = (
            f'<image width="{request.width}" height="{request.height}" preserveAspectRatio="xMidYMid slice"{style} '
            f'href="{address}"/>'
        )
        return _svg(request, inside, f'viewBox="0 0 {request.width} {request.height}"')
