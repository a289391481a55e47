"""Facts that the task's author wrote down, and those that the request states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from zlib import crc32

from colbench_gym.humans.asking.splitting import sentences
from colbench_gym.humans.facts import Fact
from colbench_gym.tasks import BackendTask, Decision

NO_PREFERENCE = "I have no preference about that."
_SIGNATURE = re.compile(r"\bThe signature of (?:the|this) function is\b.*", re.DOTALL)
_MAX_STATED = 160  # characters of a sentence of the request that is said again
_ASKS_FOR = re.compile(
    r"\b(?:need|want|would like|looking for|write|create|build|idea|wish|help me|could you|please)\b", re.I
)


def decision_facts(task: BackendTask) -> Iterator[Fact]:
    """Yield the author's decisions, each in one of its wordings: always the same for one task."""
    for decision in task.decisions:
        yield Fact(
            decision.kind or "rule",
            decision_words(task, decision),
            about=(*decision.about, *decision.topics, *decision.kind.split()),
            slot=f"decision {decision.key}",
            source="author",
            key=decision.key,
            reveals=bool(decision.says),
            weight=1.0 if decision.says else 0.2,
        )


def decision_words(task: BackendTask, decision: Decision) -> str:
    """Return the words for a decision: always the same for one task."""
    if not decision.says:
        return NO_PREFERENCE
    return decision.says[crc32(f"{task.task_id}/{decision.key}".encode()) % len(decision.says)]


def stated_facts(task: BackendTask) -> Iterator[Fact]:
    """Yield what the request itself states, to be said again where it answers a question."""
    for told in sentences(_SIGNATURE.sub("", task.description))[1:]:
        if len(told) <= _MAX_STATED and not _ASKS_FOR.search(told) and not told.endswith("?"):
            first = told[:1].lower() if told[1:2].islower() and not told.startswith("I ") else told[:1]
            text = f"As I said: {first}{told[1:]}"
            yield Fact("stated", text, about=(), source="request", reveals=False, weight=0.2)
