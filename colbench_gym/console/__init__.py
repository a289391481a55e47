"""Talk with a person at the terminal: show a text or where a picture is, read a message of one or many lines."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

END_OF_MESSAGE = "."
# A model's text could move the cursor, retitle the window, or turn the order of what is read.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")  # in the name of a file
_NAME_CHARS = 40
_ONE_PERSON = threading.RLock()


class ConsoleInput:
    """One person, who is asked one thing at a time even when several dialogues run at once.

    Args:
        console: where to show texts; the terminal's standard error by default, so that output can be piped.
        stdin: what to read from; by default the terminal, with line editing where Python has it.
    """

    def __init__(self, console: Console | None = None, stdin: TextIO | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._stdin = stdin

    def show(self, title: str, text: str) -> None:
        """Show a text in a box; control characters in it do nothing."""
        self._console.print(Panel(Text(harmless(text)), title=title, title_align="left"))

    def ask(
        self, prompt: str, boxes: tuple[tuple[str, str], ...] = (), goes_on: Callable[[str], bool] = lambda line: False
    ) -> str:
        """Show ``boxes`` of (title, text), then read one message.

        Enter sends a message of one line. If ``goes_on(first line)``, it goes on to a line that holds a single dot, or
        to the end of the input (Ctrl-D). Blank lines before a message are skipped. Ctrl-C raises KeyboardInterrupt.

        Raises:
            EOFError: the input ended before a message began.
        """
        with _ONE_PERSON:
            for title, text in boxes:
                self.show(title, text)
            first = self._line(f"{prompt}> ")
            while not first.strip():
                first = self._line(f"{prompt}> ")
            lines = [first]
            if goes_on(first):
                self._console.print(f"[dim]... end with a line that holds a single {END_OF_MESSAGE} (or Ctrl-D)[/dim]")
                with contextlib.suppress(EOFError):
                    while (line := self._line("")) != END_OF_MESSAGE:
                        lines.append(line)
            return "\n".join(lines)

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
            self._folder = Path(tempfile.mkdtemp(prefix="colbench-"))
            self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        path = self._folder / f"{_UNSAFE.sub('_', name)[:_NAME_CHARS]}.png"
        path.write_bytes(png)
        return path

    def box(self, title: str, name: str, status: str, png: bytes) -> tuple[str, str]:
        """Return a box that says where a page's picture is, or by its status why it has none."""
        return (f"{title} is the picture", str(self.save(name, png))) if png else (title, f"cannot be shown: {status}")

    def close(self) -> None:
        """Remove the folder. A second call does nothing."""
        if self._remove is not None:
            self._remove()
        self._folder = self._remove = None


def harmless(text: str) -> str:
    """Return the text without control characters and marks of writing direction; line breaks and tabs stay."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
