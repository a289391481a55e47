"""Answers to other questions: the claim that fits best."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.answers.asked import (
    Asked,
    polarity,
    score,
)
from colbench_gym.humans.code_reader.answers.plans import core_clause
from colbench_gym.humans.code_reader.answers.telling import FALLBACK
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.replies import Part

_CONSTANT = (
    r"\b(?:threshold|limit|cut-?offs?|cut off|how (?:low|high|much|many|large|old|long|far|often)"
    r"|minimum|maximum|least|most|at which|from which|what (?:percentage|rate|factor|number|age"
    r"|level|amount)|which (?:rate|factor|number|level|percentage|reduction|discount|limits"
    r"|values|numbers)|exact (?:number|value)s?|per how many|weights?|constants?|numbers|range"
    r"|ranges|tiers?|bands?|brackets?|when (?:exactly|precisely|does|is))\b"
)

_FORMULA = (
    r"\b(?:formula|equation|calculat\w+|comput\w+|deriv\w+|divided by|multipl\w+|work(?:ed)? out"
    r"|which quantity|minus|difference|how (?:is|are|should|do|does))\b"
)

_TEXTS = (
    r"\b(?:wording|messages?|texts?|labels?|strings?|spelled|spelt|say|phrase|prefix|suffix"
    r"|scheme|entities|keywords?|names?)\b"
)


def about(asked: Asked) -> list[Part]:
    """Tell the claim that fits best."""
    q = asked.question
    if len(q.stems) < 2 and not q.text.rstrip().endswith("?"):
        return []
    kinds: list[tuple[str, Callable[[Clause], bool]]] = [
        (_CONSTANT, lambda cl: bool(cl.literals) or any(True for _ in c.tests(cl.claim))),
        (
            _TEXTS,
            lambda cl: any(
                isinstance(n, ast.Constant) and isinstance(n.value, str) for x in cl.claim.nodes for n in ast.walk(x)
            ),
        ),
        (_FORMULA, lambda cl: any(isinstance(n, (ast.BinOp, ast.AugAssign)) for n in ast.walk(cl.claim.node))),
    ]
    scored: list[tuple[float, int, Clause]] = []
    for place, clause in enumerate(asked.said.clauses):
        fit = score(asked, clause)
        if isinstance(clause.claim, c.Uses):
            fit *= 0.5
        if fit <= 0:
            continue
        for pattern, fits in kinds:
            if q.has(pattern) and fits(clause):
                fit *= 1.5
        if is_start(getattr(clause.claim, "statement", None)):
            fit *= 0.3
        if clause.claim.fallback and not q.said(FALLBACK):
            fit *= 0.5
        if q.has(_NEEDED) and _compares(clause):
            fit *= 2.0
        scored.append((round(fit, 6), -place, clause))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    if not scored:
        return _generic(asked)
    best = scored[0]
    if q.has(_NEEDED) and not best[2].literals:
        needed = [clause for clause in asked.said.clauses if _compares(clause)]
        best = (best[0], 0, needed[0]) if len(needed) == 1 else best
    chosen = [best[2]]
    plural = q.has(
        r"\b(?:each|every|all|both|respectively|which \w+s\b|what \w+s\b|limits|thresholds|ranges"
        r"|tiers|bands|discounts|values|cut-?offs?|weights|factors|entities|types|keys|rules|criteria"
        r"|conditions|in one go)"
    )
    if plural and not _table(best[2]):
        chosen = [clause for fit, _, clause in scored[:5] if fit >= 0.7 * best[0]]
        chosen.sort(key=asked.said.clauses.index)
    elif _circular(best[2]):
        chosen += _definitions(asked, best[2])[:1]
    if q.has(r"\b(?:weights?|weighted|weighting|factors?|how much|constants?|coefficients?)\b"):
        chosen += [cl for cl in _definitions(asked, best[2]) if _constant(cl) and cl not in chosen]
    lead = polarity(asked, best[2])
    texts: list[str] = []
    for clause in chosen:
        if len("; ".join([*texts, clause.text])) < 330:
            texts.append(clause.text)
    text = "; ".join(texts)
    if q.has(r"\b(?:discount|reduc|percent|taken off|rebate|cheaper|% off)\w*"):
        text = re.sub(
            r"times (0\.\d+)(?![\w.])", lambda m: f"times {m[1]} ({round(100 - 100 * float(m[1]), 6):g} % off)", text
        )
    return [asked.part(f"{lead}{text}." if lead else sentence(text), "about", any(cl.literals for cl in chosen))]


def _circular(clause: Clause) -> bool:
    """Whether a clause only names what another clause defines."""
    return len(clause.text) < 60 and isinstance(clause.claim, c.Returns)


_NEEDED = (
    r"\b(?:needed|required|necessary|at least|how many .{1,40} (?:have|need) to|minimum|threshold"
    r"|positive|cut-?off|enough|qualif\w+|to pass|at (?:what|which)|from (?:what|which))\b"
)


def _compares(clause: Clause) -> bool:
    """Whether a clause compares something with a number."""
    return any(
        isinstance(n, ast.Compare)
        and isinstance(n.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
        and any(isinstance(side, ast.Constant) for side in (n.left, *n.comparators))
        for node in clause.claim.nodes
        for n in ast.walk(node)
    )


def _table(clause: Clause) -> bool:
    """Whether a clause tells a whole list or dictionary."""
    value = getattr(getattr(clause.claim, "statement", None), "value", None)
    return isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Tuple)) and not isinstance(clause.claim, c.Returns)


def _constant(clause: Clause) -> bool:
    return isinstance(getattr(getattr(clause.claim, "statement", None), "value", None), ast.Constant)


def _definitions(asked: Asked, clause: Clause) -> list[Clause]:
    """Return the clauses that say what the names in another one are."""
    names = {n.id for n in ast.walk(clause.claim.node) if isinstance(n, ast.Name)}
    found = []
    for other in asked.said.clauses:
        statement = getattr(other.claim, "statement", None)
        targets = (
            statement.targets
            if isinstance(statement, ast.Assign)
            else [statement.target]
            if isinstance(statement, ast.AugAssign)
            else []
        )
        if any(isinstance(n, ast.Name) and n.id in names for t in targets for n in ast.walk(t)) and not is_start(
            statement
        ):
            found.append(other)
    return found


def is_start(statement: Any) -> bool:
    """Whether a statement only sets up an empty container or a zero."""
    value = getattr(statement, "value", None)
    if isinstance(value, (ast.List, ast.Dict, ast.Set)):
        return not (value.elts if not isinstance(value, ast.Dict) else value.values)
    return isinstance(value, ast.Constant) and not value.value and isinstance(statement, ast.Assign)


def _generic(asked: Asked) -> list[Part]:
    """Answer a question of a known kind that names nothing known."""
    q = asked.question
    foreign = [w for w in q.about if w not in asked.said.vocabulary and w not in asked.said.knowledge.topics]
    pools: list[tuple[str, Callable[[Clause], bool]]] = [
        (r"\b(?:condition|criteri|rule|threshold|limit|cut-?off|constant|boundar)\w*", lambda cl: cl.claim.conditional),
        (
            r"\b(?:formula|calculat|comput|equation|deriv)\w*",
            lambda cl: any(isinstance(n, (ast.BinOp, ast.AugAssign)) for n in ast.walk(cl.claim.node)),
        ),
        (r"\b(?:texts?|wording|messages?|labels?)\b", lambda cl: bool(cl.literals)),
    ]
    if len(foreign) <= 2:
        for pattern, fits in pools:
            hits = [cl for cl in asked.said.clauses if fits(cl)]
            if q.has(pattern) and hits:
                left = [cl for cl in hits if cl.text.lower() not in asked.before]
                clause = (left or hits)[0]
                return [asked.part(sentence(clause.text), "kind", bool(clause.literals))]
    return []


def core_answer(asked: Asked) -> list[Part]:
    """Answer a question about the code that names nothing known with the claim that matters most."""
    q = asked.question
    asks = (
        q.polar
        or (q.either and bool(q.about))
        or q.has(_OF_THE_CODE)
        or q.has(r"^\W*(?:could|can|would) you\b.*\b(?:list|name|give)\b")
    )
    clause = core_clause(asked.said)
    if not asks or clause is None or not q.text.rstrip().endswith("?"):
        return []
    return [asked.part(sentence(clause.text), "core", bool(clause.literals))]


_OF_THE_CODE = (
    r"\b(?:which|what|how|when)\b.*\b(?:values?|characters?|entities|items|keywords?|options?"
    r"|rules?|conditions?|criteria"
    r"|limits?|thresholds?|formula|calculat\w*|removed?|replaced?|returned?|allowed|supported|decoded|needed?|combined"
    r"|include\w*|count\w*|treated|handled|compared|covered|relevant|matter)\b"
)
