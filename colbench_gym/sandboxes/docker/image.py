"""The image of the docker sandbox: its name, and how it is built with a registry or without one."""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import os
import platform
import re
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from colbench_gym.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from docker import DockerClient

REPOSITORY = "colbench-gym-sandbox"
FOLDER = Path(__file__).with_name("context")
PYTHON = "/usr/local/bin/python3"  # where official images have it
PACKAGES = "/opt/packages"  # in the image
DISTRIBUTIONS = ("numpy", "beautifulsoup4", "soupsieve", "typing_extensions")
REQUESTED = ("numpy", "beautifulsoup4")
NOT_NEEDED = re.compile(
    r"/(site-packages|dist-packages|test|tests|idlelib|tkinter|turtledemo|ensurepip|lib2to3|config-[^/]*|__pycache__/[^/]*"
    r"\.opt-\d\.pyc|_tkinter\.[^/]*)(/|$)"
)
LIBRARY = re.compile(r"(?:=> )?(/\S+) \(0x")

Say = Callable[[str], None]


def image_name() -> str:
    """Return the image that fits this version of the package, this Python and its numpy and beautifulsoup4."""
    digest = hashlib.sha256()
    for path in (*_worker_files(), *sorted(FOLDER.iterdir())):
        if path.is_file():
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((_version(), platform.machine(), _requirements())).encode())
    return f"{REPOSITORY}:{digest.hexdigest()[:16]}"


def build_image(client: DockerClient, say: Say, base: str | None = None) -> str:
    """Build the image and return its name.

    Args:
        client: of the engine that gets the image.
        say: is told what happens, a line at a time.
        base: the image to build on; by default the official one of this version of Python where it can be had, else
            one made from this machine's own Python, for which no registry is needed.

    Raises:
        SandboxUnavailableError: neither can be had, or the build failed.
    """
    from docker.errors import APIError, BuildError

    if base is None:
        base = _official_base(client, say) or _machine_base(client, say)
    name = image_name()
    say(f"building {name} on {base}")
    arguments = {"BASE": base, "PACKAGES": " ".join(_requirements())}
    try:
        client.images.build(
            fileobj=_context(), custom_context=True, tag=name, buildargs=arguments, rm=True, forcerm=True
        )
    except (APIError, BuildError) as error:
        raise SandboxUnavailableError(f"the sandbox image could not be built on {base}: {error}") from error
    return name


def _version() -> str:
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def _worker_files() -> list[Path]:
    return sorted((Path(__file__).parent.parent / "worker").glob("*.py"))


def _requirements() -> list[str]:
    return [f"{name}=={importlib.metadata.version(name)}" for name in REQUESTED]


def _context() -> io.BytesIO:
    """Return the folder that the Dockerfile is built in, as a tar file."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for path in sorted(FOLDER.iterdir()):
            if path.is_file():
                tar.add(path, path.name, filter=_plain)
        for path in _worker_files():
            tar.add(path, f"worker/{path.name}", filter=_plain)
    data.seek(0)
    return data


def _official_base(client: DockerClient, say: Say) -> str | None:
    """Return the official image of this version of Python, if this engine has it or can get it."""
    from docker.errors import APIError, ImageNotFound

    name = f"python:{_version()}-slim"
    try:
        client.images.get(name)
    except ImageNotFound:
        say(f"looking for {name} in a registry")
        try:
            client.images.pull(name)
        except APIError as error:
            say(f"it cannot be had ({str(error.explanation or error).splitlines()[0]})")
            return None
    return name


# A base made from this machine's Python: no registry, no shell, nothing but what Python loads.


def _machine_base(client: DockerClient, say: Say) -> str:
    """Import the interpreter, its standard library, numpy, beautifulsoup4 and their libraries as an image."""
    if not sys.platform.startswith("linux"):
        raise SandboxUnavailableError(
            "no official Python image can be had, and this machine's Python is not for Linux; "
            "connect to a registry, or name an image of yours: colbench sandbox build --base IMAGE"
        )
    say(f"making a base image from {sys.base_prefix}")
    name = f"{REPOSITORY}-base:{image_name().partition(':')[2]}"
    repository, _, tag = name.partition(":")
    client.api.import_image_from_data(_machine_tar(), repository=repository, tag=tag)
    return name


def _machine_tar() -> bytes:
    python = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
    files = {str(python): python} | _standard_library() | _packages()
    for path in _shared_libraries(
        [path for path in files.values() if path.suffix == ".so" or ".so." in path.name] + [python]
    ):
        files[str(path)] = path
    files |= {str(path): path for path in Path("/usr/share/zoneinfo").rglob("*") if path.is_file()}
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for folder in ("tmp", "scratch", "run/colbench"):
            tar.addfile(_entry(folder, tarfile.DIRTYPE))
        passwd = b"root:x:0:0:root:/:/none\nnobody:x:65534:65534:nobody:/:/none\n"
        entry = _entry("etc/passwd", tarfile.REGTYPE)
        entry.size = len(passwd)
        tar.addfile(entry, io.BytesIO(passwd))
        if str(python) != PYTHON:
            link = _entry(PYTHON.lstrip("/"), tarfile.SYMTYPE)
            link.linkname = str(python)
            tar.addfile(link)
        for name, path in sorted(files.items()):
            _add(tar, name, path)
    return data.getvalue()


def _entry(name: str, kind: bytes) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type = kind
    entry.mode = 0o755 if kind == tarfile.DIRTYPE else 0o644
    return entry


def _add(tar: tarfile.TarFile, name: str, path: Path) -> None:
    """Add a file with what a link points to: the image has the files under the names that are asked for."""
    entry = tar.gettarinfo(str(path.resolve()), name.lstrip("/"))
    if entry is not None and entry.isfile():
        with path.open("rb") as content:
            tar.addfile(_plain(entry), content)


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return the entry as nobody's file, readable for everybody."""
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mode = 0o755 if entry.mode & 0o100 or entry.isdir() else 0o644
    entry.type = tarfile.REGTYPE if entry.islnk() else entry.type
    return entry


def _standard_library() -> dict[str, Path]:
    """Return the standard library without its tests, under its own names, where Python expects it."""
    files: dict[str, Path] = {}
    for folder in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}:
        for path in Path(folder).rglob("*"):
            inner = "/" + str(path.relative_to(folder))
            if path.is_file() and not NOT_NEEDED.search(inner):
                files[str(path)] = path
    return files


def _packages() -> dict[str, Path]:
    """Return numpy, beautifulsoup4 and what they import, for one folder in the image."""
    files: dict[str, Path] = {}
    for name in DISTRIBUTIONS:
        for file in importlib.metadata.files(name) or ():
            path = Path(str(file.locate()))
            if ".." not in file.parts and path.is_file() and not NOT_NEEDED.search("/" + str(file)):
                files[f"{PACKAGES}/{file}"] = path
    return files


def _shared_libraries(binaries: list[Path]) -> Iterator[Path]:
    """Yield the libraries that the loader will load, by the names it will use."""
    environment = {"PATH": os.environ.get("PATH", ""), "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
    done = subprocess.run(["ldd", *map(str, binaries)], capture_output=True, text=True, env=environment, check=False)
    seen = set(LIBRARY.findall(done.stdout))
    folders = tuple(str(path.parent) for path in binaries)
    yield from (Path(name) for name in sorted(seen) if not str(Path(name).resolve()).startswith(folders))
