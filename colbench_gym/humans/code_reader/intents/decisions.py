"""Answers in the words of a task's author: the decisions that were written down beside the reference."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from math import fsum
from zlib import crc32

from colbench_gym.humans.code_reader.lexicon import PLAIN, related, stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.tasks import BackendTask, Decision

_FITS = 1.0  # score from which a question is about a decision: one word that only this decision has
NO_PREFERENCE = "I have no preference about that."
_DULL = 0.6  # ours: score for a word that is about many things
_DULL_WORDS = PLAIN | stems(["number", "amount", "entry", "single", "list", "word", "special", "included"])
_CARES = 0.25  # ours: of two decisions that fit alike, a person thinks of the one in which something was decided
_KIND = 1.5  # ours: score for words that people use for matters of a decision's kind
# Words that people use for a kind of matter, whatever the task is about; patterns, in lower case.
_KINDS = {
    "average": r"average|mean|median|typical",
    "blanks": r"(?:white ?)?spaces?|whitespace\w*|blanks?|padding|strip\w*|trim\w*",
    "boundary": (
        r"exactly|precisely|equal(?:s|ling)? to|inclusive|exclusive|include[sd]? the|right (?:on|at)|boundar\w+"
        r"|borderline|(?:on|at) the (?:limit|border|threshold|edge|cut-?off)|strict(?:ly)?"
    ),
    "cap": r"caps?|capped|ceiling|maximum|max|upper (?:limit|bound)|at most|highest|capacity|as high as",
    "condition": (
        r"affects?|influences?|changes?|effects?|consequences?|play a role|impacts?|qualif\w+|criteri\w+"
        r"|counts? as|recogni[sz]e"
    ),
    "conflict": r"both|conflict\w*|collision|clash\w*|combine\w*|overlap\w*",
    "duplicates": r"duplicat\w+|twice|repeat\w*|more than once|several times|double entries",
    "empty": (
        r"empty|(?:if|when|that) (?:there (?:are|is) )?(?:no|none|nothing|nobody)"
        r"|nothing (?:qualif\w+|match\w*|is left|left|to)|no (?:match\w*|data|entries|items|results?|input)|none"
        r"|nobody|without any|zero (?:items|entries|matches)"
    ),
    "exception": (
        r"exceptions?|exclud\w+|exclusions?|left out|leave out"
        r"|ignored?|skip\w*|never|only one|only in one|one of the"
    ),
    "fixed amount": r"fixed|flat|base|basic|surcharges?|constant|always added|on top|every case|set-?up|starting",
    "floor": r"floor|minimum|min|lower (?:limit|bound)|at least|smallest|lowest|least",
    "formula": r"formula|rates?|get from|follow|per unit|calculat\w+|comput\w+|work\w* out|which kind of",
    "invalid value": (
        r"invalid|negative|below zero|less than (?:zero|nothing|0)"
        r"|under zero|minus|zero or|not positive|impossible"
    ),
    "letter case": (
        r"capitals?|(?:upper|lower)[- ]?case|case[- ](?:in)?sensitiv\w*"
        r"|small letters|letter case|casing"
    ),
    "limit": r"how many|how long|number of|maximum|at most|length|top",
    "malformed input": (
        r"malformed|unknown|unrecogni[sz]ed|unexpected"
        r"|well-?formed|broken|strange|wrong format|other words"
    ),
    "missing value": r"missing|lack\w*|absent|without (?:a|the|any) \w+|none|null|gaps?|blank|not given|no value",
    "numbering": r"(?:zero|0|one|1)[- ]based|index\w*|counting|numbering|begin with|start at",
    "order": r"order\w*|sort\w*|rank\w*|ascending|descending|sequence|first|before|leads?|operations",
    "result form": (
        r"form|format|shape|types?|structure|get back|look like|give back"
        r"|(?:what|how) (?:exactly |precisely )?(?:is|are"
        r"|should|do|does|will|must)(?: \w+){0,3} (?:be )?returned|what (?:exactly )?should i return\?|return value"
    ),
    "rounding": r"round\w*|decimals?|digits|precision|decimal places|whole number|integers?",
    "rule": r"below zero|negative stock|more than there is|bigger than|too (?:much|large)|overdraw\w*|insufficient",
    "threshold": (
        r"thresholds?|limits?|cut-?offs?|from which|how (?:much|many|low|high|large|long|far|big|small)"
        r"|allowance|least"
    ),
    "ties": r"ties?|tied|draws?|level|equal|same (?:value|score|amount|result|number|rank|place)|tie-?break\w*",
    "unit": r"units?|measured in|percentage|percent|fractions?|scale|proportion|convert\w*",
    "weight": r"weigh\w*|weights?|count (?:more|double|less)|more than (?:the )?(?:others|rest)|factor",
    "zero": r"zeros?|zeroes|0",
}
_KIND_PATTERNS = {kind: re.compile(rf"\b(?:{words})\b") for kind, words in _KINDS.items()}


@lru_cache(maxsize=8192)
def stems_of(decision: Decision) -> tuple[frozenset[str], frozenset[str]]:
    """Stems of its topics and of the phrasings of what it is about."""
    return stems(decision.topics), stems(decision.about)


def decision_for(task: BackendTask, question: Question) -> Decision | None:
    """Return the decision that a question is about; None when it is about none."""
    words, text = question.stems, question.lower
    if question.context and len(question.about) < 2:
        words, text = words | stems([question.whole]), question.whole
    near, (rarity, known_by) = related(words), _known_by(task.decisions)
    best: tuple[float, int] = (0.0, 0)
    for place, (decision, (topics, about, either)) in enumerate(zip(task.decisions, known_by, strict=True)):
        score = fsum((_DULL if word in _DULL_WORDS else 2.0) / rarity[word] for word in topics & words)
        score += fsum(1.0 / rarity[word] for word in about & words)
        score += fsum(0.7 / rarity[word] for word in either & near)
        score += _named(decision, question)
        if _speaks_of(decision.kind, text):
            score += _KIND
        score += _CARES if score and decision.says else 0.0
        best = max(best, (round(score, 6), -place))
    return task.decisions[-best[1]] if best[0] >= _FITS else None


@lru_cache(maxsize=8192)
def _speaks_of(kind: str, text: str) -> bool:
    """Return whether a text has words that people use for a kind of matter."""
    pattern = _KIND_PATTERNS.get(kind)
    return pattern is not None and pattern.search(text) is not None


def _named(decision: Decision, question: Question) -> float:
    """Return a bonus when what the decision is about is said in full."""
    return 3.0 if any(phrase.lower() in question.whole for phrase in decision.about if len(phrase) > 3) else 0.0


@lru_cache(maxsize=8192)
def _known_by(
    decisions: tuple[Decision, ...],
) -> tuple[dict[str, int], list[tuple[frozenset[str], frozenset[str], frozenset[str]]]]:
    """Return how many decisions each word is about, and of each decision the words that a question is compared with.

    These are its topics, what else it is about, and both, the last two without words that say nothing.
    """
    words = [stems_of(decision) for decision in decisions]
    rarity = Counter(word for topics, about in words for word in topics | about)
    return dict(rarity), [(topics, about - topics - PLAIN, (topics | about) - PLAIN) for topics, about in words]


def decision_words(task: BackendTask, decision: Decision) -> str:
    """Return the words for a decision: always the same for one task."""
    if not decision.says:
        return NO_PREFERENCE
    return decision.says[crc32(f"{task.task_id}/{decision.key}".encode()) % len(decision.says)]
