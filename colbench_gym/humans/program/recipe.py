"""The whole calculation of a function: its result with all it rests on, or its steps in their order."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import replace

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.claims import Circumstance
from colbench_gym.humans.program.reader import names_in
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import phrase, sentence
from colbench_gym.python_code.syntax import nodes_of

MAX_RECIPE_CHARS, MAX_STEPS_CHARS = 360, 300
MAX_INLINED = 60  # nodes of an expression that is told in place of a name
_ABOUT = ("formula", "calculated", "computed", "exactly", "how", "steps", "order", "all")


def recipe_facts(said: Spoken) -> Iterator[Fact]:
    """Yield the result without names of its own, and all steps in their order, as far as they are short."""
    meant = _meanings(said)
    for clause in said.clauses:
        node = clause.claim.node
        if isinstance(node, (ast.Return, ast.AugAssign, ast.Assign)) and node.value is not None and _is_small(node):
            if clause.claim.inside or not meant.keys() & set(names_in(node.value)):
                continue
            whole = _Inlined(meant).visit(deepcopy(node))
            text = sentence(phrase(replace(clause.claim, node=whole), said.words))
            if len(text) <= MAX_RECIPE_CHARS:
                yield Fact("formula", text, about=(*names_in(node), *names_in(whole), *_ABOUT))
    text = _steps(said)
    if text and len(text) <= MAX_STEPS_CHARS:
        yield Fact("step", sentence(text), about=_ABOUT)


def _meanings(said: Spoken) -> Mapping[str, ast.expr]:
    """Return the expression of each name that is set once, of nothing that changes."""
    known = said.knowledge
    stored = Counter(n.id for n in known.nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    stored.update(n.arg for n in known.nodes if isinstance(n, ast.arg))
    found: dict[str, ast.expr] = {}
    for claim in known.claims:
        node = claim.node
        if claim.where or not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            continue
        name, inner = node.targets[0].id, [n.id for n in nodes_of(node.value) if isinstance(n, ast.Name)]
        steady = stored[name] == 1 and all(stored[i] < 2 and i not in known.growing for i in inner)
        if steady and name not in known.growing and _is_small(node.value):
            whole = _Inlined(found).visit(deepcopy(node.value))
            found |= {name: whole} if _is_small(whole) else {}
    return found


def _is_small(node: ast.AST) -> bool:
    return len(list(nodes_of(node))) < MAX_INLINED


class _Inlined(ast.NodeTransformer):
    """Puts expressions in place of the names that stand for them."""

    def __init__(self, meant: Mapping[str, ast.expr]) -> None:
        self._meant = meant

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._meant.get(node.id, node) if isinstance(node.ctx, ast.Load) else node


def _steps(said: Spoken) -> str:
    """Return all claims in a row, circumstances that they share told once; empty for one alone."""
    text, told = "", 0
    before: tuple[Circumstance, ...] = ()
    for clause in said.clauses:
        if isinstance(clause.claim.node, (ast.Import, ast.ImportFrom)):
            continue
        where = clause.claim.where
        shared = where == before or (len(where) > 0 and where[: len(before)] == before and before != ())
        left = before and before[0].kind in ("each", "while") and before[0] not in where
        same_loop = where[:1] == before[:1] and any(c.kind in ("each", "while", "inside") for c in where[:1])
        own = where[len(before) :] if shared else where[1:] if same_loop else where
        if text:
            text += (" and " if where == before else "; ") + ("at the end, " if left and not where else "")
        text += phrase(replace(clause.claim, where=tuple(c.short for c in own)), said.words)
        before, told = where, told + 1
    return text if told > 1 else ""
