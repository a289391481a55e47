"""Suppositions of a question about the input, as data: places and what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from colbench_gym.humans.code_reader.lexicon import PLAIN
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.trials.clauses import Clause, Token, clauses_of
from colbench_gym.humans.code_reader.trials.fitting import LOOSE, Constraint, Reading
from colbench_gym.humans.code_reader.trials.named_values import in_order, literals, numbers, quoted
from colbench_gym.humans.code_reader.trials.places import terrain_of
from colbench_gym.humans.code_reader.trials.proposals import Proposal
from colbench_gym.humans.code_reader.trials.relations import moved, relations, several, unequal
from colbench_gym.humans.code_reader.trials.states import flags, states
from colbench_gym.humans.code_reader.trials.vocabulary import KEPT

MIN_NAMED = 0.5  # how sure it is that an unknown name is put where the reference compares texts


def constraints_of(question: Question, known: Knowledge, taken: frozenset[Token] = frozenset()) -> list[Constraint]:
    """Return what a question supposes of the input; ``taken`` are tokens that are proposals of an outcome."""
    terrain = terrain_of(known)
    if not terrain.places:
        return []
    listed = in_order(question, terrain, taken)
    if listed:
        return listed
    found: list[Constraint] = []
    clauses = clauses_of(question)
    loose: list[Constraint] = []
    for clause, before in zip(clauses, (None, *clauses), strict=False):
        if before is not None and clause.words[:1] == ("with",) and _tells_what_is_kept(before):
            continue
        if clause.words[:1] in (("you",), ("your",)) or clause.words in (("if", "so"), ("if", "yes"), ("if", "not")):
            continue
        for constraint in _constraints(Reading(clause, clauses, terrain, known, taken)):
            if constraint.sure <= LOOSE:
                loose.append(constraint)
            elif not any(_clash(constraint, earlier) for earlier in found):
                found.append(constraint)
            else:
                found = [constraint if _is_instance(constraint, earlier) else earlier for earlier in found]
    found = [one for one in found if not any(_is_inside(other, one) for other in found)]
    return found or loose[:1] or _unheard_of(question, known)


def _unheard_of(question: Question, known: Knowledge) -> list[Constraint]:
    """Return the constraint that a text is the name in a question which names nothing else: "What about a Ford?"."""
    if not (
        question.fragment or question.has(r"^\W*(?:and |but |so )?(?:what|how) about\b|^\W*what if (?:it|he|she)\b")
    ):
        return []
    names = [w for w in re.findall(r"(?<=\s)[A-Z][\w-]*", question.text) if w not in ("I", "None", "True", "False")]
    terrain = terrain_of(known)
    texts = {t.value.lower() for t in terrain.tests if isinstance(t.value, str)}
    places = list({t.place for t in terrain.tests if isinstance(t.value, str) and not t.place.local})
    if len(names) != 1 or len(places) != 1 or any(names[0].lower() in text for text in texts):
        return []
    return [Constraint(places[0], "unknown", names[0], supposed=True, sure=MIN_NAMED)]


def _constraints(reading: Reading) -> Iterator[Constraint]:
    """Yield the constraints of one clause, the surest kinds first."""
    together = list(several(reading))
    if together:
        yield from together
        return
    for find in (relations, unequal, numbers, literals, quoted, states, flags, moved):
        yield from find(reading)


def _tells_what_is_kept(clause: Clause) -> bool:
    """Return whether a clause says how something stays, so that "with" goes on with the outcome: "keep it with 0"."""
    return not clause.supposed and bool(KEPT & set(clause.words))


def _is_inside(inner: Constraint, outer: Constraint) -> bool:
    """Return whether a constraint on an item says more exactly what is empty: "no data (an empty inner list)"."""
    return (
        inner.kind == outer.kind == "empty"
        and inner.place.parameter == outer.place.parameter
        and len(inner.place.path) > len(outer.place.path)
    )


def _clash(one: Constraint, earlier: Constraint) -> bool:
    """Return whether two constraints are about one place."""
    return one.place == earlier.place


def _is_instance(one: Constraint, earlier: Constraint) -> bool:
    """Return whether a number is an instance of what was supposed before it: "is negative, say -5"."""
    number = one.value if one.kind == "equals" and isinstance(one.value, (int, float)) else None
    return _clash(one, earlier) and earlier.kind == "negative" and number is not None and number < 0


def understood(clause: Clause, constraints: Sequence[Constraint], proposed: Sequence[Proposal]) -> bool:
    """Return whether something was understood of what a clause supposes, or it names nothing."""
    own = clause.stems - PLAIN
    if not own or any(one.supposed for one in constraints):
        return True
    return any(token in clause.tokens for p in proposed for token in p.tokens)
