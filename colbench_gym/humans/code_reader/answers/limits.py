"""On which side of a limit a value exactly at it falls."""

from __future__ import annotations

import ast
import re

from colbench_gym.humans.code_reader.answers.orders import Finding
from colbench_gym.humans.code_reader.lexicon import related, stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import names_in
from colbench_gym.humans.code_reader.verbalizer import Spoken


def side_of_limit(said: Spoken, question: Question) -> Finding | None:
    """Decide on which side of a limit a value exactly at it falls."""
    known = said.knowledge
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
            for n in ast.walk(side)
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


def _holds(node: ast.AST, item: tuple[ast.expr, ast.cmpop, ast.expr]) -> bool:
    return any(part is item[2] for part in ast.walk(node))
