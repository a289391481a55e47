"""Answers from what the author of a task wrote down: its decisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from colbench_gym.humans.facts import stem, stems
from colbench_gym.humans.questions import Question
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import BackendTask, Decision

_MOST = 2  # decisions told in one reply: each is a sentence


@lru_cache(maxsize=8192)
def _index(decision: Decision) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of its topics and of the phrasings of what it is about."""
    return frozenset(stem(topic) for topic in decision.topics) | stems(decision.topics), stems(decision.about)


def answer_from_decisions(task: BackendTask, questions: Sequence[Question], said: str) -> str:
    """The decisions that the questions ask for; empty when they ask for none."""
    chosen: list[Decision] = []
    for question in questions:
        best = _best(task.decisions, question)
        if best is None and question.more:
            best = next((d for d in task.decisions if d not in chosen and phrase(task, d) not in said), None)
        if best is not None and best not in chosen:
            chosen.append(best)
    told: list[str] = []
    for decision in chosen[:_MOST]:
        sentence = phrase(task, decision)
        if len(" ".join([*told, sentence])) <= BACKEND.human_chars:
            told.append(sentence)
    return " ".join(told)


def _best(decisions: Sequence[Decision], question: Question) -> Decision | None:
    words = stems([question.text])
    rarity: dict[str, int] = {}
    for decision in decisions:
        topics, about = _index(decision)
        for word in topics | about:
            rarity[word] = rarity.get(word, 0) + 1
    scored = []
    for place, decision in enumerate(decisions):
        topics, about = _index(decision)
        score = sum(2.0 / rarity[word] for word in topics & words)
        score += sum(1.0 / rarity[word] for word in (about - topics) & question.words)
        scored.append((score, -place))
    best, place = max(scored)
    return decisions[-place] if best >= 1.0 else None


def phrase(task: BackendTask, decision: Decision) -> str:
    """The words for a decision: always the same for one task."""
    if not decision.says:
        return "I have no preference about that."
    return decision.says[crc32(f"{task.task_id}/{decision.key}".encode()) % len(decision.says)]
