"""What the tests of the renderer need: processes and folders of browsers, and assets that are simple."""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from support.processes import command_of, descendants

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


def browser_processes(root: int | None = None) -> list[int]:
    """The processes of browsers (drivers included) that ``root``, else this process, has started."""
    words = (b"chrom", b"run-driver", MARK)
    return [pid for pid in descendants(root or os.getpid()) if any(word in command_of(pid) for word in words)]


def folders(process: int | None = None) -> set[Path]:
    """The folders of the browsers of a process, else of this one."""
    return set(Path(tempfile.gettempdir()).glob(f"{MARK.decode()}{process or os.getpid()}-*"))
