"""Decide whether all conditions have to hold for an outcome, or one of several cases is enough."""

from __future__ import annotations

import ast

from colbench_gym.humans.code_reader.answers.asked import Asked
from colbench_gym.humans.code_reader.claims import When
from colbench_gym.humans.code_reader.lexicon import split_words, stem
from colbench_gym.humans.code_reader.trials.proposals import truth_of
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.code_reader.verbalizer.families import Family, families
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of

MAX_TOLD_CHARS = 300
_ALL = (
    r"\b(?:all|both|every one|each)\b.{0,30}\b(?:criteri\w+|conditions?|requirements?|checks?|rules|factors|tests"
    r"|of them|of these|of those)\b.{0,50}\b"
    r"(?:hold|holds|met|satisf\w+|fulfil\w*|true|apply|needed|necessary|required|pass\w*|at once|together"
    r"|simultaneously)\b"
)
_ONE = (
    r"\b(?:one|any|a single)\b.{0,30}\b(?:criteri\w+|conditions?|requirements?|checks?|rules|factors|tests"
    r"|of them|of these|of those)\b.{0,50}\b(?:enough|suffic\w*|do|count)\b"
)


def criteria(asked: Asked) -> list[Part]:
    """Say whether several conditions have to hold at once for the outcome that a question names."""
    q = asked.question
    every, one = q.has(_ALL), q.has(_ONE)
    if (not q.polar and not q.either) or (every is one and not q.either) or not (every or one):
        return []
    for family in families(asked.said):
        cases = _cases(asked, family)
        if not cases:
            continue
        tests = [w.test for case in cases for w in case.claim.where if isinstance(w, When)]
        joints = {type(part.op) for test in tests for part in nodes_of(test) if isinstance(part, ast.BoolOp)}
        if len(cases) > 1:
            all_needed, told = False, "not all of them are needed" if every else "one of the cases is enough"
            told += _told(family, cases)
        elif len(joints) == 1:
            all_needed = joints == {ast.And}
            told = "all of them have to hold" if all_needed else "one of them is enough"
            told += f": {cases[0].text}"
        else:
            continue
        lead = "" if q.either else "Yes, " if every is all_needed else "No, "
        return [asked.part(sentence(f"{lead}{told}"), "criteria", True)]
    return []


def _cases(asked: Asked, family: Family) -> list[Clause]:
    """Return the cases of the outcome that a question names; none where it names no outcome of the family."""
    words = {stem(word) for word in split_words(asked.question.whole)}
    meant = truth_of(asked.question, asked.said.knowledge)
    for outcome in dict.fromkeys(family.outcomes):
        named = {stem(word) for word in split_words(outcome)}
        if (named and named <= words) or outcome == str(meant):
            return [
                member
                for member, own, condition in zip(family.members, family.outcomes, family.conditions, strict=True)
                if own == outcome and condition not in ("", "otherwise")
            ]
    return []


def _told(family: Family, cases: list[Clause]) -> str:
    conditions = [c for member, c in zip(family.members, family.conditions, strict=True) if member in cases]
    outcome = next(o for member, o in zip(family.members, family.outcomes, strict=True) if member in cases)
    text = f": {family.subject} {outcome} {'; or '.join(conditions)}"
    return text if len(text) <= MAX_TOLD_CHARS else ""
