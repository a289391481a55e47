"""The whole calculation of a function: its steps in their order."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.claims import Circumstance
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import phrase, sentence

MAX_STEPS_CHARS = 300
_ABOUT = ("formula", "calculated", "computed", "exactly", "how", "steps", "order", "all")


def recipe_facts(said: Spoken) -> Iterator[Fact]:
    """Yield all steps in their order, as far as they are short."""
    text = _steps(said)
    if text and len(text) <= MAX_STEPS_CHARS:
        yield Fact("step", sentence(text), about=_ABOUT)


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
