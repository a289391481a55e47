"""State of a dialogue when a persona speaks, and the small tools that all personas share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from colbench_gym.humans.replies import Part, Reply
from colbench_gym.tasks.permutation import Draw


@dataclass(frozen=True)
class Moment:
    """State of a dialogue before a reply.

    Attributes:
        task_id: the task.
        persona: who speaks.
        intensity: 0 to 1.
        questions: the agent's messages, the one to be answered last.
        replies: the human's replies so far, the opening left out.
        shows_page: the agent's message proposes a page.
        max_chars: the rules cut a reply there.
        put_off: parts of the reply to the message before; None at the start, and for who puts nothing off.
    """

    task_id: str
    persona: str
    intensity: float
    questions: tuple[str, ...]
    replies: tuple[str, ...]
    shows_page: bool
    max_chars: int
    put_off: Reply | None = None

    @property
    def turn(self) -> int:
        """Number of replies before this one."""
        return len(self.replies)

    @property
    def asked_before(self) -> bool:
        """True if the same message was sent before."""
        *earlier, last = (" ".join(question.lower().split()) for question in self.questions)
        return last in earlier

    def draw(self, purpose: str) -> Draw:
        """Return the random choices of this turn for one purpose."""
        return Draw("persona", self.persona, self.task_id, self.turn, purpose)

    def happens(self, purpose: str, share: float) -> bool:
        """Return True in about ``share`` of the turns, times the intensity."""
        return self.draw(purpose).below(1000) < 1000 * share * self.intensity

    def once(self, purpose: str, turns: int) -> int:
        """Return the one turn, of the first ``turns``, in which something may happen in this dialogue."""
        return Draw("persona", self.persona, self.task_id, purpose, "once").below(turns)

    def pick(self, purpose: str, texts: Sequence[str]) -> str:
        """Return one of the texts: in one dialogue all of them come before one comes again."""
        order = Draw("persona", self.persona, self.task_id, purpose).shuffled(texts)
        return order[self.turn % len(order)]


Voice = Callable[[Reply, Moment], str]


def essential(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the parts without which something asked for would stay untold."""
    every = tuple(parts)
    return tuple(part for part in every if part.kind != "reason" or part.reveals) or every


def fitting(texts: Iterable[str], max_chars: int) -> str:
    """Join the texts that fit, whole ones in their order; the first is always kept."""
    kept: list[str] = []
    for text in filter(None, texts):
        if not kept or len(" ".join([*kept, text])) <= max_chars:
            kept.append(text)
    return " ".join(kept)


def framed(before: str, core: str, after: str, max_chars: int) -> str:
    """Return the core with what stands around it, as far as that fits; the core comes whole."""
    text = f"{before} {core}" if before and len(before) + len(core) < max_chars else core
    return f"{text} {after}" if after and len(text) + len(after) < max_chars else text
