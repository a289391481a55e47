"""Constraints that put a place into a state: empty, missing, unknown, a flag set or not."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from colbench_gym.humans.code_reader.lexicon import stem
from colbench_gym.humans.code_reader.trials.clauses import Token
from colbench_gym.humans.code_reader.trials.fitting import AUXILIARY, CONTAINERS, Constraint, Reading
from colbench_gym.humans.code_reader.trials.places import ITEM, Place
from colbench_gym.humans.code_reader.trials.vocabulary import (
    EMPTY,
    GIVEN,
    HEARD_OF,
    INSIDE,
    MENTIONING,
    MISSING,
    NONE,
    ONE_OF_MANY,
    REFUSING,
    TWICE,
    UNKNOWN,
    UNMATCHED,
)

MAX_LISTED_WORDS = 6  # of a clause that lists outcomes without a verb
_KINDS = {
    "list": "list", "lists": "list", "array": "list", "string": "text", "text": "text", "dict": "dictionary",
    "dictionary": "dictionary", "tuple": "tuple", "sequence": "list", "mapping": "dictionary", "input": "",
}  # fmt: skip


def states(reading: Reading) -> Iterator[Constraint]:
    """Places in a state that is out of the ordinary."""
    words, tokens = reading.clause.words, reading.clause.tokens
    for at, word in enumerate(words):
        if word not in UNMATCHED or "without" in words[max(0, at - 5) : at]:  # "colours without flowers appear"
            continue
        if reading.clause.negated(at, 5) or "nobody" in words:
            unmatched = list(_unmatched(reading, at))
            if unmatched:
                yield from unmatched
                return
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        named = after in AUXILIARY and any(p.parameter == word for p in reading.terrain.places)  # "absent is zero"
        if tokens[at] in reading.taken or tokens[at].value or named or at in reading.names:
            continue
        negated = reading.clause.negated(at, 2)
        if word in EMPTY and not negated and word != "non-empty":
            yield from _state(reading, "empty", at, (*CONTAINERS, "text"))
        elif word == "no" and after in HEARD_OF:
            yield from _unknown(reading, at, word)
        elif word == "no" and at and words[at - 1] == "in":
            continue  # "a region in no connection": an item, not a lack of connections
        elif word in ("no", "without", "nothing") and not after.startswith(("error", "value", "special")):
            yield from _absence(reading, at)
        elif word in NONE and after != "of" and not _is_outcome(reading, at):
            yield from _state(reading, "none", at, ("number", "text", "flag", "date", "none", "mixed", "", *CONTAINERS))
        elif (word in GIVEN and negated) or (word in MISSING and words[0] != "or"):
            yield from _not_given(reading, at)
        elif word in ("anything", "any") and reading.clause.negated(at, 4) and reading.clause.supposed:
            yield from _nothing_of(reading, at)
        elif (word == "neither" and after == "of") or (word == "one" and negated and after == "of"):
            yield from _unknown(reading, at, word)
        elif (
            word in ("in", "among", "part")
            and at
            and (words[at - 1] in ("not", "never") or words[at - 1].endswith("n't"))
        ):
            yield from _outside(reading, at)
        elif word in ("negative", "minus") and not negated:
            yield from _state(reading, "negative", at, ("number", ""))
        elif (
            (word in UNKNOWN and not negated)
            or (word in HEARD_OF and negated)
            or (word in ("nobody", "noone") and reading.clause.supposed)
        ):
            yield from _unknown(reading, at, word)
        elif (
            word == "single"
            or (word in ("only", "just") and after in ("one", "a", "1"))
            or (word == "one" and "only" in words)
        ):
            yield from _alone(reading, at)
        elif word in TWICE or (word == "once" and "more" in words[:at]):
            for one in _state(reading, "duplicate", at, ("list", "tuple")):
                inside = reading.terrain.at(one.place.parameter, (*one.place.path, ITEM))
                held = inside is not None and inside.kind == "list" and _of_one_item(words[:at])
                yield replace(one, place=inside) if inside is not None and held else one


def _of_one_item(words: Sequence[str]) -> bool:
    """Return whether words say that something is in one item: "a ballot that mentions an option"."""
    verb = next((at for at, word in enumerate(words) if word in MENTIONING), 0)
    return any(word in ONE_OF_MANY for word in words[max(0, verb - 4) : verb])


def _is_outcome(reading: Reading, at: int) -> bool:
    """Return whether a None is what something becomes: "turn them into None", "an empty list, None or a message"."""
    words = reading.clause.words
    if reading.clause.supposed:
        return False
    if len(words) <= MAX_LISTED_WORDS and any(token in reading.taken for token in reading.clause.tokens):
        return True  # one of several outcomes that are listed
    return (
        bool({"into", "return", "put", "with", "to", "by"} & set(words[max(0, at - 2) : at]))
        or (words[at + 1 : at + 2] == ("or",) and not set(INSIDE) & set(words))
        or words == ("none",)
    )


def _by_name(reading: Reading, at: int, kinds: Sequence[str]) -> Place | None:
    """Return the argument whose whole name stands before a word: "records is empty", "the text lines are empty"."""
    before = f" {' '.join(reading.clause.words[:at])} "
    names = {p: p.parameter.lower() for p in reading.terrain.places if not p.path and p.kind in kinds}
    named = [p for p, name in names.items() if f" {name} " in before or f" {name.replace('_', ' ')} " in before]
    return named[0] if len(named) == 1 else None


def _unmatched(reading: Reading, at: int) -> Iterator[Constraint]:
    """ "A theme no episode fits": an item of one list that has nothing to do with the rest of the input."""
    items = [p for p in reading.terrain.places if p.kind == "text" and (not p.path or p.path[-1] == ITEM)]
    if len(reading.terrain.places) < 2 or not items:
        return
    subject = reading.clause.tokens[:at]
    earlier = [token for clause in reading.clauses for token in clause.tokens]
    for tokens in (subject, earlier):
        scored = [(reading.fit(p, 0, tokens), -n, p) for n, p in enumerate(items)]
        best = max(scored, key=lambda entry: entry[:2])
        if best[0] > 0.3:
            yield reading.make(best[2], "unknown", sure=max(0.4, best[0]))
            return


def _subject(reading: Reading, at: int, absent: Place) -> Place | None:
    """Return the item that is said to have nothing of another list: "a country without a movie"."""
    before = [token for clause in reading.clauses[: reading.clauses.index(reading.clause)] for token in clause.tokens]
    tokens = [*before, *reading.clause.tokens[:at]]
    items = [
        p for p in reading.terrain.places if p.kind == "text" and p.path == (ITEM,) and p.parameter != absent.parameter
    ]
    scored = [(reading.fit(p, None, tokens), -n, p) for n, p in enumerate(items)]
    best = max(scored, default=None, key=lambda entry: entry[:2])
    return best[2] if best is not None and best[0] > 0.4 else None


_COUNT_WORDS = frozenset(map(stem, ["number", "num", "count", "amount"]))


def _alone(reading: Reading, at: int) -> Iterator[Constraint]:
    """ "Only one winner": a container with one item."""
    following = reading.clause.tokens[at + 1 : at + 4]
    before = reading.clause.tokens[max(0, at - 4) : at]
    everything = [token for clause in reading.clauses for token in clause.tokens]
    for tokens in (following, before, everything) if reading.clause.words[at] == "one" else (following,):
        numbers = [p for p in reading.terrain.places if p.kind == "number" and not p.path and p.words & _COUNT_WORDS]
        scored = [(reading.fit(p, None, tokens), -n, p) for n, p in enumerate(numbers)]
        best = max(scored, default=None, key=lambda entry: entry[:2])
        if best is not None and best[0] > 0.4:
            yield reading.make(best[2], "equals", 1, relation="==", sure=best[0])
            return
        boxes = [p for p in reading.terrain.places if p.kind in ("list", "tuple", "dictionary") and not p.path]
        scored = [(reading.fit(p, None, tokens), -n, p) for n, p in enumerate(boxes)]
        best = max(scored, default=None, key=lambda entry: entry[:2])
        if best is not None and best[0] > 0.3:
            yield reading.make(best[2], "size", 1, relation="==", sure=best[0])
            return


def _state(reading: Reading, kind: str, at: int, kinds: Sequence[str]) -> Iterator[Constraint]:
    nested = [p for p in reading.terrain.places if p.path and p.kind in CONTAINERS]
    if kind == "empty" and nested and {"inner", "nested", "sub", "sublist", "sublists"} & set(reading.clause.words):
        yield reading.make(nested[0], kind, sure=0.6)
        return
    named = _by_name(reading, at, kinds) if kind == "empty" else None
    if named is not None:
        yield reading.make(named, kind)
        return
    said = [_KINDS[w] for w in reading.clause.words if _KINDS.get(w)]
    if said and kind == "empty":
        narrowed = [k for k in kinds if k in said]
        hit = reading.place(at, narrowed) if narrowed else None
        if hit is None and narrowed:
            first = next((p for p in reading.terrain.places if p.kind in narrowed and not p.path), None)
            hit = (first, 0.3) if first is not None else None
    else:
        inside = set(INSIDE)
        items = (
            [p for p in reading.terrain.places if p.inner]
            if kind == "none" and inside & set(reading.clause.words)
            else None
        )
        hit = reading.place(at, ("text", "number", "", "flag"), among=items) if items else reading.place(at, kinds)
    if hit is None and kind == "empty":
        first = next((p for p in reading.terrain.places if p.kind in CONTAINERS and not p.path), None)
        hit = (first, 0.2) if first is not None else None
    if hit is not None:
        yield reading.make(hit[0], kind, sure=hit[1])


def _absence(reading: Reading, at: int) -> Iterator[Constraint]:
    """ "No wings", "without any skills", "no prior": nothing of a place."""
    following = reading.clause.tokens[at + 1 : at + 5]
    whole = [p for p in reading.terrain.places if not p.path and p.kind in CONTAINERS]
    generic = {"entries", "items", "elements", "values", "data", "numbers", "members"}
    if following and following[0].text in generic and len(whole) == 1:
        yield reading.make(whole[0], "empty", sure=0.6)
        return
    keys = {token.value[0] for token in following if token.quoted and isinstance(token.value[0], str)}
    for place in reading.terrain.places:
        if place.path and place.path[-1] in keys:
            yield reading.make(place, "missing")
            return
    for kinds in (CONTAINERS, ("number",), ("text",)):
        fitting = [p for p in reading.terrain.places if p.kind in kinds]
        scored = [(reading.fit(p, 0, following), -len(p.path), p) for p in fitting]
        best = max(scored, default=None, key=lambda entry: entry[:2])
        if best is None or best[0] < 0.35:
            continue
        place = best[2]
        subject = _subject(reading, at, place) if kinds == CONTAINERS else None
        if subject is not None:
            yield reading.make(subject, "unknown", other=place, sure=0.5)
        elif kinds == CONTAINERS:
            yield reading.make(place, "empty", sure=best[0])
        elif place.optional:
            yield reading.make(place, "missing", sure=best[0])
        elif kinds == ("number",):
            yield reading.make(place, "equals", 0, relation="==", sure=best[0])
        return


def _nothing_of(reading: Reading, at: int) -> Iterator[Constraint]:
    """ "I haven't collected anything": an empty container."""
    boxes = [p for p in reading.terrain.places if p.kind in CONTAINERS and not p.path]
    scored = [(reading.fit(p, at, reading.clause.tokens), -n, p) for n, p in enumerate(boxes)]
    best = max(scored, default=None, key=lambda entry: entry[:2])
    if best is not None and best[0] > 0.3:
        yield reading.make(best[2], "empty", sure=best[0])


def _not_given(reading: Reading, at: int) -> Iterator[Constraint]:
    every = ("number", "text", "flag", "date", "none", "mixed", "", *CONTAINERS)
    words = reading.clause.words
    inside = next((i for i in range(at + 1, min(at + 3, len(words))) if words[i] in ("from", "in", "among")), None)
    if inside is not None:
        owner = reading.named(reading.clause.tokens[inside + 1 :], ("dictionary",))
        if owner is not None:
            yield reading.make(owner, "missing")
            return
    hit = reading.place(at, every)
    if hit is not None:
        yield reading.make(hit[0], "missing", sure=hit[1])


def _outside(reading: Reading, at: int) -> Iterator[Constraint]:
    """ "A material that isn't in the price list": an unknown key, or one taken out of its dictionary."""
    owner = reading.named(reading.clause.tokens[at + 1 :], ("dictionary",))
    if owner is not None:
        yield reading.make(owner, "missing")
        return
    among = [t.place for t in reading.terrain.tests if t.relation == "in" and t.other is not None]
    box = reading.named(reading.clause.tokens[at + 1 :], ("list", "tuple", "set"))
    among += [
        p for p in reading.terrain.places if p.path == (ITEM,) and box is not None and p.parameter != box.parameter
    ]
    among = [p for p in among if box is None or p.parameter != box.parameter]
    hit = reading.place(at, ("text", "number"), among=among) if among else None
    if hit is not None:
        yield reading.make(hit[0], "unknown", sure=max(0.4, hit[1]))
        return
    yield from _unknown(reading, at, "unknown")


def _unknown(reading: Reading, at: int, word: str) -> Iterator[Constraint]:
    tested = [
        t.place
        for t in reading.terrain.tests
        if t.relation in ("==", "!=", "in") and t.place.kind in ("text", "number")
    ]
    among = list(dict.fromkeys(tested))
    if not among:
        return
    loose = word in ("other", "another", "different", "anything", "something", "else", "odd", "strange")
    if loose and not reading.clause.supposed and "than" not in reading.clause.words[at:]:
        return
    hit = reading.place(at, ("text", "number"), among=among)
    if hit is not None:
        yield reading.make(hit[0], "unknown", sure=hit[1])


def flags(reading: Reading) -> Iterator[Constraint]:
    """Yield the flags that a clause says to be set or not."""
    tokens = reading.clause.tokens
    for place in reading.terrain.places:
        if place.kind != "flag":
            continue
        hits = {
            i: (word, sign)
            for i, token in enumerate(tokens)
            if reading.exact.get(token, place) == place
            for word in place.own
            if (sign := _sign(token, word))
        }
        words = {word for word, _ in hits.values()}
        alone = any(reading.counts.get(w, 1) == 1 for w in words)
        if not words or (len(words) < 0.5 * len(place.own) and not alone):
            continue
        said = [t.text for t in tokens[max(hits) + 1 : max(hits) + 5] if t.text in ("true", "false")]
        said += [t.text for t in tokens[-1:] if t.text in ("off", "on") and tokens.index(t) > max(hits)]
        if said:
            holds = said[0] in ("true", "on")
        else:
            without = reading.clause.words[0] in ("without", "no")
            negated = (
                without
                or any(reading.clause.negated(i, 4) for i in hits)
                or any(t.text in ("disabled", "false") for t in tokens)
                or any(t.text in REFUSING for t in tokens[: max(hits)])
                or any(
                    t.text.endswith("n't") or (t.text in AUXILIARY and later.text == "not")
                    for t, later in itertools.pairwise([*tokens[max(hits) + 1 : max(hits) + 4], tokens[-1]])
                )
            )
            holds = (not negated) is (min(sign for _, sign in hits.values()) > 0)
        yield reading.make(place, "equals", holds, sure=len(words) / len(place.own))


def _sign(token: Token, word: str) -> int:
    """Return 1 when a token is a word, -1 when it is its opposite ("soulless", "unsaved"), 0 otherwise."""
    if token.text.endswith("less") and len(word) > 3 and stem(token.text.removesuffix("less"))[:4] == word[:4]:
        return -1
    if word in token.stems:
        return 1
    for prefix in ("un", "non", "in", "dis"):
        rest = token.text.removeprefix(prefix).lstrip("-")
        if rest != token.text and len(rest) > 3 and stem(rest) == word:
            return -1
    return 0
