"""Assets of pages, served from this machine: pinned stylesheets and placeholders for pictures; all else is blocked."""

from __future__ import annotations

import functools
import hashlib
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from colbench_gym.errors import AssetError
from colbench_gym.rendering.assets.css_purge import StylesheetIndex
from colbench_gym.rendering.assets.placeholders import (
    DRAWING_VERSION,
    MAX_ADDRESS_CHARS,
    RealPictures,
    draw,
    read_picture_address,
)

FETCH = "colbench assets fetch"
PURGED_KEPT = 32  # pages whose stylesheet is kept: those that are rendered at once


@dataclass(frozen=True)
class Asset:
    """A file that pages link, pinned to its bytes.

    Attributes:
        name: what it is called in messages and in the cache folder.
        url: the address that the official pages carry.
        sha256: of the file, in hexadecimal.
        size_bytes: of the file.
        licence: its SPDX name.
        npm: the npm package and version that holds it.
        npm_member: the file's path in the package's tarball.
        content_type: as it is served.
    """

    name: str
    url: str
    sha256: str
    size_bytes: int
    licence: str
    npm: str
    npm_member: str
    content_type: str = "text/css; charset=utf-8"


# The only file that the official pages link, apart from pictures. Version, bytes and hash measured on the npm package.
TAILWIND = Asset(
    name="tailwindcss-2.2.19.min.css",
    url="https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.css",
    sha256="b6ad97402eddb903e7a5d7a73ee47a679204efbdda4521a391cbad9df509b932",
    size_bytes=2_934_019,
    licence="MIT",
    npm="tailwindcss@2.2.19",
    npm_member="package/dist/tailwind.min.css",
)
ASSETS = (TAILWIND,)

# Where Tailwind's ready-made stylesheet is published, with the version in the address. A version 2 of any number is
# served as 2.2.19: the same palette and names, and 2.2.19 is what ranges such as @2 and @^2.0 mean there. Version 1 has
# other colours, later ones have no such file (their CDN is a script, which pages may not run): those are blocked.
_TAILWIND_PATHS = {
    **dict.fromkeys(
        ("cdn.jsdelivr.net", "fastly.jsdelivr.net"),
        re.compile(r"/npm/tailwindcss@(?P<version>[^/]+)/dist/tailwind(?:\.min)?\.css"),
    ),
    **dict.fromkeys(
        ("unpkg.com", "www.unpkg.com"),
        re.compile(r"/tailwindcss@(?P<version>[^/]+)/dist/tailwind(?:\.min)?\.css"),
    ),
    "cdnjs.cloudflare.com": re.compile(r"/ajax/libs/tailwindcss/(?P<version>[^/]+)/tailwind(?:\.min)?\.css"),
}
_VERSION_2 = re.compile(r"[\^~=v]*2(?:\.(?:\d+|x|\*)){0,2}")


@dataclass(frozen=True)
class Response:
    """Answer to one request of a page."""

    body: bytes = field(repr=False)
    content_type: str


class Assets:
    """Everything that a page may load. Thread-safe; nothing is ever downloaded.

    Args:
        folder: where fetched files are; :func:`cache_folder` when not given.
        pictures: a folder of the user's own pictures (see :class:`RealPictures`); the variable COLBENCH_PICTURES
            when not given, drawn placeholders where neither is.
        purge: serve only those rules of a stylesheet that can match on the page, which changes no pixel.

    Raises:
        InputFileError: the folder of pictures cannot be used.
    """

    def __init__(self, folder: Path | None = None, pictures: Path | None = None, purge: bool = True) -> None:
        self._folder = folder or cache_folder()
        named = os.environ.get("COLBENCH_PICTURES")
        chosen = pictures or (Path(named) if named else None)
        self._pictures = RealPictures(chosen) if chosen else None
        self._purge = purge

    @property
    def digest(self) -> str:
        """Of all here that pixels depend on, in hexadecimal; the same whether or not the files are fetched yet."""
        parts = [*(f"{asset.name} {asset.sha256}" for asset in ASSETS), f"stand-ins {DRAWING_VERSION}"]
        if self._pictures:
            parts += [f"{name} {sha256}" for name, sha256 in sorted(self._pictures.hashes.items())]
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    def has_picture(self, name: str) -> bool:
        """Return True where the user brought a picture of that name, such as ``id-48``."""
        return self._pictures is not None and name in self._pictures.hashes

    def response(self, url: str, html: str) -> Response | None:
        """Return what to send for a request that the page ``html`` makes; None where the request is blocked.

        Raises:
            AssetError: the page links a pinned file that has not been fetched, or is damaged.
        """
        if len(url) > MAX_ADDRESS_CHARS:
            return None
        try:
            asset = asset_at(url)
            picture = None if asset else read_picture_address(url)
        except ValueError:  # not an address at all
            return None
        if asset:
            return _stylesheet_for(self._folder / asset.name, asset, html if self._purge else None)
        if picture:
            real = self._pictures.fitted(picture) if self._pictures else None
            return Response(draw(picture) if real is None else real, "image/svg+xml")
        return None


def asset_at(url: str) -> Asset | None:
    """Return the pinned file that this address stands for, None where there is none."""
    parts = urlsplit(url)
    paths = _TAILWIND_PATHS.get((parts.hostname or "").rstrip("."))
    if paths is None or parts.scheme not in ("http", "https"):
        return None
    match = paths.fullmatch(re.sub(r"/{2,}", "/", unquote(parts.path)))
    return TAILWIND if match and _VERSION_2.fullmatch(match["version"]) else None


def cache_folder() -> Path:
    """Return where fetched files are kept: COLBENCH_CACHE, else colbench-gym in XDG_CACHE_HOME, else in ~/.cache."""
    if named := os.environ.get("COLBENCH_CACHE"):
        return Path(named) / "assets"
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "colbench-gym" / "assets"


def read_asset(asset: Asset, folder: Path) -> bytes:
    """Return the bytes of a fetched file.

    Raises:
        AssetError: it is not there, cannot be read, or is not what was pinned; the message names the command.
    """
    path = folder / asset.name
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise AssetError(
            f"{asset.name} has not been fetched: expected it at {path}, because pages link {asset.url}. "
            f"Fetch it once with: {FETCH}"
        ) from None
    except OSError as e:
        raise AssetError(f"{path}: {e.strerror}; expected {asset.name}. Mend that, or fetch it again: {FETCH}") from e
    if problem := difference(asset, data):
        raise AssetError(f"{path} is damaged: {problem}. Fetch it again with: {FETCH}")
    return data


def state_of(asset: Asset, folder: Path) -> tuple[Literal["fetched", "missing", "damaged"], str]:
    """Return whether a file is there, with the message of the error that a page would meet; "" where it is."""
    try:
        read_asset(asset, folder)
    except AssetError as e:
        return "damaged" if (folder / asset.name).exists() else "missing", str(e)
    return "fetched", ""


def difference(asset: Asset, data: bytes) -> str:
    """Return how these bytes differ from what was pinned; "" where they do not."""
    sha256 = hashlib.sha256(data).hexdigest()
    if sha256 == asset.sha256:
        return ""
    return (
        f"{len(data):,} bytes with sha256 {sha256[:12]}…; "
        f"expected {asset.size_bytes:,} bytes with sha256 {asset.sha256[:12]}…"
    )


@functools.lru_cache(maxsize=PURGED_KEPT)
def _stylesheet_for(path: Path, asset: Asset, html: str | None) -> Response:
    """Return one response object for a page, however often the page asks for the stylesheet; None: the whole one."""
    index = _stylesheet(path, asset)
    purged = None if html is None else index.purged(html)
    if purged is not None:
        return Response(purged.encode(), asset.content_type)
    return _whole(path, asset)


@functools.lru_cache(maxsize=8)
def _whole(path: Path, asset: Asset) -> Response:
    return Response(_stylesheet(path, asset).css.encode(), asset.content_type)


@functools.lru_cache(maxsize=8)
def _stylesheet(path: Path, asset: Asset) -> StylesheetIndex:
    """Read a stylesheet and take it apart, once in a process."""
    return StylesheetIndex.of(read_asset(asset, path.parent).decode("utf-8"))
