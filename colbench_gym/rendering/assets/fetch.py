"""Fetch the pinned files: from the address that pages carry, then with the user's npm, or from a file at hand."""

from __future__ import annotations

import functools
import gzip
import os
import shutil
import subprocess
import tarfile
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from colbench_gym.errors import AssetError
from colbench_gym.rendering.assets import FETCH, Asset, difference, read_asset

DOWNLOAD_TIMEOUT_S = 20.0  # for each read from the network
NPM_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Fetched:
    """One file and where it came from: ``cache`` (it was there already), an address, ``npm pack`` or a file."""

    asset: Asset
    path: Path
    source: str


def fetch(asset: Asset, folder: Path, source: Path | None = None, npm_timeout_s: float = NPM_TIMEOUT_S) -> Fetched:
    """Put the file into ``folder``, unless it is there; safe when several processes do it at once.

    Args:
        asset: what to fetch.
        folder: the cache; made where it is missing.
        source: the file itself or the npm tarball that holds it, instead of the network.
        npm_timeout_s: how long npm may take.

    Raises:
        AssetError: no way worked, or what came is not what was pinned; nothing is kept of it.
    """
    if source is None:
        try:
            read_asset(asset, folder)
            return Fetched(asset, folder / asset.name, "cache")
        except AssetError:
            data, came_from = _download(asset, npm_timeout_s)
    else:
        data, came_from = _from_file(asset, source), str(source)
    return Fetched(asset, _keep(asset, data, folder), came_from)


def _download(asset: Asset, npm_timeout_s: float) -> tuple[bytes, str]:
    failures = []
    ways: dict[str, Callable[[Asset], bytes]] = {
        asset.url: _from_address,
        f"npm pack {asset.npm}": functools.partial(_from_npm, timeout_s=npm_timeout_s),
    }
    for way, get in ways.items():
        try:
            data = get(asset)
        except AssetError as e:
            failures.append(f"{way}: {e}")
            continue
        if problem := difference(asset, data):
            failures.append(f"{way}: {problem}")
            continue
        return data, way
    raise AssetError(
        f"{asset.name} could not be fetched ({'; '.join(failures)}). Get that file, or the tarball of "
        f"{asset.npm}, on a machine that can, and run: {FETCH} --from FILE"
    )


def _from_address(asset: Asset) -> bytes:
    request = urllib.request.Request(asset.url, headers={"User-Agent": "colbench-gym"})
    try:
        with urllib.request.urlopen(request, timeout=DOWNLOAD_TIMEOUT_S) as answer:
            data: bytes = answer.read(asset.size_bytes + 1)
    except urllib.error.URLError as e:
        raise AssetError(str(e.reason)) from e
    except (OSError, HTTPException, ValueError) as e:
        raise AssetError(str(e) or type(e).__name__) from e
    return data


def _from_npm(asset: Asset, timeout_s: float) -> bytes:
    npm = shutil.which("npm")
    if npm is None:
        raise AssetError("there is no npm on the path")
    with tempfile.TemporaryDirectory(prefix="colbench-npm-") as folder:
        command = [npm, "pack", asset.npm, "--silent", "--ignore-scripts"]
        try:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout_s
            )
        except subprocess.TimeoutExpired as e:
            raise AssetError(f"not done within {timeout_s:g} s") from e
        tarballs = list(Path(folder).glob("*.tgz"))
        if done.returncode or len(tarballs) != 1:
            said = " ".join((done.stderr or done.stdout).split())[-300:]
            raise AssetError(f"exit status {done.returncode}{': ' + said if said else ''}")
        return _from_tarball(asset, tarballs[0])


def _from_file(asset: Asset, source: Path) -> bytes:
    try:
        with source.open("rb") as file:
            packed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            data = b"" if packed else file.read(asset.size_bytes + 1)
    except OSError as e:
        raise AssetError(
            f"{source}: {e.strerror}; expected {asset.name} or the npm tarball of {asset.npm}. Name such a file"
        ) from e
    if packed:
        data = _from_tarball(asset, source)
    if problem := difference(asset, data):
        raise AssetError(
            f"{source} is not {asset.name}: {problem}. Use {asset.npm_member} of the npm package {asset.npm}, "
            f"or what {asset.url} serves"
        )
    return data


def _from_tarball(asset: Asset, tarball: Path) -> bytes:
    try:
        with tarfile.open(tarball, "r:gz") as archive:
            member = archive.extractfile(asset.npm_member)
            if member is None:
                raise KeyError(asset.npm_member)
            return member.read(asset.size_bytes + 1)
    except KeyError as e:
        raise AssetError(
            f"{tarball} holds no {asset.npm_member}; expected the npm tarball of {asset.npm}. "
            f"Make it with: npm pack {asset.npm}"
        ) from e
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, OSError) as e:
        raise AssetError(
            f"{tarball} cannot be unpacked ({e}); expected the npm tarball of {asset.npm}. "
            f"Make it with: npm pack {asset.npm}"
        ) from e


def _keep(asset: Asset, data: bytes, folder: Path) -> Path:
    """Write beside the place and rename, so that no reader ever sees a part."""
    path = folder / asset.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{asset.name}.", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as e:
        raise AssetError(
            f"{path}: {e.strerror}; expected a folder that can be written to. Choose another one with COLBENCH_CACHE"
        ) from e
    return path
