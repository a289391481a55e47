"""On which side of a limit a value exactly at it falls."""

from __future__ import annotations

import ast
import re

from colbench_gym.humans.code_reader.claims import When
from colbench_gym.humans.code_reader.lexicon import related, stems
from colbench_gym.humans.code_reader.orders import Finding
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import names_in
from colbench_gym.humans.code_reader.verbalizer import Spoken
from colbench_gym.humans.code_reader.verbalizer.syntax import ATOM
from colbench_gym.python_code.syntax import nodes_of


def side_of_limit(said: Spoken, question: Question) -> Finding | None:
    """Decide on which side of a limit a value exactly at it falls."""
    known = said.knowledge
    equal = _equality(said, question)
    if equal is not None:
        return equal
    found = [
        (left, operator, right)
        for node in known.nodes
        if isinstance(node, ast.Compare)
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
        if isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
    ]
    if not found:
        return None
    numbers = {float(n.replace(",", "")) for n in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])", question.whole)}
    words = question.about_all
    near = related(words)

    def score(item: tuple[ast.expr, ast.cmpop, ast.expr]) -> float:
        """Return how well a clause fits a question."""
        values = {
            float(n.value)
            for side in (item[0], item[2])
            for n in nodes_of(side)
            if isinstance(n, ast.Constant) and isinstance(n.value, (int, float))
        }
        own = stems([*names_in(item[0]), *names_in(item[2])])
        return 5.0 * bool(values & numbers) + len(own & words) + 0.4 * len(own & near)

    best = max(score(item) for item in found)
    if best <= 0 and len(found) > 2:
        return None
    top = [item for item in found if score(item) == best]
    strict = [item for item in top if isinstance(item[1], (ast.Lt, ast.Gt))]
    loose = [item for item in top if isinstance(item[1], (ast.LtE, ast.GtE))]
    about = {ast.dump(side) for item in top for side in (item[0], item[2])}
    if strict and loose and not (numbers and len(about) <= 3) and len(about) > 2:
        return None
    if strict and loose:
        clause = next((c for c in said.clauses if any(_holds(n, loose[0]) for n in c.claim.nodes)), None)
        if clause is None:
            return None
        other = next((c for c in said.clauses if any(_holds(n, strict[0]) for n in c.claim.nodes)), None)
        mine = len(clause.stems & words) + 3 * sum(
            1 for literal in clause.literals if literal.lower() in question.whole
        )
        theirs = (
            0
            if other is None
            else len(other.stems & words) + 3 * sum(1 for x in other.literals if x.lower() in question.whole)
        )
        return Finding(mine >= theirs, f"Exactly that value belongs to this case: {clause.text}.", reveals=True)
    left, operator, right = top[0]
    compare = ast.Compare(left, [operator], [right])
    told = said.words.condition(compare)
    if loose:
        ends = (
            "both limits are inclusive"
            if len(loose) > 1 and question.has(r"\bboth|ends|limits|bounds|range")
            else "the limit itself is included (inclusive)"
        )
        return Finding(
            True,
            f"{ends}: it counts if {told}.",
            flipped=question.has(r"\bexclusive|strictly\b") and question.polar,
            reveals=True,
        )
    return Finding(
        False,
        f"the limit itself is not included: it counts only if {told}, strictly.",
        flipped=question.has(r"\bexclusive|strictly\b") and question.polar,
        reveals=True,
    )


def _equality(said: Spoken, question: Question) -> Finding | None:
    """Return what happens when two things that the code compares for equality are equal."""
    if not question.said(r"\b(?:equals?|equal to|same as|already)\b"):
        return None
    for clause in said.clauses:
        for circumstance in clause.claim.where:
            test = circumstance.test if isinstance(circumstance, When) and circumstance.holds else None
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq):
                sides = [stems(names_in(side)) for side in (test.left, test.comparators[0])]
                if all(side and side & question.about_all for side in sides):
                    return Finding(True, f"{clause.text}.", reveals=bool(clause.literals))
    return None


def _holds(node: ast.AST, item: tuple[ast.expr, ast.cmpop, ast.expr]) -> bool:
    return any(part is item[2] for part in nodes_of(node))


def containment(said: Spoken, question: Question) -> Finding | None:
    """Decide whether texts are compared in full or a part is enough."""
    known, words = said.knowledge, said.words
    compares = [
        n
        for n in known.nodes
        if isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.In, ast.NotIn, ast.Eq, ast.NotEq))
    ]
    about = question.about_all
    scored = [(len(stems(names_in(n)) & about), -place, n) for place, n in enumerate(compares)]
    if not scored:
        return None
    score, _, node = max(scored, key=lambda entry: entry[:2])
    if score == 0 and len(compares) > 1:
        return None
    left, right = words.say(node.left, ATOM), words.say(node.comparators[0], ATOM)
    partial = question.has(r"\b(?:partial\w*|substring|part of|fuzzy|sufficient|good enough)\b")
    if isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
        return Finding(not partial, f"{left} has to be exactly equal to {right}.")
    kind = said.kind_of(node.comparators[0])
    if kind == "text":
        return Finding(
            partial, f"a partial (substring) match is enough: {left} only has to occur somewhere in {right}."
        )
    if kind in ("list", "tuple", "set", "dictionary"):
        return Finding(
            not partial,
            f"it has to be equal to an entire item: {left} is looked for among the whole items of {right}, exactly.",
        )
    return None


def conjunction(said: Spoken, question: Question) -> Finding | None:
    """Decide whether all conditions have to hold or one is enough."""
    joined = [node for node in said.knowledge.nodes if isinstance(node, ast.BoolOp)]
    kinds = {type(node.op) for node in joined}
    if sum(isinstance(node, (ast.If, ast.IfExp)) for node in said.knowledge.nodes) > 1:
        return None
    if kinds == {ast.And}:
        return Finding(question.has(r"\b(?:all|every|both|and)\b"), "all of them have to hold at once.")
    if kinds == {ast.Or}:
        return Finding(question.has(r"\bany\b|\bone\b"), "one of them alone is enough.")
    return None


def marginal(said: Spoken, question: Question) -> Finding | None:
    """Decide whether rates of several bands apply to the part above each limit only."""
    known = said.knowledge
    limits = {
        side.value
        for node in known.nodes
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Constant) and isinstance(side.value, (int, float))
    }
    rates = [n for n in known.nodes if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult)]
    if not limits or not rates:
        return None
    parts = any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, ast.Sub)
        and isinstance(n.right, ast.Constant)
        and n.right.value in limits - {0, 1}
        for n in known.nodes
    )
    whole = question.has(r"\b(?:whole|entire|full|complete)\b") and not question.either
    if parts:
        return Finding(True, "it applies only to the part above each limit.", flipped=whole)
    return Finding(False, "it applies to the entire amount, not only to the part above a limit.", flipped=whole)
