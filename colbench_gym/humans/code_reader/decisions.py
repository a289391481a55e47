"""Answers from what the author of a task wrote down: its decisions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import fsum
from zlib import crc32

from colbench_gym.humans.code_reader.facts import stem, stems
from colbench_gym.humans.code_reader.question_words import PLAIN
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import BackendTask, Decision

_MOST = 2  # decisions told in one reply: each is a sentence
_WHOLE, _PART = 1.0, 2.0  # how well a question, or a part of one, has to fit: a topic that only one decision has is 2
_PARTS = re.compile(r"[,;]|\b(?:and|also|plus|as well as)\b")


@lru_cache(maxsize=8192)
def _index(decision: Decision) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of its topics and of the phrasings of what it is about."""
    return frozenset(stem(topic) for topic in decision.topics) | stems(decision.topics), stems(decision.about)


def answer_from_decisions(task: BackendTask, questions: Sequence[Question], said: str) -> str:
    """The decisions that the questions ask for; empty when they ask for none."""
    chosen: dict[str, Decision] = {}
    for question in questions:
        found = _asked(task, question, said)
        if not found and question.more:
            found = [d for d in task.decisions if d.key not in chosen and phrase(task, d) not in said][:1]
        chosen.update((decision.key, decision) for decision in found)
    told: list[str] = []
    for decision in list(chosen.values())[:_MOST]:
        sentence = phrase(task, decision)
        if len(" ".join([*told, sentence])) <= BACKEND.human_chars:
            told.append(sentence)
    return " ".join(told)


def _asked(task: BackendTask, question: Question, said: str) -> list[Decision]:
    """The decision that fits a question best; more when its parts fit others as well."""
    parts = [part for part in _PARTS.split(question.text) if part.strip()]
    found = [_best(task, question.text, said, _WHOLE)]
    if len(parts) > 1:
        found += [_best(task, part, said, _PART) for part in parts]
    return [decision for decision in found if decision is not None]


def _best(task: BackendTask, text: str, said: str, least: float) -> Decision | None:
    words, rarity = stems([text]), _rarity(task.decisions)
    best: tuple[float, bool, int] = (0.0, False, 0)
    for place, decision in enumerate(task.decisions):
        topics, about = _index(decision)
        score = fsum(2.0 / rarity[word] for word in topics & words)
        score += fsum(1.0 / rarity[word] for word in (about - topics) & words if word not in PLAIN)
        best = max(best, (round(score, 6), phrase(task, decision) not in said, -place))
    return task.decisions[-best[2]] if best[0] >= least else None


@lru_cache(maxsize=8192)
def _rarity(decisions: tuple[Decision, ...]) -> dict[str, int]:
    """How many decisions each word is about."""
    counts: dict[str, int] = {}
    for decision in decisions:
        for word in frozenset.union(*_index(decision)):
            counts[word] = counts.get(word, 0) + 1
    return counts


def phrase(task: BackendTask, decision: Decision) -> str:
    """The words for a decision: always the same for one task."""
    if not decision.says:
        return "I have no preference about that."
    return decision.says[crc32(f"{task.task_id}/{decision.key}".encode()) % len(decision.says)]
