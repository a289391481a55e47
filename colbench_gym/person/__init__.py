"""Talk with a person: show texts and pictures, read a message. At the terminal here, on a local page in ``web``."""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO, runtime_checkable

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

END_OF_MESSAGE = "."
# A model's text could move the cursor, retitle the window, or turn the order of what is read.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")  # in the name of a file
_NAME_CHARS = 40
_ONE_PERSON = threading.RLock()


@dataclass(frozen=True)
class Box:
    """A text or a picture under a title.

    Attributes:
        title: who says it or what it is.
        text: shown as it is, or under the picture.
        png: a picture; empty where there is none.
        name: of the picture's file at the terminal.
        private: only this seat sees it, and it stays in view.
        code: the text keeps its columns.
    """

    title: str
    text: str = ""
    png: bytes = b""
    name: str = "picture"
    private: bool = False
    code: bool = False


def page_box(title: str, name: str, status: str, png: bytes, private: bool = False) -> Box:
    """Return a box with a page's picture, or one that says by its status why there is none."""
    return Box(title, "" if png else f"cannot be shown: {status}", png, name, private)


@dataclass(frozen=True)
class Request:
    """A message that a person is asked for.

    Attributes:
        prompt: what is asked for, such as "your reply".
        boxes: what is new since the last request of this dialogue.
        opening: the first request of a dialogue.
        goes_on: at the terminal: a message with this first line has more lines.
        answer_marker: ends the dialogue when it stands in front; empty where none does.
        preview: draws the page in a message that is not sent yet; None where there are no pages.
        button: nothing is to be written, only to be read: one press answers.
    """

    prompt: str
    boxes: tuple[Box, ...] = ()
    opening: bool = False
    goes_on: Callable[[str], bool] = lambda first_line: False
    answer_marker: str = ""
    preview: Callable[[str], Box] | None = None
    button: bool = False


@runtime_checkable
class Person(Protocol):
    """A person at a seat, who is asked one thing at a time even when several dialogues run at once."""

    def ask(self, request: Request) -> str:
        """Show what is new and return the person's message.

        Raises:
            EOFError: the person left.
        """

    def close(self) -> None:
        """Release what it holds. A second call does nothing."""


class ConsoleInput:
    """A person at the terminal. Pictures are written to a temporary folder and their paths shown.

    Args:
        console: where to show texts; the terminal's standard error by default, so that output can be piped.
        stdin: what to read from; by default the terminal, with line editing where Python has it.
    """

    def __init__(self, console: Console | None = None, stdin: TextIO | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._stdin = stdin
        self._pictures = PictureFolder()

    def show(self, title: str, text: str) -> None:
        """Show a text in a box; control characters in it do nothing."""
        self._console.print(Panel(Text(harmless(text)), title=Text(harmless(title)), title_align="left"))

    def ask(self, request: Request) -> str:
        """Show the boxes of a request, then read one message.

        Enter sends a message of one line. If ``goes_on(first line)``, it goes on to a line that holds a single dot, or
        to the end of the input (Ctrl-D). Blank lines before a message are skipped. Ctrl-C raises KeyboardInterrupt.

        Raises:
            EOFError: the input ended before a message began.
        """
        with _ONE_PERSON:
            for box in request.boxes:
                if box.png:
                    self.show(f"{box.title} is the picture", str(self._pictures.save(box.name, box.png)))
                else:
                    self.show(box.title, box.text)
            first = ""
            while not first.strip():
                first = self._line(f"{request.prompt}> ")
            lines = [first]
            if request.goes_on(first):
                self._console.print(f"[dim]... end with a line that holds a single {END_OF_MESSAGE} (or Ctrl-D)[/dim]")
                with contextlib.suppress(EOFError):
                    while (line := self._line("")) != END_OF_MESSAGE:
                        lines.append(line)
            return "\n".join(lines)

    def close(self) -> None:
        """Remove the pictures. A second call does nothing."""
        self._pictures.close()

    def _line(self, prompt: str) -> str:
        if self._stdin is None and sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  line editing for input(), where Python was built with it
            return input(prompt)
        stream = self._stdin or sys.stdin
        if prompt:
            self._console.print(prompt, end="", markup=False, highlight=False)
        line = stream.readline()
        if not line:
            raise EOFError
        line = line.rstrip("\r\n")
        self._console.print(harmless(line), markup=False, highlight=False)  # as a terminal would echo it
        return line


class PictureFolder:
    """A temporary folder of pictures that a person can open; made with the first one, gone when the process ends."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._remove: Callable[[], object] | None = None

    def save(self, name: str, png: bytes) -> Path:
        """Write a picture; one of the same name is replaced."""
        if self._folder is None:
            from colbench_gym.concurrency.leftovers import LockedFolder  # of systems with file locks

            made = LockedFolder("pictures")
            self._folder, self._remove = made.path, weakref.finalize(self, made.close)
        path = self._folder / f"{_UNSAFE.sub('_', name)[:_NAME_CHARS]}.png"
        path.write_bytes(png)
        return path

    def close(self) -> None:
        """Remove the folder. A second call does nothing."""
        if self._remove is not None:
            self._remove()
        self._folder = self._remove = None


def harmless(text: str) -> str:
    """Return the text without control characters, marks of writing direction and halves of characters.

    Line breaks and tabs stay.
    """
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
