"""Facts of one function, compiled from its decisions, its request, its code and from running it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any
from zlib import crc32

from colbench_gym.humans.asking.lexicon import word_set
from colbench_gym.humans.facts import NO_PREFERENCE, NOTHING_LIKE_IT, UNDECIDED, Fact
from colbench_gym.humans.program.cases import case_facts
from colbench_gym.humans.program.dependence import dependence_facts
from colbench_gym.humans.program.forms import argument_facts, result_facts
from colbench_gym.humans.program.inputs import OWN_INPUTS, ordinary, own_inputs, run
from colbench_gym.humans.program.laboratory import Laboratory
from colbench_gym.humans.program.properties import property_facts, structure_facts, uncut_facts
from colbench_gym.humans.program.reader import Knowledge, knowledge_of
from colbench_gym.humans.program.verbalizer import Clause, Spoken, spoken
from colbench_gym.humans.program.verbalizer.families import MAX_FAMILY_CHARS, families
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.wording import listing, the
from colbench_gym.humans.ranking import OPEN
from colbench_gym.tasks import BackendTask

MAX_FACTS = 80
_UNSTEADY = word_set("random randint choice choices shuffle sample uniform now today time utcnow urandom")
_READ_ALOUD = re.compile(  # code that has no words
    r"(?<![\w\"'])_(?![\w\"'])|\bwhat \w+(?: of [^,]*?)? gives\b|"
    r"^(?:The )?(?:found|now|seen|out|res|tmp|acc|curr?|kept) (?:is|are|becomes?)\b|"
    r"(?:is|are) a fixed \w+\.$|\bsomething\b(?! else)",  # its entries are facts of their own; what has no words
    re.I,
)
TOPICS = "what comes in and what comes back, the conditions and limits, the calculation or special cases"
_PRECEDENCE = ("several", "wins", "precedence", "priority")  # words of who asks which of several cases holds
_BEHIND = {"tariff": ("free", "base")}  # decisions without which another one's sentence would mislead


class ProgramFacts:
    """Knowledge of one function, compiled when the task is first asked about; ``lab`` runs the reference."""

    def __init__(self, task: BackendTask, lab: Laboratory) -> None:
        self.task = task
        self.lab = lab
        known = knowledge_of(task)
        self.said: Spoken | None = spoken(known) if known is not None else None

    @property
    def known(self) -> Knowledge | None:
        """Return the reference as it was read; None when it is no Python."""
        return self.said.knowledge if self.said is not None else None

    @cached_property
    def inputs(self) -> list[dict[str, Any]]:
        """Return realistic arguments of the human's own, no hidden test's."""
        return own_inputs(self.lab, self.said.knowledge) if self.said is not None else []

    @cached_property
    def steady(self) -> bool:
        """Return whether the reference gives the same for the same input, as far as its code tells."""
        known = self.known
        return known is None or not (
            known.called & _UNSTEADY or any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in known.nodes)
        )

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Return all facts, the author's first; those that would read the code aloud are left out."""
        found: dict[tuple[str, str], Fact] = {}  # "I have no preference about that" is told of several matters
        for fact in self._all():
            if fact.text and (fact.source == "author" or not (self.said and reads_aloud(self.said, fact.text))):
                found.setdefault((fact.text, fact.key), fact)
        return tuple(found.values())[:MAX_FACTS]

    def _all(self) -> Iterator[Fact]:
        yield from decision_facts(self.task)
        if self.said is not None:
            known = self.said.knowledge
            tests = [one for one in known.seeds if ordinary(one)]  # of what they give only the form is told
            seen = run(self.lab, known, self.inputs or tests * (len(tests) >= OWN_INPUTS))
            values = [outcome.value for outcome in seen if outcome.status == "returned"]
            values = values if any(value is not None for value in values) else []
            yield from argument_facts(self.said, apart=not self.task.decisions)
            yield from result_facts(self.said, values)
            yield from dependence_facts(self.said, values)
            if not self.task.decisions:  # else all that matters is the author's
                yield from claim_facts(self.said)
                yield from uncut_facts(self.said.knowledge, values)
                yield from structure_facts(self.said)
            yield from property_facts(self.said, values)
            if self.steady:
                yield from case_facts(self.said, self.lab, self.inputs)
        text = NOTHING_LIKE_IT if self.task.decisions else UNDECIDED
        yield Fact(OPEN, text, source="open", reveals=False, weight=0.0)

    @cached_property
    def outline(self) -> str:
        """Return what the function works on and what one can ask about: no numbers, no conditions."""
        known = self.known
        names = [the(parameter.name) for parameter in known.parameters if parameter.used] if known else []
        takes = f"It works on {listing(names[:5])}. " if names else ""
        return f"{takes}You could ask me about {TOPICS}."


def reads_aloud(said: Spoken, text: str) -> bool:
    """Return whether a sentence reads the code aloud."""
    return _READ_ALOUD.search(text) is not None or said.says_code(text)


def claim_facts(said: Spoken) -> Iterator[Fact]:
    """Yield the claims of the code, each as one sentence."""
    kinds = [family for family in families(said) if not reads_aloud(said, sentence(family.text))]
    covered = {member for family in kinds for member in family.covered}  # a case is told with the others
    for clause in (clause for clause in said.clauses if clause not in covered):
        text = sentence(clause.text)
        if len(text) <= MAX_FAMILY_CHARS:
            about = tuple(sorted(clause.named))
            reveals = bool(clause.literals)
            yield Fact(_kind_of(said, clause), text, about=about, reveals=reveals, weight=0.5 if reveals else 0.4)
    for family in kinds:
        named = sorted(frozenset[str]().union(*(member.named for member in family.members)))
        yield Fact(family.kind, sentence(family.text), (*named, *_PRECEDENCE), weight=0.6)


def _kind_of(said: Spoken, clause: Clause) -> str:
    """Return the kind of matter that a claim is."""
    claim = clause.claim
    by_statement = {ast.Raise: "error", ast.Continue: "filter"}
    returned = isinstance(claim.node, ast.Return)
    table = isinstance(claim.value, (ast.Dict, ast.List, ast.Set, ast.Tuple)) and not returned
    if claim.title is not None or table:
        return "table"
    if type(claim.node) in by_statement:
        return by_statement[type(claim.node)]
    if claim.conditional or isinstance(claim.value, ast.IfExp):
        return "condition"
    if returned or (isinstance(claim.node, ast.Assign) and ast.unparse(claim.node.targets[0]) == said.words.result):
        return "returned"
    return "constant" if isinstance(claim.value, ast.Constant) else "formula"


def decision_facts(task: BackendTask) -> Iterator[Fact]:
    """Yield the author's decisions, each in one of its wordings: always the same for one task."""
    said = {}
    for decision in task.decisions:
        place = crc32(f"{task.task_id}/{decision.key}".encode()) % max(1, len(decision.says))
        said[decision.key] = decision.says[place] if decision.says else ""
    done = {decision.key for decision in task.decisions if not decision.off}
    for decision in task.decisions:
        told = [said[decision.key], *(said[key] for key in _BEHIND.get(decision.key, ()) if key in done)]
        yield Fact(
            decision.kind or "rule",
            " ".join(filter(None, told)) if told[0] else NO_PREFERENCE,
            about=(*decision.about, *decision.topics, *decision.kind.split()),
            slot=f"decision {decision.key}",
            source="author",
            key=decision.key,
            absent=decision.off,
            reveals=bool(decision.says) and not decision.stated,
            weight=1.0 if decision.says else 0.2,
        )
