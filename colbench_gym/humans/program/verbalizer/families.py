"""Families of claims: what is decided in several cases, told as one list with its conditions."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from colbench_gym.humans.program import claims as c
from colbench_gym.humans.program.verbalizer import Clause, Spoken
from colbench_gym.humans.program.verbalizer.expressions import CLAUSE
from colbench_gym.humans.program.verbalizer.phrases import circumstances
from colbench_gym.humans.program.verbalizer.syntax import ATOM
from colbench_gym.humans.program.verbalizer.wording import be, listing, the

MAX_FAMILY_CHARS = 380


@dataclass(frozen=True, eq=False)
class Family:
    """Claims that decide the same thing in different cases.

    Attributes:
        subject: what they decide.
        members: the claims, in the order of the reference.
        outcomes: what each comes to, in words.
        conditions: when each holds; empty for a claim that always does.
    """

    subject: str
    members: tuple[Clause, ...]
    outcomes: tuple[str, ...]
    conditions: tuple[str, ...]

    @cached_property
    def _whole(self) -> str:
        return self.told_of(self.members)

    def told_of(self, members: Sequence[Clause]) -> str:
        """Return some of the cases as one clause."""
        places = [place for place, member in enumerate(self.members) if member in members]
        conditions = _ranges([self.conditions[place] for place in places])
        cases = [
            f"{self.outcomes[place]} {condition}".strip() for place, condition in zip(places, conditions, strict=True)
        ]
        return f"{self.subject} {'; '.join(cases)}".strip()

    @property
    def fits(self) -> bool:
        """Return whether all cases with their conditions fit into a reply."""
        return len(self._whole) <= MAX_FAMILY_CHARS

    def told(self) -> str:
        """Return all cases as one clause; without the conditions when it would be too long."""
        return self._whole if self.fits else self.listed()

    def listed(self) -> str:
        """Return the possible outcomes alone."""
        text = f"{self.subject} one of {listing(list(dict.fromkeys(self.outcomes)), 'or')}"
        return text if len(text) <= MAX_FAMILY_CHARS else ""


def families(said: Spoken) -> list[Family]:
    """Return what a reference decides in at least two cases."""
    groups: dict[str, list[Clause]] = {}
    for clause in said.clauses:
        key = _decides(clause)
        if key:
            groups.setdefault(key, []).append(clause)
    found = []
    for members in groups.values():
        family = _family(said, members)
        if len(members) > 1 and family is not None:
            found.append(family)
    return found


def _decides(clause: Clause) -> str:
    """Return what a claim decides, as a key that its siblings share; empty for claims without siblings."""
    inside = next((w.name for w in clause.claim.where if isinstance(w, c.Inside)), "")
    match clause.claim:
        case c.Returns():
            return f"result of {inside}"
        case c.Assigns(statement=ast.Assign(targets=[ast.Name(id=name)])) if clause.claim.conditional:
            return f"{name} of {inside}"
        case c.Assigns(statement=ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant())) if "_" in name:
            return f"constants {name.rpartition('_')[2]}"
        case c.Assigns(statement=ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))])) if (
            clause.claim.conditional
        ):
            return f"entries of {name}"
        case c.Does(statement=ast.AugAssign(target=ast.Name(id=name), op=op)):
            return f"{type(op).__name__} {name}"
        case c.TableEntry(title=title):
            return f"table {title}"
    return ""


def _family(said: Spoken, members: Sequence[Clause]) -> Family | None:
    words = said.words
    outcomes, conditions = [], []
    subject = ""
    for clause in members:
        claim = clause.claim
        match claim:
            case c.Returns(statement=ast.Return(value=value)) if value is not None:
                subject, told = "the result is", words.say(value, CLAUSE)
            case c.Assigns(statement=ast.Assign(targets=[ast.Name(id=name)], value=value)):
                fixed = not claim.conditional
                subject = "" if fixed else f"{the(name)} {be(the(name))}"
                told = f"{the(name)} {be(the(name))} {words.say(value)}" if fixed else words.say(value, CLAUSE)
            case c.Assigns(statement=ast.Assign(targets=[ast.Subscript(value=owner)], value=value)):
                subject, told = f"{words.say(owner, ATOM)} gets", words.say(value, CLAUSE)
            case c.Does(statement=ast.Expr(value=ast.Call(func=ast.Attribute(value=owner), args=[value]))):
                subject, told = f"{words.say(owner, ATOM)} gets", words.say(value, CLAUSE)
            case c.Does(statement=ast.AugAssign(target=target, op=op, value=value)):
                change = {ast.Add: "goes up by", ast.Sub: "goes down by", ast.Mult: "is multiplied by"}.get(type(op))
                if change is None:
                    return None
                subject, told = f"{words.say(target, ATOM)} {change}", words.say(value, CLAUSE)
            case c.TableEntry(key=key, value=value, title=title):
                subject = f"{the(title) if title else 'the fixed list'}:"
                told = words.say(value, CLAUSE) + (f" for {words.say(key, ATOM)}" if key is not None else "")
            case _:
                return None
        own = tuple(w for w in claim.where if not isinstance(w, (c.Each, c.Opened, c.Inside)))
        condition = "" if isinstance(claim, c.TableEntry) else circumstances(own, words).rstrip(", ")
        outcomes.append(told)
        conditions.append(_shorter(condition))
    return Family(subject, tuple(members), tuple(outcomes), _by_value(conditions))


def _by_value(conditions: Sequence[str]) -> tuple[str, ...]:
    """Shorten "if the plan is "gold"", when all conditions are of that form, to "for "gold""."""
    split = [condition.partition(" is ") for condition in conditions if condition not in ("", "otherwise")]
    subjects = {subject for subject, _, _ in split}
    plain = all(value[:1] in "\"'“" and " and " not in value and " or " not in value for _, _, value in split)
    if len(split) < 2 or len(subjects) != 1 or not plain:
        return tuple(conditions)
    return tuple(f"for {c.partition(' is ')[2]}" if " is " in c else c for c in conditions)


_RANGE = re.compile(r"(if .+?) (?:is|are) ((?:(?:and )?(?:more than|less than|at least|at most|exactly) -?[\d.]+ ?)+)")


def _ranges(conditions: Sequence[str]) -> list[str]:
    """Return conditions without the subject that the one before has too: "if more than 1000 and at most 2000"."""
    told: list[str] = []
    subject = ""
    for condition in conditions:
        match = _RANGE.fullmatch(condition)
        told.append(f"if {match[2]}" if match is not None and match[1] == subject else condition)
        subject = match[1] if match is not None else ""
    return told


def _shorter(condition: str) -> str:
    return condition.removeprefix("otherwise, ").replace("in all other cases", "otherwise")
