"""A reply as data: its parts, each with its kind and the question it belongs to, before they become one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from colbench_gym.rules import BACKEND

PartKind = Literal["answer", "reason", "hint", "unknown", "refusal"]


@dataclass(frozen=True)
class Part:
    """One sentence of a reply, or two that belong together.

    Attributes:
        text: whole sentences, with capital letters and full stops.
        kind: ``answer`` settles the question, ``reason`` supports the answer before it, ``hint`` names topics and no
            values, ``unknown`` admits that the matter is open, ``refusal`` declines.
        question: position of the question in the agent's message that it belongs to.
        topic: what it is about, such as the key of a decision or the kind of the question; ``difference`` for what is
            not yet right on a page; empty when unclear.
        reveals: it states a hidden decision or constant.
    """

    text: str
    kind: PartKind = "answer"
    question: int = 0
    topic: str = ""
    reveals: bool = False


@dataclass(frozen=True)
class Reply:
    """All parts of one reply, in the order in which they are said."""

    parts: tuple[Part, ...]

    def text(self, max_chars: int = BACKEND.human_chars) -> str:
        """Join the parts that fit into ``max_chars``; answers go before reasons and hints."""
        kept: list[Part] = []
        for part in sorted(self.parts, key=lambda part: part.kind in ("reason", "hint")):
            if len(" ".join(p.text for p in (*kept, part))) <= max_chars:
                kept.append(part)
        return " ".join(part.text for part in self.parts if part in kept)
