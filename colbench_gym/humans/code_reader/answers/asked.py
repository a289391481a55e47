"""One question put to a reference, and what every responder needs: running it, the clause or the decision that fits."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum, isclose
from typing import Any

from colbench_gym.humans.code_reader.experiments import Laboratory, Outcome, call_text
from colbench_gym.humans.code_reader.intents import shares_of
from colbench_gym.humans.code_reader.intents.tokens import tokens
from colbench_gym.humans.code_reader.lexicon import akin, close, related, stem, stems
from colbench_gym.humans.code_reader.orders import Finding
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.situations import (
    raises_on_purpose,
)
from colbench_gym.humans.code_reader.verbalizer import Clause, Spoken
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.values import say_value
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of
from colbench_gym.tasks import BackendTask

SURE = 0.6  # likelihood of an intent from which a question needs no other sign
UNKNOWN = "I don't know."
MAX_ROOM = 370  # characters of an answer to one question, so that a reply stays within what the rules allow


@dataclass
class Asked:
    """One question put to a reference, and what answering it may use.

    Attributes:
        said: the reference, ready to be talked about.
        question: what is asked.
        lab: runs the reference.
        task: what is to be built, with what its author decided.
        before: what the human has said so far, in lower case.
        room: characters that the answer may have where several things could be said.
    """

    said: Spoken
    question: Question
    lab: Laboratory
    task: BackendTask
    before: str = ""
    room: int = MAX_ROOM

    @cached_property
    def shares(self) -> Mapping[str, float]:
        """Return how likely each intent is for the question."""
        text = self.question.text if len(self.question.stems) > 3 else self.question.raw
        return shares_of(tuple(tokens(text, self.said.knowledge)))

    def likely(self, *intents: str) -> float:
        """Return how likely it is that the question has one of some intents."""
        return fsum(self.shares[intent] for intent in intents)

    def part(self, text: str, topic: str = "", reveals: bool = False, kind: Any = "answer") -> Part:
        """Return a part of the reply to this question."""
        return Part(text, kind, self.question.place, topic, reveals)

    @cached_property
    def on_tests(self) -> list[Outcome] | None:
        """Return the outcomes of the task's own calls, where each gives arguments and the grader knows them."""
        whole = len(self.said.knowledge.seeds) == len(self.task.calls)
        return self.lab.on_tests(self.task) if whole else None

    def run(self, inputs: Sequence[dict[str, Any]]) -> list[Outcome]:
        """Run the reference on some arguments."""
        known = self.said.knowledge
        if known.seeds and len(inputs) <= len(known.seeds) and all(map(operator.is_, inputs, known.seeds)):
            tests = self.on_tests
            if tests is not None:
                return tests[: len(inputs)]
        calls = [call_text(known.name, arguments, known.positional) for arguments in inputs]
        return self.lab.observe(known.source, calls)

    def observe(self, inputs: Sequence[dict[str, Any]], fixed: tuple[tuple[str, float], ...] = ()) -> list[Outcome]:
        """Run the reference on some arguments, with some of its names fixed; note which claims come into force."""
        known = self.said.knowledge
        calls = [call_text(known.name, arguments, known.positional) for arguments in inputs]
        return self.lab.observe(_marked(known, fixed), calls)


@lru_cache(maxsize=512)
def _marked(known: Knowledge, fixed: tuple[tuple[str, float], ...]) -> str:
    return known.marked(fixed)


Responder = Callable[[Asked], list[Part]]


def finding_part(asked: Asked, topic: str, finding: Finding) -> Part:
    """Return a property as a part of the reply, with yes or no where that answers the question."""
    text = (
        finding.text[0].lower() + finding.text[1:]
        if finding.text[:2].istitle() and not finding.text.startswith("I ")
        else finding.text
    )
    if asked.question.polar:
        lead = "Yes, " if finding.polarity == "yes" else "No, "
        return asked.part(lead + text, topic, finding.reveals)
    return asked.part(sentence(finding.text), topic, finding.reveals)


def outcome_text(asked: Asked, outcome: Outcome) -> str:
    """Return what came of running the reference, as a clause."""
    source = asked.said.knowledge.source
    if outcome.status == "raised":
        named = f"{'an' if outcome.error[:1] in 'AEIOUaeiou' else 'a'} {outcome.error}"
        if raises_on_purpose(asked.said.knowledge, outcome.error):
            message = f" with the message {say_value(outcome.message, source)}" if outcome.message else ""
            return f"{named}{message} is raised"
        return (
            f"that isn't handled specially, there is no check: it would fail with {_ERRORS.get(outcome.error, named)}"
        )
    if outcome.value is None:
        return "the result is None (nothing is returned)"
    return f"the result is {say_value(outcome.value, source)}"


_ERRORS = {
    "ZeroDivisionError": "a division by zero (ZeroDivisionError)",
    "KeyError": "a KeyError, because of the missing key",
    "IndexError": "an IndexError (index out of range)",
    "TypeError": "a TypeError",
    "ValueError": "a ValueError",
    "AttributeError": "an AttributeError",
}


def same(one: object, other: object) -> bool:
    """Return whether two values are equal, small rounding aside."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        return isclose(one, other, rel_tol=1e-6, abs_tol=5e-3 if abs(float(one)) > 1 else 1e-6)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def score(asked: Asked, clause: Clause) -> float:
    """Return how well a clause fits a question."""
    q = asked.question
    words = q.about_all if len(q.about) < 2 else q.about
    weights = _rarity(asked.said)
    near = related(words)
    total = fsum(weights[w] * (1.0 if w in clause.own else 0.8) for w in sorted(clause.stems) if w in words)
    total += fsum(0.4 * weights[w] for w in sorted(clause.stems) if w in near and w not in words)
    total += fsum(0.5 for w in sorted(clause.near - clause.stems) if w in words)
    strange = sorted(words - asked.said.vocabulary - clause.stems - asked.said.knowledge.topics)
    total += fsum(0.5 * weights[hit] for w in strange if (hit := akin(w, sorted(clause.stems - words))))
    unknown = [
        w
        for w in sorted(words)
        if len(q.stems) > 2 and w not in asked.said.vocabulary and w not in asked.said.knowledge.topics
    ]
    total += fsum(0.6 * weights[hit] for w in unknown if (hit := close(w, sorted(clause.stems))))
    target = getattr(getattr(clause.claim, "statement", None), "targets", [None])[0]
    if isinstance(target, ast.Name):
        own = stems([target.id])
        total += 0.8 * weights.get(min(own, default=""), 0.5) if own and own <= words else 0.0
    phrase = f" {' '.join(stem(w) for w in re.findall(r'[a-z0-9]+', q.lower.replace('_', ' ')))} "
    total += fsum(0.5 for name in clause.names if f" {name} " in phrase)
    numbers = set(re.findall(r"\d+(?:\.\d+)?", q.lower.replace(",", "")))
    total += 0.7 * len(numbers & clause.literals)
    for number in numbers & clause.literals:
        above = re.search(
            rf"\b(?:over|above|more than|beyond|exceed\w*|greater than)\s+{re.escape(number)}\b",
            q.lower.replace(",", ""),
        )
        below = re.search(
            rf"\b(?:under|below|less than|up to|at most)\s+{re.escape(number)}\b", q.lower.replace(",", "")
        )
        if above or below:
            fits = re.search(
                rf"(?:more than|at least) {re.escape(number)}\b"
                if above
                else rf"(?:less than|at most) {re.escape(number)}\b",
                clause.text,
            )
            total += 0.5 if fits else -0.3
    return total


def _rarity(said: Spoken) -> dict[str, float]:
    found: dict[str, float] = {}
    for clause in said.clauses:
        for word in clause.stems:
            found[word] = found.get(word, 0.0) + 1.0
    return {word: 1.0 / (0.5 + 0.5 * count) for word, count in found.items()}


def best_clause(asked: Asked, wanted: Callable[[Clause], bool] = lambda clause: True) -> Clause | None:
    """Return the clause that fits a question best; None when none fits."""
    scored = [
        (score(asked, clause), -place, clause) for place, clause in enumerate(asked.said.clauses) if wanted(clause)
    ]
    best = max(scored, default=None, key=lambda entry: entry[:2])
    return best[2] if best is not None and best[0] > 0 else None


_COMPARING = (
    r"\b(?:than|over|above|below|under|least|most|from|up to|exceed\w*|beyond|minimum|maximum|threshold|limit)\b|[<>]"
)


def _limits(clause: Clause) -> set[str]:
    """Return the numbers that the circumstances of a claim compare something with."""
    return {
        f"{side.value:g}"
        for node in clause.claim.nodes
        for part in nodes_of(node)
        if isinstance(part, ast.Compare)
        for side in (part.left, *part.comparators)
        if isinstance(side, ast.Constant) and isinstance(side.value, (int, float))
    }


def polarity(asked: Asked, clause: Clause) -> str:
    """Return "Yes, " when all that a question proposes stands in the clause that answers it; empty when unsure."""
    q = asked.question
    if not q.polar or q.has(
        r"\b(?:not|never|without|only|rather|instead|always|n't|no|all|every|each|both|any|more|less|same|different"
        r"|regardless|longer|shorter|higher|lower|have to|has to|need to|larger|smaller|or|none|if|when)\b"
    ):
        return ""
    words = {w for w in q.about if len(w) > 2}
    known = clause.stems | stems([clause.text])
    near = related(known)
    missing = [w for w in words if w not in known and w not in near and w not in asked.said.knowledge.topics]
    hits = [w for w in words if w in known]
    if len(hits) < 2 or missing:
        return ""
    numbers = set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", q.lower.replace(",", "")))
    if numbers & _limits(clause) and not q.has(_COMPARING):
        return ""  # a value on a limit is a case: only running it tells
    if numbers <= clause.literals | {"0", "1"} and not numbers & {"0", "1"}:
        return "Yes, "
    return "No, " if len(numbers) == 1 and len(clause.literals) == 1 and not numbers & {"0", "1"} else ""
