"""Answers in the words of a task's author: the decisions that were written down beside the reference."""

from __future__ import annotations

import re
from functools import lru_cache
from math import fsum
from zlib import crc32

from colbench_gym.humans.code_reader.lexicon import PLAIN, related, stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.tasks import BackendTask, Decision

_FITS = 1.0  # score from which a question is about a decision: one word that only this decision has
NO_PREFERENCE = "I have no preference about that."
_KINDS = {
    "threshold": (
        r"\b(?:threshold|limit|cut-?off|minimum|maximum|at least|at most|how (?:much|many|low|high"
        r"|large|long|far|big)|exactly|boundar\w+)\b"
    ),
    "order": r"\b(?:order\w*|sort\w*|rank\w*|ascending|descending|first)\b",
    "ties": r"\b(?:ties?|tied|equal|same)\b",
    "rounding": r"\b(?:round\w*|decimals?|digits|precision)\b",
    "edge": r"\b(?:empty|missing|none|null|zero|negative|unknown|invalid|nothing|edge|corner|special)\b",
    "case": r"\b(?:case|upper|lower|capital\w*)\b",
    "format": r"\b(?:format|form|shape|look like|return\w*|output|result)\b",
}


@lru_cache(maxsize=8192)
def _index(decision: Decision) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of its topics and of the phrasings of what it is about."""
    return stems(decision.topics), stems(decision.about)


def decision_for(task: BackendTask, question: Question) -> Decision | None:
    """Return the decision that a question is about; None when it is about none."""
    words = question.stems
    if question.context and len(question.about) < 2:
        words = words | stems([question.whole])
    near, rarity = related(words), _rarity(task.decisions)
    best: tuple[float, int] = (0.0, 0)
    for place, decision in enumerate(task.decisions):
        topics, about = _index(decision)
        score = fsum(2.0 / rarity[word] for word in sorted(topics & words))
        score += fsum(1.0 / rarity[word] for word in sorted((about - topics) & words) if word not in PLAIN)
        score += fsum(0.7 / rarity[word] for word in sorted((topics | about) & near - words) if word not in PLAIN)
        score += _named(decision, question)
        kind = getattr(decision, "kind", "")
        if score and kind in _KINDS and re.search(_KINDS[kind], question.lower):
            score += 0.5
        best = max(best, (round(score, 6), -place))
    return task.decisions[-best[1]] if best[0] >= _FITS else None


def _named(decision: Decision, question: Question) -> float:
    """Return a bonus when what the decision is about is said in full."""
    return 3.0 if any(phrase.lower() in question.whole for phrase in decision.about if len(phrase) > 3) else 0.0


@lru_cache(maxsize=8192)
def _rarity(decisions: tuple[Decision, ...]) -> dict[str, int]:
    """How many decisions each word is about."""
    counts: dict[str, int] = {}
    for decision in decisions:
        for word in frozenset.union(*_index(decision)):
            counts[word] = counts.get(word, 0) + 1
    return counts


def decision_words(task: BackendTask, decision: Decision) -> str:
    """Return the words for a decision: always the same for one task."""
    if not decision.says:
        return NO_PREFERENCE
    return decision.says[crc32(f"{task.task_id}/{decision.key}".encode()) % len(decision.says)]
