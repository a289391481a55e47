"""Facts: everything a human can say about a task, each as one sentence and what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from colbench_gym.humans.asking import Question

NO_PREFERENCE = "I have no preference about that."  # of a matter that nothing decides
UNDECIDED = "I don't know about that."  # of what no fact speaks of
NOTHING_LIKE_IT = "No, nothing like that."  # of that, where its author decided all there is
Source = Literal["author", "code", "run", "open", "page"]
Row = Mapping[str, Any]  # a section of TOML, or what fills one


@dataclass(frozen=True)
class Fact:
    """One thing that is true of what is wanted.

    Attributes:
        kind: sort of matter, a section name of ``asking/kinds.toml``: "limit", "order", "colour".
        text: whole sentences as a person would say them, true by themselves.
        about: words and phrases that a question about it may use: identifiers, topics, labels; never said.
        slot: facts of one slot are values of one thing ("colour of the header"), or say the same in other words; one
            reply tells one of them.
        source: where it comes from.
        key: key of the author's decision that it tells; empty for others.
        absent: it says that something is not there or not done, which answers questions about that alone.
        reveals: it tells a value that the request does not.
        weight: how much it matters to a person, from 0 to 1; of facts that fit alike the heavier one is told.
    """

    kind: str
    text: str
    about: tuple[str, ...] = field(default=(), repr=False)
    slot: str = ""
    source: Source = "code"
    key: str = ""
    absent: bool = False
    reveals: bool = True
    weight: float = 0.5


def fact_of(row: Row, about: Iterable[str], source: Source, values: Row, reveals: bool = True) -> Fact:
    """Return the fact of a section of a ``sentences.toml``, whose text and slot ``values`` fill."""
    text = row["text"].format(**values)
    return Fact(
        row["kind"],
        f"{text[:1].upper()}{text[1:]}",
        tuple(dict.fromkeys(about)),
        row.get("slot", "").format(**values),
        row.get("source", source),
        absent=row.get("absent", False),
        reveals=reveals and row.get("reveals", True),
        weight=values.get("weight", row.get("weight", 0.5)),
    )


@dataclass(frozen=True)
class Verdict:
    """Answer to one question that running, looking or two values of one slot decided.

    Attributes:
        text: whole sentences; begins with "Yes" or "No" only where the question is answered by that.
        topic: what it is about, for :class:`~colbench_gym.humans.replies.Part`.
        final: nothing need be added; otherwise the fact that fits best is told behind it.
        reveals: it tells a value that the request does not.
        short: the same without what the question said, where there is little room; empty when that is the text.
        part: the rest of what is asked is a decision of the author's.
    """

    text: str
    topic: str = ""
    final: bool = True
    reveals: bool = True
    short: str = ""
    part: bool = False


class Knowledge(Protocol):
    """All that is known of one task, as one track supplies it to the engine."""

    @property
    def facts(self) -> Sequence[Fact]:
        """Return everything that can be said, in the order in which a person would tell it."""

    @property
    def outline(self) -> str:
        """Return what a broad question gets: what there is, by name, without any value."""

    def decide(self, question: Question) -> Verdict | None:
        """Return what running or looking decides about a question; None where it decides nothing."""
