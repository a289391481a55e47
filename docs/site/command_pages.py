"""Hook of MkDocs: the page of the command line holds what every command says of itself."""

from __future__ import annotations

import contextlib
import io
import os
import re
import textwrap
from typing import Any

COMMANDS = "{{ commands }}"
WIDTH = 84  # characters, as wide as a page
CHOICES = re.compile(r"usage: colbench[\w -]* \[-h\] \{([\w,-]+)\}$")


def on_page_markdown(markdown: str, **_: Any) -> str:  # Any: what MkDocs hands to hooks
    """Put the help of every command in the place of the marker."""
    return markdown.replace(COMMANDS, "\n\n".join(sections())) if COMMANDS in markdown else markdown


def sections() -> list[str]:
    """Return a heading and the help of each command, in the order in which ``colbench --help`` lists them."""
    os.environ.update(COLUMNS=str(WIDTH), NO_COLOR="1", TERM="dumb")
    return [part for name in subcommands([]) for part in _section([name])]


def subcommands(words: list[str]) -> list[str]:
    """Return the names of the subcommands of a command; none where it has none."""
    usage = "".join(help_of(words).partition("\n\n")[0].split("\n"))
    choices = CHOICES.fullmatch(re.sub(r" +", " ", usage))
    return choices[1].split(",") if choices else []


def help_of(words: list[str]) -> str:
    """Return what ``colbench WORDS --help`` prints."""
    from colbench_gym.cli import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        main([*words, "--help"])
    return printed.getvalue()


def _section(words: list[str]) -> list[str]:
    printed = (line.rstrip() for line in help_of(words).splitlines())
    lines = (part for line in printed for part in textwrap.wrap(line, WIDTH) or [""])
    shown = f"{'#' * (len(words) + 1)} colbench {' '.join(words)}\n\n```text\n{chr(10).join(lines)}\n```"
    return [shown, *(part for name in subcommands(words) for part in _section([*words, name]))]
