"""What the tests of the renderer need: processes and folders of browsers, and assets that are simple."""

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

MARK = b"colbench-chromium-"


@dataclass(frozen=True)
class Answer:
    body: bytes
    content_type: str


class NoAssets:
    """Pages may load nothing; what they ask for is kept."""

    digest = "none"

    def __init__(self, answers: dict[str, Answer] | None = None) -> None:
        self.answers = answers or {}
        self.asked: list[str] = []

    def response(self, url: str, html: str) -> Answer | None:
        self.asked.append(url)
        return self.answers.get(url)


def descendants(root: int) -> list[int]:
    """Every living process below ``root``, itself not included."""
    children: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (place / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if state not in "ZX":
            children.setdefault(int(parent), []).append(int(place.name))
    found, ahead = [], [root]
    while ahead:
        below = children.get(ahead.pop(), [])
        found += below
        ahead += below
    return found


def command_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def browser_processes(root: int | None = None) -> list[int]:
    """The processes of browsers (drivers included) that ``root``, else this process, has started."""
    words = (b"chrom", b"run-driver", MARK)
    return [pid for pid in descendants(root or os.getpid()) if any(word in command_of(pid) for word in words)]


def folders(process: int | None = None) -> set[Path]:
    """The folders of the browsers of a process, else of this one."""
    return set(Path(tempfile.gettempdir()).glob(f"{MARK.decode()}{process or os.getpid()}-*"))


def ends(process: int) -> bool:
    """Return whether a process is gone, or dead and only waiting to be looked at."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state in "ZX"


def wait_until(condition, timeout_s: float = 20.0) -> bool:
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return bool(condition())
