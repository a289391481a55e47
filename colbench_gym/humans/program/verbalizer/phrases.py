"""Claims as clauses: "if the age is at least 18, the result is True"."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import singledispatch

from colbench_gym.humans.program import claims as c
from colbench_gym.humans.program.verbalizer.expressions import CLAUSE, Words
from colbench_gym.humans.program.verbalizer.statements import effect, handled, managed
from colbench_gym.humans.program.verbalizer.syntax import ATOM
from colbench_gym.humans.program.verbalizer.wording import be, have, listing, name_words, the
from colbench_gym.python_code.syntax import nodes_of

MAX_CLAUSE_CHARS = 300
_MAX_NEGATED_CHARS = 85
_JOINTS = (", ", " and ", " then ", " plus ", " or ", " minus ", " times ", " followed by ")


@singledispatch
def phrase(claim: c.Claim, words: Words) -> str:  # noqa: ARG001 - the registered ones use it
    """Return a claim as one clause with its circumstances, without a capital or a full stop."""
    raise TypeError(f"got a {type(claim).__name__}, expected a kind of Claim")


@phrase.register
def _(claim: c.Uses, words: Words) -> str:  # noqa: ARG001
    node = claim.statement
    names = [alias.name for alias in node.names]
    module = node.module.replace(".", " ") if isinstance(node, ast.ImportFrom) and node.module else ""
    origin = f" of the {module} module" if module else ""
    return f"{listing(names)}{origin} {'are' if len(names) > 1 else 'is'} used"


@phrase.register
def _(claim: c.TableEntry, words: Words) -> str:
    title = the(claim.title) if claim.title else "the fixed list"
    if claim.key is None:
        return fitting(f"{title} {'include' if be(title) == 'are' else 'includes'} {words.say(claim.value, CLAUSE)}")
    return fitting(f"{title} {have(title)} {words.say(claim.value, CLAUSE)} for {words.say(claim.key, ATOM)}")


@phrase.register(c.Returns)
@phrase.register(c.Raises)
@phrase.register(c.Assigns)
@phrase.register(c.Does)
def _(claim: c.Returns | c.Raises | c.Assigns | c.Does, words: Words) -> str:
    said = effect(words, claim.statement) or ""
    return fitting(f"{circumstances(claim.where, words)}{said}") if said else ""


def circumstances(where: Sequence[c.Circumstance], words: Words) -> str:
    """Return what stands before a clause: "if …, for each …, "; empty when it always holds."""
    parts: list[str] = []
    conditional = False
    for circumstance in where:
        text, condition = _circumstance(circumstance, words)
        if condition and conditional and not text.startswith("otherwise"):
            parts[-1] += f" and {text}"
        else:
            parts.append(f"if {text}" if condition and not text.startswith("otherwise") else text)
        conditional = condition
    return "".join(f"{part}, " for part in parts)


def _circumstance(circumstance: c.Circumstance, words: Words) -> tuple[str, bool]:
    """Return the text, and whether "if" goes before it."""
    match circumstance:
        case c.When(test=test, holds=True, late=late):
            said = words.condition(test)
            return (f"otherwise, if {said}" if late else said), True
        case c.When(test=test):
            said = words.condition(test, negated=True)
            return (said, True) if len(said) < _MAX_NEGATED_CHARS else ("in all other cases", False)
        case c.Otherwise():
            return "in all other cases", False
        case c.Each(target=target, over=over):
            return f"for {words.loop(target, over)}", False
        case c.AsLongAs(test=test):
            return f"as long as {words.condition(test)}", False
        case c.OnFailure(handler=handler):
            return handled(words, handler), False
        case c.Opened(items=items):
            return " and ".join(managed(words, item) for item in items), False
        case c.Matched(subject=subject, case=case):
            return _matched(subject, case, words)
        case c.Inside(name=name, is_class=is_class):
            return f"in the {'class' if is_class else 'helper'} {name_words(name)}", False


def _matched(subject: ast.expr, case: ast.match_case, words: Words) -> tuple[str, bool]:
    topic = words.say(subject, 2)
    values = [words.say(p.value) for p in nodes_of(case.pattern) if isinstance(p, ast.MatchValue)]
    if not values and case.guard is None:
        return "in all other cases", False
    said = f"{topic} {be(topic)} {listing(values, 'or')}" if values else ""
    guard = words.condition(case.guard) if case.guard is not None else ""
    return " and ".join(part for part in (said, guard) if part), True


def fitting(text: str) -> str:
    """Return a clause that fits into a reply; what is left out of a longer one is said to go on."""
    if len(text) <= MAX_CLAUSE_CHARS:
        return text
    place = max(text.rfind(joint, 0, MAX_CLAUSE_CHARS) for joint in _JOINTS)
    return f"{text[: place if place > 0 else MAX_CLAUSE_CHARS].rstrip(' ,')}, and so on"


def sentence(clause: str) -> str:
    """Return a clause with a capital and a full stop."""
    clause = clause.strip()
    if not clause:
        return ""
    return clause[:1].upper() + clause[1:] + ("" if clause[-1] in ".!?…" else ".")
