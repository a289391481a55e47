"""Constraints that compare two places, or a place with its limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from colbench_gym.humans.code_reader.trials.clauses import Token
from colbench_gym.humans.code_reader.trials.fitting import CONTAINERS, Constraint, Reading
from colbench_gym.humans.code_reader.trials.places import Test
from colbench_gym.humans.code_reader.trials.vocabulary import (
    COUNTED,
    EMPTY,
    EQUAL,
    IN_AGE,
    IN_TIME,
    LESS,
    LIMIT,
    MORE,
    NEGATIONS,
    NONE,
    SIZES,
    UNLIKE,
)


def unequal(reading: Reading) -> Iterator[Constraint]:
    """Two containers of unlike size."""
    words = set(reading.clause.words)
    sizes, unlike = SIZES, UNLIKE
    same = {"same", "equal", "match", "matching", "equally"}
    denied = any(t.text in NEGATIONS or t.text.endswith("n't") for t in reading.clause.tokens)
    if not words & sizes or not (words & unlike or (words & same and denied)):
        return
    boxes = [p for p in reading.terrain.places if p.kind in ("list", "tuple") and not p.path]
    named = [p for p in boxes if reading.fit(p, None, reading.clause.tokens) > 0.25]
    pair = named if len(named) >= 2 else boxes[:2]
    if len(pair) >= 2:
        relation = "<" if "shorter" in words else ">"
        yield reading.make(pair[0], "size", relation=relation, other=pair[1])


def several(reading: Reading) -> Iterator[Constraint]:
    """One state of several arguments: "both rates are zero", "n, m and k are all 0"."""
    words = reading.clause.words
    if not {"both", "all", "each", "everything"} & set(words) and "and" not in words:
        return
    state = next((w for w in words if w in ("negative", *EMPTY, *NONE)), "")
    zero = any(token.number == 0 and token not in reading.taken for token in reading.clause.tokens)
    kinds = (
        ("number",)
        if zero or state == "negative"
        else (*CONTAINERS, "text")
        if state in EMPTY
        else ("number", "text", *CONTAINERS)
    )
    if (not state and not zero) or any(token.number for token in reading.clause.tokens):
        return
    whole = [p for p in reading.terrain.places if not p.path and p.kind in kinds]
    named = [p for p in whole if reading.fit(p, None, reading.clause.tokens) > 0.25]
    if "and" in words and not {"both", "all", "each", "everything"} & set(words) and len(named) < 2:
        return
    kind = "equals" if zero else "negative" if state == "negative" else "empty" if state in EMPTY else "none"
    for place in named if len(named) > 1 else whole:
        yield reading.make(place, kind, 0 if zero else None, relation="==" if zero else "")


def relations(reading: Reading) -> Iterator[Constraint]:
    """Two places compared with each other: "the drop is larger than the price"."""
    tokens = reading.clause.tokens
    for at, token in enumerate(tokens):
        relation = ">" if token.text in MORE else "<" if token.text in LESS else "==" if token.text in EQUAL else ""
        if not relation or token.value:
            continue
        if relation == "==" and token.text in ("right", "on", "at") and not _next_is(tokens, at, LIMIT):
            continue
        if any(t.number is not None or t.text == "one" for t in tokens[at + 1 : at + 5]):
            continue
        limit = _limit(reading, relation)
        if limit is not None:
            yield limit
            return
        pair = _pair(reading, at, relation)
        if pair is not None:
            yield pair
            return


def moved(reading: Reading) -> Iterator[Constraint]:
    """One number that is larger or smaller than usual: "a longer completion time"."""
    tokens = reading.clause.tokens
    for at, token in enumerate(tokens):
        kind = "raised" if token.text in MORE else "lowered" if token.text in LESS else ""
        if (
            not kind
            and token.text in ("big", "large", "high", "long", "huge")
            and "enough" in reading.clause.words[at:]
        ):
            subject = reading.place(at, ("number",))
            if subject is not None and not subject[0].local:
                yield reading.make(subject[0], "huge", sure=0.8)
                return
        if not kind or token in reading.taken or "than" in reading.clause.words[at:]:
            continue
        place = reading.named(tokens[at + 1 : at + 4], ("number",))
        if place is not None and not place.local:
            yield reading.make(place, kind, sure=0.8)
            return


def _limit(reading: Reading, relation: str) -> Constraint | None:
    """Something exactly at its limit."""
    if relation != "==" or not (LIMIT & reading.clause.stems):
        return None
    tests = [t for t in reading.terrain.tests if t.relation in ("<", "<=", ">", ">=") and not t.measure]
    if not tests:
        return None
    chosen = _best_test(reading, tests)
    if chosen is None:
        return None
    if chosen.other is not None:
        return reading.make(chosen.place, "relate", relation="==", other=chosen.other)
    return reading.make(chosen.place, "equals", chosen.value)


def _best_test(reading: Reading, tests: Sequence[Test]) -> Test | None:
    everything = [token for clause in reading.clauses for token in clause.tokens]
    scored = [
        (reading.fit(t.place, None, everything) + (reading.fit(t.other, None, everything) if t.other else 0.0), -n, t)
        for n, t in enumerate(tests)
    ]
    best = max(scored, key=lambda entry: entry[:2])
    values = {(t.place, t.value, t.other) for t in tests}
    return best[2] if best[0] > 0.3 or len(values) == 1 else None


def _pair(reading: Reading, at: int, relation: str) -> Constraint | None:
    tokens = reading.clause.tokens
    than = next((i for i in range(at + 1, len(tokens)) if tokens[i].text in ("than", "to", "as", "the")), at)
    left, right = tokens[:at], tokens[at + 1 :]
    if tokens[at].text in ("more", "fewer", "less") and than > at + 1 and tokens[than].text == "than":
        left, right = tokens[at + 1 : than], tokens[than + 1 :]
    if relation == "==" and not reading.named(right, ("number", "text", "date", *CONTAINERS)):
        joint = next((i for i, t in enumerate(left) if t.text == "and"), None)
        if joint is None:
            return None
        left, right = left[:joint], left[joint + 1 :]
    number = reading.named(left, ("number",))
    box = reading.named(right, CONTAINERS)
    if number is not None and box is not None and not box.path and COUNTED & {t.text for t in right}:
        return reading.make(number, "relate", relation=relation, other=box)
    for kinds in (("number", ""), ("list", "tuple", "text", "dictionary"), ("text", "date")):
        one = reading.named(left, kinds)
        other = reading.named(right, kinds, one) if one is not None else None
        if one is not None and other is not None:
            sized = kinds[0] != "number" and relation != "==" and tokens[at].text not in IN_TIME | IN_AGE
            if kinds[0] != "number" and tokens[at].text in IN_AGE:
                relation = "<" if relation == ">" else ">"
            kind = "size" if sized else "relate"
            return reading.make(one, kind, relation=relation, other=other)
    return None


def _next_is(tokens: Sequence[Token], at: int, wanted: frozenset[str]) -> bool:
    return any(wanted & set(token.stems) for token in tokens[at + 1 : at + 4])
