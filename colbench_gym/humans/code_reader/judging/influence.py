"""Decide by running whether an argument makes a difference, in general or in the case that a question supposes."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from itertools import islice
from typing import Any

from colbench_gym.humans.code_reader.answers.asked import Asked, best_clause
from colbench_gym.humans.code_reader.claims import Parameter
from colbench_gym.humans.code_reader.experiments import Outcome, equal
from colbench_gym.humans.code_reader.intents.concepts import told_apart
from colbench_gym.humans.code_reader.lexicon import split_words, stem, stems
from colbench_gym.humans.code_reader.situations import mentioned
from colbench_gym.humans.code_reader.trials.bringing import brought_about
from colbench_gym.humans.code_reader.trials.clauses import clauses_of
from colbench_gym.humans.code_reader.trials.constraints import constraints_of
from colbench_gym.humans.code_reader.trials.fitting import Constraint
from colbench_gym.humans.code_reader.trials.inputs import Arguments, varied
from colbench_gym.humans.code_reader.verbalizer.families import families
from colbench_gym.humans.code_reader.verbalizer.wording import be, the
from colbench_gym.humans.replies import Part

MIN_SURE = 0.5  # how well words must fit the place that they suppose something of
MAX_BASES = 8
MAX_VALUES = 4  # of the argument in question, for each input
MIN_PAIRS = 4  # inputs that differ in the argument alone, from which "no difference" is said
_MATTERS = (
    r"\b(?:matters?|influences?|affects?|make (?:a|any) difference|has an? (?:effect|impact"
    r"|influence)|have an? (?:effect"
    r"|impact|influence)|plays? (?:a|any) (?:role|part)|taken into account|relevant|considered"
    r"|depends? on (?:the|its|his)?"
    r"|enters? (?:into )?the|looked at|used|ignored|irrelevant|count for anything|have any (?:effect|impact|influence)"
    r"|has any (?:effect|impact|influence)|change anything|changes anything)\b"
)
_REPEATED = r"\b(?:twice|again|more than once|several times|together|at once)\b"  # "Can a code be used twice?"
_DENIED = (
    r"\b(?:ignored|irrelevant|no (?:role|part|effect|impact|influence|difference)|not|never)\b|n't\b(?! (?:it|they)\b)"
)


def influence(asked: Asked) -> list[Part]:
    """Say whether an argument makes a difference."""
    q, known = asked.question, asked.said.knowledge
    if (
        not q.polar
        or q.either
        or not q.has(_MATTERS)
        or q.has(_REPEATED)
        or re.search(r"\b(?:upper|lower|letter|order|case)\b", q.bare)
    ):
        return []
    parameter = _in_question(asked)
    if parameter is None or not parameter.used:
        return []
    constraints = [
        one
        for one in constraints_of(q, known)
        if one.place.parameter != parameter.name and not one.place.local and one.sure >= MIN_SURE
    ]
    supposing = [clause for clause in clauses_of(q) if clause.supposed and clause.stems]
    if supposing and not constraints:
        return []  # the case that is meant was not understood
    pairs = _pairs(asked, parameter.name, constraints)
    differs = any(not equal(one, other) for one, other in pairs)
    if not differs and len(pairs) < MIN_PAIRS:
        return []
    name = the(parameter.name)
    verb = "do" if be(name) == "are" else "does"
    asking = [clause for clause in clauses_of(q) if not clause.supposed and len(clause.tokens) > 2]
    asks = " ".join(word for clause in asking or clauses_of(q) for word in clause.words)
    yes = differs is not bool(re.search(_DENIED, asks))
    told = (
        f"{name} {verb} make a difference" if differs else f"{name} {verb} not matter then, the result stays the same"
    )
    text = f"{'Yes' if yes else 'No'}, {told if constraints or differs else told.replace(' then', '')}."
    places = frozenset(s for one in constraints for s in one.place.words)
    own = stems([parameter.name])
    clause = best_clause(
        asked, lambda cl: own <= cl.named and cl.claim.conditional and (not places or bool(places & cl.named))
    )
    if clause is None or len(clause.text) > 240 or not differs:
        clause = best_clause(asked, lambda cl: own <= cl.named and cl.claim.conditional)
    if clause is not None and len(clause.text) <= 240:
        text += f" {clause.text[0].upper()}{clause.text[1:]}."
    return [asked.part(text, "influence", clause is not None)]


def _in_question(asked: Asked) -> Parameter | None:
    """Return the argument that is the subject of the question, outside of what it supposes."""
    clauses = clauses_of(asked.question)
    main = [clause for clause in clauses if not clause.supposed and len(clause.tokens) > 2]
    if not main:  # "For a pair the size is irrelevant, isn't it?"
        supposed = {one.place.parameter for one in constraints_of(asked.question, asked.said.knowledge)}
        named = [p for p in mentioned(asked.question, asked.said.knowledge) if p.name not in supposed]
        return named[0] if len(named) == 1 else None
    words = frozenset(stem(word) for clause in main for text in clause.words for word in split_words(text))
    found = []
    for parameter in asked.said.knowledge.parameters:
        own = stems([parameter.name])
        if own and (own <= words or len(own & words) > len(own) / 2):
            found.append(parameter)
    if not found:  # by a word that no other argument has
        names = [(parameter, stems([parameter.name]) & words) for parameter in asked.said.knowledge.parameters]
        found = [parameter for parameter, hits in names if hits]
    return found[0] if len(found) == 1 else None


def _pairs(asked: Asked, name: str, constraints: Sequence[Constraint]) -> list[tuple[Outcome, Outcome]]:
    """Return outcomes of inputs that differ in one argument alone."""
    known = asked.said.knowledge
    realistic = varied(known)
    values: list[Any] = []
    for arguments in realistic:
        if name in arguments and arguments[name] not in values:
            values.append(arguments[name])
    bases = [made for one in realistic for made in islice(brought_about(one, constraints, known), 1)][:MAX_BASES]
    inputs: list[Arguments] = []
    groups: list[int] = []
    for group, base in enumerate(bases):
        for step in range(min(MAX_VALUES, len(values))):
            inputs.append({**base, name: values[(group + step) % len(values)]})
            groups.append(group)
    outcomes = asked.run(inputs) if inputs else []
    first: dict[int, Outcome] = {}
    pairs = []
    for group, outcome in zip(groups, outcomes, strict=True):
        if outcome.status == "unknown":
            return []
        if group in first:
            pairs.append((first[group], outcome))
        first.setdefault(group, outcome)
    return pairs


def equal_shares(asked: Asked) -> list[Part]:
    """Tell whether several things count the same."""
    q = asked.question
    if not (q.polar or q.either) or not q.has(_COUNT_ALIKE) or q.has(r"\bcase\b|\bcase-|\bcapital|\bspell"):
        return []
    wanted = q.has(r"\b(?:same|equal\w*|alike)\b")
    for family in families(asked.said):
        added = [m for m in family.members if isinstance(getattr(m.claim, "statement", None), ast.AugAssign)]
        about = [o for m, o in zip(family.members, family.outcomes, strict=True) if m.named & q.about]
        if len(about) == 1:
            continue
        if len(added) == len(family.members) and family.fits:
            if len(set(about or family.outcomes)) == 1:
                return [
                    asked.part(
                        f"{'Yes' if wanted else 'No'}, each counts the same: {(about or family.outcomes)[0]}.",
                        "alike",
                        True,
                    )
                ]
            return [asked.part(f"{'No' if wanted else 'Yes'}, {family.told()}.", "alike", True)]
    known = asked.said.knowledge
    if told_apart(known):
        return []
    if not any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, ast.Mult)
        and any(isinstance(s, ast.Constant) for s in (n.left, n.right))
        for n in known.nodes
    ) and not any("weight" in word for word in known.vocabulary):
        return [asked.part(f"{'Yes' if wanted else 'No'}, nothing is weighted: they count the same.", "alike")]
    return []


_COUNT_ALIKE = (
    r"\b(?:count|counts|counted|weigh|weighs|weighed|weighted|matter)\b.{0,20}"
    r"\b(?:same|equal\w*|alike|less|more|double|twice|half)\b"
)
