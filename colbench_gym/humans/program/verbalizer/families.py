"""Families of claims: what is decided in several cases, told as one list with its conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from colbench_gym.humans.program.claims import CONDITIONS
from colbench_gym.humans.program.verbalizer import Clause, Spoken
from colbench_gym.humans.program.verbalizer.expressions import CLAUSE, FIXED, JOINED
from colbench_gym.humans.program.verbalizer.phrases import ELSE, circumstances, entry_of
from colbench_gym.humans.program.verbalizer.syntax import ATOM
from colbench_gym.humans.program.verbalizer.wording import be, is_plural, listing, the
from colbench_gym.python_code.syntax import nodes_of

MAX_FAMILY_CHARS = 365  # of a sentence about the code; longer ones have no room in a reply
_RESULT = "the result is"
_GOES_ON = "; and so on"
_CHANGES = {
    ast.Add: ("goes up by", "go up by"),
    ast.Sub: ("goes down by", "go down by"),
    ast.Mult: ("is multiplied by", "are multiplied by"),
}


@dataclass(frozen=True, eq=False)
class Family:
    """Claims that decide the same thing in different cases.

    Attributes:
        kind: "constant" or "condition".
        text: all cases as one clause; the outcomes alone where it would be too long.
        members: the claims, in the order of the reference.
        covered: those of them that it tells in full, with all their circumstances.
    """

    kind: str
    text: str
    members: tuple[Clause, ...]
    covered: tuple[Clause, ...]


def families(said: Spoken) -> Iterator[Family]:
    """Yield what a reference decides in at least two cases."""
    groups: dict[tuple[str, str], list[tuple[Clause, str, str]]] = {}
    for clause in said.clauses:
        case = _case(said, clause)
        if case is not None:
            decides, subject, outcome = case
            returned = subject == _RESULT  # only here nothing is decided between the cases
            own = [c.short if returned else c for c in clause.claim.where if c.kind not in ("each", "inside")]
            condition = "" if clause.claim.title is not None else circumstances(own, said.words).rstrip(", ")
            condition = condition.removeprefix("otherwise, ").replace(ELSE, "otherwise") if returned else condition
            groups.setdefault((decides, subject), []).append((clause, outcome, condition))
    body = said.knowledge.function.body if said.knowledge.function else []
    for (_, subject), cases in groups.items():
        members, outcomes, conditions = zip(*cases, strict=True)
        ends = isinstance(members[0].claim.node, ast.Return)  # as do the others of its group
        last = members[-1].claim.where  # of tests joined by "and" or "or" the contrary is long
        if ends and {c.kind for c in last} == {"unless"} and any(isinstance(c.nodes[0], ast.BoolOp) for c in last):
            conditions = (*conditions[:-1], "otherwise")
        begun = [(type(m.claim.node), c.kind) for m in members for c in m.claim.where[-1:]].count((ast.Assign, "if"))
        other = any(c.kind in ("inside", "each") for m in members for c in m.claim.where)  # of a helper, or in a loop
        if begun > 1 or (ends and (other or "otherwise" in conditions[: len(said.knowledge.returns) - 1])):
            continue  # the last one that holds decides, a case between them has no words, or more come behind
        if any(outcome.startswith(FIXED) for outcome in outcomes):
            continue  # its entries are facts of their own
        told = [f"{outcome} {when}".strip() for outcome, when in zip(outcomes, conditions, strict=True)]
        text = f"{subject} {'; '.join(told)}".strip()
        if ends and len(text) + len("else ") * len(told) <= MAX_FAMILY_CHARS and _in_order(body):
            text = "; else ".join((f"{subject} {told[0]}", *told[1:]))
            text = text if not text.endswith("otherwise") else "; ".join(text.rsplit("; else ", 1))
        if members[0].claim.title is not None and len(text) > MAX_FAMILY_CHARS:
            yield from _parts(subject, members, told)
            continue
        whole = len(text) <= MAX_FAMILY_CHARS
        if not whole and len(set(outcomes)) == 1:
            continue
        text = text if whole else f"{subject} one of {listing(list(dict.fromkeys(outcomes)), 'or')}"
        plain = (m for m in members if m.claim.where and all(c.kind in CONDITIONS for c in m.claim.where))
        covered = () if not whole else members if len(entry_of(members[0].claim)) == 1 else tuple(plain)
        if len(members) > 1 and len(text) <= MAX_FAMILY_CHARS:
            yield Family("condition" if any(conditions) else "constant", text, members, covered)


def _parts(subject: str, members: Sequence[Clause], told: Sequence[str]) -> Iterator[Family]:
    """Yield a table that is too long for one reply in several parts, as many entries in each as fit."""
    first, chars = 0, len(subject)
    for place, entry in enumerate((*told, "")):
        chars += len(entry) + 2
        if place and (not entry or chars > MAX_FAMILY_CHARS - len(_GOES_ON)):
            lead = f"{subject.removesuffix(':')} also:" if first else subject
            text = f"{lead} {'; '.join(told[first:place])}{_GOES_ON * bool(entry)}"
            if place - first > 1 and len(text) <= MAX_FAMILY_CHARS:
                yield Family("table", text, tuple(members[first:place]), ())
            first, chars = place, len(subject) + len(entry) + 2


def _in_order(nodes: Iterable[ast.stmt]) -> bool:
    """Return whether statements end with one chain of returns: of its cases the first one that holds decides."""
    return all(
        isinstance(node, ast.Return)
        or (isinstance(node, ast.If) and [*map(type, node.body)] == [ast.Return] and _in_order(node.orelse))
        for node in dropwhile(lambda node: {ast.Return, ast.Raise}.isdisjoint(map(type, nodes_of(node))), nodes)
    )


def _case(said: Spoken, clause: Clause) -> tuple[str, str, str] | None:
    """Return what a claim decides, as its siblings do, how that is begun, and what it comes to; None without."""
    words, claim = said.words, clause.claim
    if claim.title is not None:
        *key, value = entry_of(claim)
        told = words.say(value, CLAUSE) + "".join(f" for {words.say(part, ATOM)}" for part in key)
        return f"table {claim.title}", f"{the(claim.title) if claim.title else 'the fixed list'}:", told
    match claim.node:
        case ast.Return(value=ast.expr() as value):
            return f"return {claim.inside}", _RESULT, words.say(value, CLAUSE)
        case ast.Assign(targets=[ast.Name(id=name) as target], value=value) if claim.conditional:
            subject = words.name(target)
            anew = (name == words.result and words.grows) or any(getattr(n, "id", "") == name for n in nodes_of(value))
            verb = "becomes" if anew else be(subject)
            return f"{name} {claim.inside}", f"{subject} {verb}", words.say(value, CLAUSE)
        case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value) if type(op) in _CHANGES:
            if words.kind(target) in JOINED or words.kind(value) in JOINED:
                return None
            change = f"{(subject := words.name(target))} {_CHANGES[type(op)][is_plural(subject)]}"
            return f"change {name} {claim.inside}", change, words.say(value, CLAUSE)
    return None
