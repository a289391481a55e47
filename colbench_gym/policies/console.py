"""A person plays the agent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colbench_gym.action import extract_page
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import PolicyError
from colbench_gym.person import Box, ConsoleInput, Person, Request, page_box
from colbench_gym.rendering import Renderer
from colbench_gym.rules import BACKEND

_LONG = re.compile(rf"{re.escape(BACKEND.answer_marker)}|```|<html|<body")


class ConsolePolicy:
    """A Policy that shows a person what was said and reads the next message.

    At the terminal, Enter sends a question. A message whose first line holds the answer marker, a code fence or the
    start of a page goes on to a line with a single dot, or Ctrl-D.

    Args:
        person: who is asked; whoever sits at the terminal by default.
        renderer: frontend: shows the person what their page looks like; closed by who opened it.
    """

    def __init__(self, person: Person | None = None, renderer: Renderer | None = None) -> None:
        self._person = person or ConsoleInput()
        self._renderer = renderer

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the person's message. Ctrl-C passes.

        Raises:
            PolicyError: the input ended.
            RendererError: the browser failed.
            AssetError: the person's page links an asset that has not been fetched.
        """
        opening = not any(message["role"] == "assistant" for message in messages)
        new = messages if opening else messages[-1:]
        boxes = tuple(
            Box("how it works" if message["role"] == "system" else "the human says", message["content"])
            for message in new
        )
        request = Request(
            "your message",
            (*self._own_page(messages), *boxes),
            opening,
            goes_on=lambda line: _LONG.search(line) is not None,
            answer_marker=BACKEND.answer_marker,
            preview=None if self._renderer is None else self._preview,
        )
        try:
            return self._person.ask(request)
        except EOFError as e:
            raise PolicyError(
                "the input ended before the dialogue did; expected your next message; run it in a terminal, or let the "
                f"input hold a message with {BACKEND.answer_marker!r}"
            ) from e

    def _own_page(self, messages: Sequence[ChatMessage]) -> tuple[Box, ...]:
        """Return a box with the page in the person's last message, if there is one."""
        said = [message["content"] for message in messages if message["role"] == "assistant"]
        page = extract_page(said[-1]) if said and self._renderer is not None else None
        return () if page is None else (self._picture(page, f"your-page-{len(said)}"),)

    def _picture(self, page: str, name: str) -> Box:
        assert self._renderer is not None
        rendered = self._renderer.render(page)
        return page_box("your page", name, rendered.status, rendered.png)

    def _preview(self, message: str) -> Box:
        page = extract_page(message)
        if page is None:
            return Box("your page", "There is no page in this message: write one from <html> to </html>.")
        return self._picture(page, "preview")

    def close(self) -> None:
        """Remove the pictures. A second call does nothing."""
        self._person.close()


def at_page(renderer: Renderer | None = None) -> ConsolePolicy:
    """Seat whoever opens a page of this machine.

    Raises:
        MissingExtraError: a page needs packages that are not installed.
    """
    from colbench_gym.person.web import SharedWebPerson

    return ConsolePolicy(SharedWebPerson("agent"), renderer)
