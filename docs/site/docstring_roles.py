"""Griffe extension: docstrings in the project's notation as Markdown, for mkdocstrings.

Roles become links where the name has a page, and plain code where it has none. A paragraph that ends in ``::`` opens a
block of code; an example (``>>>``) is one.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|mod|meth|data|attr|exc):`(~?)([\w.]+)`")
EXAMPLE = re.compile(r"^>>> .*\n(?:.+\n)*", re.MULTILINE)  # up to a blank line
BLOCK = re.compile(r"(?P<end>^|\S)::\n\n(?P<code>(?:(?: {4}[^\n]*)?\n)+)", re.MULTILINE)


def to_markdown(text: str) -> str:
    """Return a docstring with its roles, examples and blocks of code as Markdown."""
    fenced = EXAMPLE.sub(r"```pycon\n\g<0>```\n", BLOCK.sub(_fence, text + "\n"))
    return ROLE.sub(_link, fenced).rstrip("\n")


def _link(role: re.Match[str]) -> str:
    short, name = role.groups()
    shown = name.rpartition(".")[2] if short else name
    return f'<autoref identifier="{name}" optional><code>{shown}</code></autoref>' if "." in name else f"`{name}`"


def _fence(block: re.Match[str]) -> str:
    end, code = block["end"], block["code"].strip("\n")
    lines = "\n".join(line[4:] for line in code.splitlines())
    return f"{end}{':' if end else ''}\n\n```text\n{lines}\n```\n\n"


class DocstringRoles(griffe.Extension):
    """Extension that rewrites each docstring as it is loaded."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:  # Any: as in griffe  # noqa: ARG002
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)
