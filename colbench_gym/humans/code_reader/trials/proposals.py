"""Outcomes that a question proposes: a value, an error, a label, being left out, going up or down."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from colbench_gym.humans.code_reader.lexicon import PLAIN, split_words, stem, stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.trials.clauses import Clause, Token, clauses_of
from colbench_gym.humans.code_reader.trials.places import terrain_of
from colbench_gym.humans.code_reader.trials.vocabulary import (
    AFTER_VALUE,
    BEING,
    BETTER,
    BOUNDING,
    COURTESY,
    DIFFERS,
    DROPPED,
    EVERYTHING,
    HOLDING,
    KEPT,
    NEGATIVE,
    OUTCOME_VERBS,
    POSITIVE,
    RAISES,
    RECOGNISED,
    RESULT,
    SAME,
    SPECIAL,
    WORSE,
)


@dataclass(frozen=True)
class Proposal:
    """An outcome that a question proposes.

    Attributes:
        kind: ``raises``, ``value``, ``label``, ``truth``, ``dropped``, ``kept``, ``same``, ``differs``, ``more``,
            ``less``, ``floor`` (nothing below zero), ``negative``, ``nothing`` (None, zero or empty), ``place`` (the
            value of an argument), ``as`` (what a known text leads to), ``special`` (anything out of the ordinary is
            done), ``everything`` (all of an argument), ``recognised`` (a text counts as one that is known).
        value: the proposed value.
        negated: a negation stands before it.
        tokens: the words that propose it.
    """

    kind: str
    value: Any = None  # Any: plain data
    negated: bool = False
    tokens: tuple[Token, ...] = ()


MAX_OPTION_WORDS = 5  # of a clause that is an alternative: "or just the whole list"
_NOTHING = {"none": None, "null": None, "true": True, "false": False}
_EMPTY: dict[str, Any] = {
    "list": [], "array": [], "dictionary": {}, "dict": {}, "string": "", "text": "", "tuple": (), "set": set(),
}  # fmt: skip
_KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    ("special", SPECIAL),
    ("dropped", DROPPED),
    ("recognised", RECOGNISED),
    ("kept", KEPT),
    ("same", SAME),
    ("differs", DIFFERS),
    ("more", BETTER),
    ("less", WORSE),
)


def proposals_of(question: Question, known: Knowledge) -> list[Proposal]:
    """Return what a question proposes, in its order."""
    found: list[Proposal] = []
    if question.fragment:
        return []
    if (twin := _treated_as(question, known)) is not None:
        return [twin]
    for clause in clauses_of(question):
        if not clause.supposed and clause.after != "(" and not COURTESY & set(clause.words):
            found += _in_clause(clause, known, question.raw)
    distinct: list[Proposal] = []
    for proposal in found:
        if not any((p.kind, repr(p.value)) == (proposal.kind, repr(proposal.value)) for p in distinct):
            distinct.append(proposal)
    return distinct


def _treated_as(question: Question, known: Knowledge) -> Proposal | None:
    """Return the proposal that an input is treated like a known one: "fall back to ethanol?"."""
    match = re.search(
        r"\b(?:fall\w* back (?:to|on)|treat\w* (?:\w+ )?(?:like|as)|same as|equivalent to|default\w* to)\b([^?,;]*)",
        question.lower,
    )
    if match is None:
        return None
    if re.match(r"\W*(?:0|zero|no \w+|none of)\b", match[1]):
        tokens = tuple(t for c in clauses_of(question) for t in c.tokens if t.text in ("no", "zero", "0"))
        return Proposal("as", (None, 0), tokens=tokens)
    words = frozenset(map(stem, split_words(match[1])))
    for test in terrain_of(known).tests:
        if isinstance(test.value, str) and test.relation == "==":
            own = frozenset(map(stem, split_words(test.value)))
            if own and own <= words:
                tokens = tuple(t for c in clauses_of(question) for t in c.tokens if set(t.stems) & own)
                return Proposal("as", (test.place, test.value), tokens=tokens[-1:])
    return None


def _in_clause(clause: Clause, known: Knowledge, raw: str) -> list[Proposal]:
    found: list[Proposal] = []
    tokens = clause.tokens
    used: set[int] = set()
    for at, token in enumerate(tokens):
        if at in used or _of_input(tokens, at, known):
            continue
        negated = clause.negated(at)
        if token.text in RAISES or re.fullmatch(r"\w+error", token.text):
            if not (token.text in ("reject", "rejected") and labels_of(known)):
                found.append(Proposal("raises", None, negated, (token,)))
        elif token.text == "empty" and at + 1 < len(tokens) and tokens[at + 1].text in _EMPTY:
            if (
                _after_verb(tokens, at)
                or at <= 1
                or tokens[at - 2].text in ("or",)
                or tokens[at - 1].text in ("or", "an")
            ):
                found.append(Proposal("value", _EMPTY[tokens[at + 1].text], negated, (token, tokens[at + 1])))
                used.add(at + 1)
        elif (token.quoted and RECOGNISED & set(clause.words)) or (
            token.quoted and (_known_text(token, known) or (at and tokens[at - 1].text in ("like", "as", "eg", "ie")))
        ):
            continue
        elif (token.value or token.text in _NOTHING) and (_after_verb(tokens, at) or _option(tokens, at)):
            if _bounding(tokens, at) and token.number == 0:
                found.append(Proposal("floor", 0, negated, (token,)))
                continue
            if token.number is not None and at + 1 < len(tokens) and tokens[at + 1].text not in AFTER_VALUE:
                continue
            value = token.value[0] if token.value else _NOTHING[token.text]
            loose = token.text == "none" and "None" not in raw
            found.append(Proposal("nothing" if loose else "value", value, negated, (token,)))
        elif token.text == "negative" and _after_verb(tokens, at):
            found.append(Proposal("negative", None, negated, (token,)))
    own = labels_of(known)
    named = [(label, hit) for label in own if (hit := _label_at(label, clause)) is not None]
    if named:
        longest = max(named, key=lambda entry: len(entry[0]))
        for label, hit in [entry for entry in named if entry[0] == longest[0] or entry[0] not in longest[0]]:
            if not any(p.kind == "value" and p.value == label for p in found):
                found.append(Proposal("label", label, clause.negated(hit), (tokens[hit],)))
    option = len(tokens) <= MAX_OPTION_WORDS and any(t.text in ("list", "text", "string", "thing") for t in tokens)
    if not found and (
        option or any(t.text in ("return", "returned", "give", "get", "back", "output", "result") for t in tokens)
    ):
        at_all = next((i for i, t in enumerate(tokens) if t.text in EVERYTHING), None)
        if at_all is not None:
            found.append(Proposal("everything", None, clause.negated(at_all), (tokens[at_all],)))
    place = _same_as(clause, known)
    if place is not None and not found:
        found.append(place)
    if not found:
        for kind, words in _KINDS:
            at_word = next((i for i, token in enumerate(tokens) if token.text in words), None)
            if at_word is not None and tokens[at_word].text in ("leave", "left"):
                at_word = at_word if {"out", "off", "away"} & set(clause.words[at_word : at_word + 4]) else None
            loose = at_word is not None and tokens[at_word].text in ("in", "out") and at_word + 1 < len(tokens)
            if loose and not {"result", "output"} & set(clause.words[(at_word or 0) + 1 : (at_word or 0) + 3]):
                continue
            if at_word is not None and kind in ("more", "less"):
                at_word = _not_of_input(clause, words, known)
            if at_word is not None:
                denied = clause.negated(at_word) or (kind == "special" and tokens[at_word].text.startswith("un"))
                found.append(Proposal(kind, None, denied, (tokens[at_word],)))
                break
    return found


def _not_of_input(clause: Clause, words: frozenset[str], known: Knowledge) -> int | None:
    """Return where a direction is said of the result: not the "higher" of "a higher age"."""
    for at, token in enumerate(clause.tokens):
        if token.text not in words or "than" in clause.words[at:]:
            continue
        after = frozenset(s for later in clause.tokens[at + 1 : at + 4] for s in later.stems)
        if not any(p.kind == "number" and not p.local and p.own & after for p in terrain_of(known).places):
            return at
    return None


def _known_text(token: Token, known: Knowledge) -> bool:
    """Return whether a quoted text is one that the reference compares its input with, letter case aside."""
    text = token.value[0]
    compared = {t.value.lower() for t in terrain_of(known).tests if isinstance(t.value, str)}
    return isinstance(text, str) and text.lower() in compared and text not in labels_of(known)


def _of_input(tokens: Sequence[Token], at: int, known: Knowledge) -> bool:
    """Return whether a value is said of an argument, not of the result: "can the rate be negative", "kind = 'b'"."""
    places = terrain_of(known).places
    if [token.text for token in tokens[max(0, at - 1) : at]] == ["="] and at > 1:
        return any(not place.local and place.parameter.lower() == tokens[at - 2].text for place in places)
    if tokens[at].number is not None:
        before = tokens[max(0, at - 3) : at]
        stated = frozenset(s for token in before for s in token.stems)
        told = {"return", "returns", "give", "gives", "get", "result"} & {token.text for token in before}
        told |= {"as"} & {token.text for token in before[-1:]}
        if not told and any(place.own & stated for place in places):
            return True
    verb = next((i for i in range(at - 1, max(-1, at - 4), -1) if tokens[i].text in BEING), None)
    if verb is None:
        return False
    subject = frozenset(s for token in tokens[max(0, verb - 5) : verb] for s in token.stems)
    names = {token.text for token in tokens[:verb]}
    if subject & (RESULT - stems(["value"])):
        return False
    if tokens[verb].text in HOLDING:
        return True
    return any((not place.local) and (place.own <= subject or place.parameter.lower() in names) for place in places)


def _same_as(clause: Clause, known: Knowledge) -> Proposal | None:
    """Return the proposal that the result is one of the arguments: "is it identical to the growth?"."""
    words = clause.words
    at = next((i for i, w in enumerate(words) if w in ("same", "identical", "equal", "equals", "just")), None)
    if at is None or not {"to", "as", "equals", "just"} & set(words[at : at + 3]):
        return None
    rest = frozenset(s for token in clause.tokens[at + 1 :] for s in token.stems)
    named = [p for p in terrain_of(known).places if not p.path and p.own <= rest]
    return Proposal("place", named[0], clause.negated(at), (clause.tokens[at],)) if len(named) == 1 else None


def _after_verb(tokens: Sequence[Token], at: int) -> bool:
    before = [token.text for token in tokens[max(0, at - 5) : at]]
    return any(word in OUTCOME_VERBS or word in BOUNDING for word in before)


def _option(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a value stands alone as an option: "0 or 1?"."""
    return (
        len(tokens) == 1
        or (at > 0 and tokens[at - 1].text == "or")
        or (at + 1 < len(tokens) and tokens[at + 1].text == "or")
    )


def _bounding(tokens: Sequence[Token], at: int) -> bool:
    return any(token.text in BOUNDING for token in tokens[max(0, at - 4) : at])


@lru_cache(maxsize=1024)
def labels_of(known: Knowledge) -> tuple[str, ...]:
    """Return the texts that the reference gives out: those of its code that it compares nothing with."""
    compared = {test.value for test in terrain_of(known).tests if isinstance(test.value, str)}
    keys = {
        id(node.slice)
        for node in known.nodes
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)
    }
    keys |= {
        id(node.args[0])
        for node in known.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args
    }
    given = [
        node.value
        for node in known.nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.strip()
        and id(node) not in keys
    ]
    docs = {id(n.value) for n in known.nodes if isinstance(n, ast.Expr)}
    plain = {n.value for n in known.nodes if isinstance(n, ast.Constant) and id(n) in docs}
    return tuple(dict.fromkeys(text for text in given if text not in compared and text not in plain and len(text) < 80))


def _label_at(label: str, clause: Clause) -> int | None:
    """Return where a text that the reference gives out is named in a clause."""
    words = [stem(w) for w in split_words(label)]
    wanted = [w for w in words if w not in PLAIN and len(w) > 1] or words
    if not wanted or len(wanted) > 6:
        return None
    hits = [next((i for i, t in enumerate(clause.tokens) if w in t.stems), None) for w in wanted]
    present = [hit for hit in hits if hit is not None]
    return present[0] if present and len(present) >= 0.75 * len(wanted) else None


def truth_of(question: Question, known: Knowledge) -> bool | None:
    """Return which boolean a yes would mean; None when the words do not tell."""
    asked = [clause for clause in clauses_of(question) if not clause.supposed]
    words = frozenset(s for clause in asked for s in clause.stems)
    if any(t.text in ("not", "never") or t.text.endswith("n't") for clause in asked for t in clause.tokens):
        return None
    if not words & (NEGATIVE | POSITIVE):  # "Does a student with a 3.2 qualify?"
        words = frozenset(s for clause in clauses_of(question) for s in clause.stems)
    name = stems([known.name])
    if words & NEGATIVE:
        return None if name & NEGATIVE or words & POSITIVE - stems(["get", "still"]) else False
    if name & NEGATIVE:
        return True if name & NEGATIVE & words else None
    specific = name - PLAIN - stems(["is", "check", "should", "can", "has", "calculate", "determine", "are", "get"])
    if words & specific or words & POSITIVE:
        return True
    return None


def asks_again(text: str, proposed: Sequence[Proposal]) -> bool:
    """Return whether a second question proposes something: "What if it is empty? Return 0?"."""
    parts = [part.strip() for part in text.split("?") if part.strip()]
    if len(parts) < 2 or not proposed or " or " in parts[-1]:
        return False
    return not re.match(r"\W*(?:what|how|which|when|where|who)\b", parts[-1])
