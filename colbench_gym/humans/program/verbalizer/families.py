"""Families of claims: what is decided in several cases, told as one list with its conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from colbench_gym.humans.program.verbalizer import Clause, Spoken
from colbench_gym.humans.program.verbalizer.expressions import CLAUSE, FIXED, JOINED
from colbench_gym.humans.program.verbalizer.phrases import ELSE, circumstances, entry_of
from colbench_gym.humans.program.verbalizer.statements import SO_FAR
from colbench_gym.humans.program.verbalizer.syntax import ATOM
from colbench_gym.humans.program.verbalizer.wording import be, is_plural, listing, the

MAX_FAMILY_CHARS = 380
_RESULT = "the result is"
_CHANGES = {
    ast.Add: ("goes up by", "go up by"),
    ast.Sub: ("goes down by", "go down by"),
    ast.Mult: ("is multiplied by", "are multiplied by"),
}
_GETS = ("gets", "get")


@dataclass(frozen=True, eq=False)
class Family:
    """Claims that decide the same thing in different cases.

    Attributes:
        kind: "table", "constant" or "condition".
        text: all cases as one clause; the outcomes alone where it would be too long.
        members: the claims, in the order of the reference.
        covered: those of them that it tells in full, with all their circumstances.
    """

    kind: str
    text: str
    members: tuple[Clause, ...]
    covered: tuple[Clause, ...] = ()


def families(said: Spoken) -> Iterator[Family]:
    """Yield what a reference decides in at least two cases."""
    groups: dict[tuple[str, str], list[tuple[Clause, str, str, bool]]] = {}
    for clause in said.clauses:
        case = _case(said, clause)
        if case is not None:
            decides, subject, outcome = case
            where = [c for c in clause.claim.where if c.kind != "inside"]
            loops = [] if subject == _RESULT else list(takewhile(lambda c: c.kind == "each", where))
            around, within = circumstances(loops, said.words), where[len(loops) :]
            own = tuple(c.short for c in within if c.kind != "each")
            condition = "" if clause.claim.title is not None else circumstances(own, said.words).rstrip(", ")
            condition = condition.removeprefix("otherwise, ").replace(ELSE, "otherwise")
            group = groups.setdefault((f"{around}{decides}", f"{around}{subject}"), [])
            group.append((clause, outcome, condition, condition != "" and len(own) == len(within)))
    for (_, subject), cases in groups.items():
        members, outcomes, conditions, in_full = zip(*cases, strict=True)
        if subject == _RESULT and conditions[-1] == "otherwise" and len(members) < len(said.knowledge.returns):
            continue  # a case between them has no words
        if any(outcome.startswith(FIXED) for outcome in outcomes):
            continue  # its entries are facts of their own
        told = [f"{outcome} {when}".strip() for outcome, when in zip(outcomes, conditions, strict=True)]
        text = f"{subject} {'; '.join(told)}".strip()
        if len(set(outcomes)) == 1 and len(text) > MAX_FAMILY_CHARS:
            continue
        covered = tuple(clause for clause, full in zip(members, in_full, strict=True) if full)
        if len(text) > MAX_FAMILY_CHARS:
            covered, text = (), f"{subject} one of {listing(list(dict.fromkeys(outcomes)), 'or')}"
        if len(members) > 1 and len(text) <= MAX_FAMILY_CHARS:
            kind = "constant" if not any(conditions) else "condition"
            yield Family(kind, text, members, covered)


def _case(said: Spoken, clause: Clause) -> tuple[str, str, str] | None:
    """Return what a claim decides, as its siblings do, how that is begun, and what it comes to; None without."""
    words, claim = said.words, clause.claim
    if claim.title is not None:
        *key, value = entry_of(claim)
        told = words.say(value, CLAUSE) + "".join(f" for {words.say(part, ATOM)}" for part in key)
        return f"table {claim.title}", f"{the(claim.title) if claim.title else 'the fixed list'}:", told
    match claim.node:
        case ast.Return(value=ast.expr() as value):
            return f"result {claim.inside}", _RESULT, words.say(value, CLAUSE)
        case ast.Assign(targets=[ast.Name(id=name) as target], value=value) if claim.conditional:
            subject = words.name(target)
            verb = "becomes" if name == words.result and words.grows else be(subject)
            return f"{name} {claim.inside}", f"{subject} {verb}", words.say(value, CLAUSE)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value) if "_" in name:
            return f"constants {name.rpartition('_')[2]}", "", f"{the(name)} {be(the(name))} {words.say(value)}"
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value) if claim.conditional:
            return f"entries {name}", f"{the(name)} gets", words.say(value, CLAUSE)
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in _CHANGES:
            subject, joined = words.say(target, ATOM), words.kind(target) in JOINED or words.kind(value) in JOINED
            verbs = _GETS if joined and isinstance(op, ast.Add) else _CHANGES[type(op)]
            return f"change {subject}", f"{subject} {verbs[is_plural(subject)]}", words.say(value, CLAUSE)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="append"), args=[item])) if claim.conditional:
            subject = words.say(owner, ATOM).replace(SO_FAR, "the result")
            return f"items {subject}", f"{subject} {_GETS[is_plural(subject)]}", words.say(item, CLAUSE)
    return None
