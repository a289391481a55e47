"""Constraints that name values: numbers, texts that the reference knows or its inputs hold, quoted ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from colbench_gym.humans.code_reader.lexicon import PLAIN, split_words, stem, stem_list
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.trials.clauses import Token, clauses_of
from colbench_gym.humans.code_reader.trials.fitting import CONTAINERS, LOOSE, Constraint, Reading
from colbench_gym.humans.code_reader.trials.inputs import bases, values_at
from colbench_gym.humans.code_reader.trials.places import ITEM, KEY, VALUE, Place, Terrain
from colbench_gym.humans.code_reader.trials.vocabulary import LESS, MORE, OUTCOME_VERBS

_KINDS: tuple[tuple[type, tuple[str, ...]], ...] = (
    (str, ("text", "")),
    (list, ("list",)),
    (dict, ("dictionary",)),
    (tuple, ("tuple", "list")),
)


def numbers(reading: Reading) -> Iterator[Constraint]:
    """Yield what the numbers of a clause say of places."""
    tokens = reading.clause.tokens
    used: set[Place] = set()
    for at, token in enumerate(tokens):
        number = token.number
        if number is None or token in reading.taken or token.quoted:
            continue
        if _is_range(reading, at) or (at > 1 and tokens[at - 1].text == "as"):
            continue
        if token.text.isalpha() and _of_message(tokens[at + 1 : at + 3]):
            continue
        if token.text.isalpha() and {"neither", "both", "all"} & set(reading.clause.words[max(0, at - 3) : at]):
            continue  # "neither of the two", "all three": that many are spoken of
        things = any(later.text.endswith("s") for later in tokens[at + 1 : at + 2])
        if things and token.text.isalpha() and reading.clause.words[max(0, at - 1) : at] == ("the",):
            continue  # "the three levels"
        hit = _number_place(reading, at, number, used)
        if hit is None:
            continue
        place, sure = hit
        used.add(place)
        relation = _relation_at(tokens, at)
        item = reading.terrain.at(place.parameter, (ITEM,)) if place.kind in CONTAINERS and not place.path else None
        if item is not None and item.kind == "number" and (number < 0 or number != int(number)):
            yield reading.make(item, "equals", number, relation="==", sure=sure, at=at)
            continue
        if place.kind in CONTAINERS or (place.kind == "text" and not place.path):
            yield reading.make(place, "size", number, relation=relation, sure=sure)
            continue
        value: float = number
        if token.percent and _fraction(reading, place):
            value = number / 100
        kind = "equals" if relation == "==" else "compare"
        yield reading.make(place, kind, value, relation=relation, sure=sure, at=at)


_ASKED_FOR = frozenset(["question", "questions", "point", "points", "things", "follow-ups", "clarifications", "ones"])
_FEW = frozenset(["final", "last", "more", "short", "quick", "small", "other"])


def _of_message(following: Sequence[Token]) -> bool:
    """Return whether a number counts the questions of the message: "two final points"."""
    words = {token.text for token in following}
    return bool(words & _ASKED_FOR) and bool(words & (_FEW | {"question", "questions"}))


def _is_range(reading: Reading, at: int) -> bool:
    words = reading.clause.words
    if words[at + 1 : at + 2] in (("to",), ("-",)) and at + 2 < len(words):
        return True
    return "between" in words[max(0, at - 3) : at] or (at > 1 and words[at - 1] == "and" and "between" in words[:at])


def _fraction(reading: Reading, place: Place) -> bool:
    numbers = [v for base in bases(reading.known)[:4] for v in values_at(base, place) if isinstance(v, (int, float))]
    return bool(numbers) and max(abs(v) for v in numbers) <= 1


def _number_place(reading: Reading, at: int, number: float, used: set[Place]) -> tuple[Place, float] | None:
    tested = [t.place for t in reading.terrain.tests if t.value == number and not isinstance(t.value, bool)]
    window = reading.clause.tokens[max(0, at - 4) : at + 4]
    following = frozenset(s for t in reading.clause.tokens[at + 1 : at + 2] for s in t.stems)
    if _counts_many(reading, following):
        return None
    named = [
        (
            reading.fit(p, min(at, 4), window) + (0.3 if p in tested else 0.0) + 0.3 * bool(p.own & following),
            -len(p.path),
            p,
        )
        for p in reading.terrain.places
        if (p not in used and p.kind in ("number", ""))
        or (p.kind in CONTAINERS and not p.path and _counts(reading, at, p))
    ]
    best = max(named, default=None, key=lambda entry: entry[:2])
    if best is not None and best[0] > 0.4:
        return best[2], best[0]
    if len(set(tested)) == 1:
        return tested[0], 0.7
    if reading.clause.tokens[at].text == "hundred":
        return None
    return reading.place(at, ("number",), among=tested or None)


def _counts_many(reading: Reading, following: frozenset[str]) -> bool:
    """Return whether a number only says how many of some arguments there are: "the three scores"."""
    sharing = [p for p in reading.terrain.places if not p.path and p.kind == "number" and p.own & following]
    return len(sharing) > 1 and not any(p.own <= reading.clause.stems for p in sharing)


def _counts(reading: Reading, at: int, place: Place) -> bool:
    """Return whether a number says how many items a container has: "three skills", "a list of 4"."""
    following = reading.clause.tokens[at + 1 : at + 3]
    before = [token.text for token in reading.clause.tokens[max(0, at - 3) : at]]
    if before[-1:] == ["of"] and at > 1 and place.own & set(reading.clause.tokens[at - 2].stems):
        return True
    near = reading.clause.tokens[max(0, at - 2) : at]
    if any(place.own & set(token.stems) for token in near) and {"has", "have", "entries", "items", "only"} & set(
        reading.clause.words
    ):
        return True
    counted = {"entries", "items", "elements", "values"} & {token.text for token in following[:1]}
    return (
        any(place.own & set(token.stems) for token in following)
        or bool(counted)
        or "length" in before
        or "size" in before
    )


def _relation_at(tokens: Sequence[Token], at: int) -> str:
    """Return the relation that the words around a number state."""
    before = [token.text for token in tokens[max(0, at - 4) : at]]
    after = [token.text for token in tokens[at + 1 : at + 4]]
    tail = " ".join(after)
    for start in ("or ", "and ", "years or ", "years and "):
        if tail.startswith(start):
            word = tail.removeprefix(start).split(" ")[0]
            if word in MORE or word in ("up", "upwards"):
                return ">="
            if word in LESS:
                return "<="
    for place in range(len(before) - 1, -1, -1):
        word = before[place]
        negated = place > 0 and before[place - 1] in ("not", "no", "n't", "never")
        if word == "least" or word == "minimum":
            return ">="
        if word in ("most", "maximum") or (word == "to" and place and before[place - 1] == "up"):
            return "<="
        if word in MORE:
            return "<=" if negated else ">"
        if word in LESS:
            return ">=" if negated else "<"
        if word in ("exactly", "precisely", "is", "equals", "equal", "of", "="):
            return "=="
    return "=="


def in_order(question: Question, terrain: Terrain, taken: frozenset[Token]) -> list[Constraint]:
    """Give numbers that stand in a row to the arguments in their order: "scores 10, 10 and 3"."""
    wanted = [p for p in terrain.places if not p.path and not p.optional and not p.local]
    given = [token for clause in clauses_of(question) for token in clause.tokens if token.quoted and token not in taken]
    rows = [list(t.value[0]) for t in given if isinstance(t.value[0], tuple)] + [[t.value[0] for t in given]]
    for row in rows:
        if 1 < len(row) == len(wanted) and all(map(_fits, row, wanted)):
            return [Constraint(p, "equals", v, "==", supposed=True, sure=0.8) for p, v in zip(wanted, row, strict=True)]
    if len(wanted) < 2 or any(p.kind != "number" for p in wanted):
        return []
    for clause in clauses_of(question):
        numbers = [token for token in clause.tokens if token.number is not None and token not in taken]
        if len(numbers) == len(wanted) and "between" not in clause.words:
            if any(p.own & set(clause.stems) - wanted[0].own for p in wanted[1:] if not p.own <= wanted[0].own):
                return []
            return [
                Constraint(place, "equals", token.value[0], "==", supposed=True, sure=0.8)
                for place, token in zip(wanted, numbers, strict=True)
            ]
    return []


def _fits(value: Any, place: Place) -> bool:
    """Return whether a value is of a place's kind; texts are left to the words around them."""
    kinds: dict[str, tuple[type, ...]] = {
        "number": (int, float),
        "list": (list,),
        "tuple": (tuple, list),
        "dictionary": (dict,),
        "flag": (bool,),
    }
    if isinstance(value, bool):
        return place.kind == "flag"
    return isinstance(value, kinds.get(place.kind, ()))


def literals(reading: Reading) -> Iterator[Constraint]:
    """Texts that the code knows: "if an exorcism is done"."""
    found: dict[Place, list[tuple[str, bool, str, float]]] = {}
    for test in reading.terrain.tests:
        if not isinstance(test.value, str) or not test.value.strip():
            continue
        if test.place.kind == "dictionary" and test.relation == "contains":
            continue
        at = _where(reading, test.value)
        if at is None:
            continue
        kind = "contains" if test.relation == "contains" else "equals"
        if _belongs_elsewhere(reading, test.place, at):
            continue
        fit = reading.fit(test.place, at, reading.clause.tokens)
        before = set(reading.clause.words[max(0, at - 4) : at])
        away = {"away", "outside", "besides", "except", "off"} & before or {"other", "than"} <= before
        found.setdefault(test.place, []).append((test.value, bool(away) or reading.clause.negated(at), kind, fit))
    seen = list(_seen(reading))
    for box, texts in _several_items(reading, found, seen).items():
        yield reading.make(box, "equals", texts, sure=1.2)
        found.pop(box, None)
        found = {place: hits for place, hits in found.items() if place.parameter != box.parameter}
        seen = [entry for entry in seen if entry[0] != box]
    for place, text, at in seen:
        if place not in found:
            found[place] = [
                (text, reading.clause.negated(at), "contains" if place.kind in CONTAINERS else "equals", 0.0)
            ]
    for place, hits in found.items():
        values = list(dict.fromkeys(hits))
        longest = max(values, key=lambda hit: (_next_to(reading, place, hit[0]), len(hit[0]), hit[3]))
        others = [hit for hit in values if hit[0] not in longest[0]]
        if others and not reading.clause.supposed:
            continue
        value, negated, kind, fit = longest
        if reading.clause.words[:1] == ("without",) or negated:
            kind = {"equals": "unknown", "contains": "lacks"}[kind]
        held = None if kind == "unknown" else value
        yield reading.make(place, kind, held, sure=1.0 + fit, at=_where(reading, value) or 0)


def _next_to(reading: Reading, place: Place, text: str) -> bool:
    """Return whether a text stands right behind the name of a place."""
    at = _where(reading, text)
    return at is not None and at > 0 and any(s in place.own for s in reading.clause.tokens[at - 1].stems)


def _belongs_elsewhere(reading: Reading, place: Place, at: int) -> bool:
    """Return whether a text stands right behind the name of another place that takes it: "urgency high, impact low"."""
    before = reading.clause.tokens[max(0, at - 1) : at]
    named = {s for token in before for s in token.stems}
    if not named or named & place.own:
        return False
    tests = reading.terrain.tests
    return any(test.place.own & named and test.place != place and isinstance(test.value, str) for test in tests)


def _several_items(
    reading: Reading, found: dict[Place, list[tuple[str, bool, str, float]]], seen: list[tuple[Place, str, int]]
) -> dict[Place, list[str]]:
    """Return lists of which a clause names several items: "walking and running"."""
    made: dict[Place, list[str]] = {}
    if {"or", "which"} & set(reading.clause.words):
        return made
    for box in reading.terrain.places:
        if box.kind not in ("list", "tuple") or box.path:
            continue
        item = reading.terrain.at(box.parameter, (ITEM,))
        hits = [(_where(reading, text) or 0, text) for place, text, _ in seen if place == box]
        named = found.get(item, []) if item is not None else []
        hits += [(_where(reading, hit[0]) or 0, hit[0]) for hit in named if not hit[1]]
        texts = [text for _, text in sorted(set(hits))]
        texts = [text for text in texts if not any(text != other and text in other for other in texts)]
        if len(texts) > 1 and not any(reading.clause.negated(at) for at, _ in hits):
            made[box] = texts
    return made


def _seen(reading: Reading) -> Iterator[tuple[Place, str, int]]:
    """Yield texts of realistic inputs that the clause names, each with the place that it is put into."""
    for place in reading.terrain.places:
        if place.kind != "text" or (place.path and place.path[-1] in (KEY, VALUE)):
            continue
        for text in _texts_at(reading.known, place):
            at = _where(reading, text)
            if (
                at is None
                or (not reading.clause.tokens[at].quoted and text.strip().lower() in OUTCOME_VERBS)
                or not any(len(word) > 3 for word in split_words(text))
                or place.own >= {stem(w) for w in split_words(text)}
            ):
                continue
            owner = reading.terrain.at(place.parameter, place.path[:-1]) if place.path[-1:] == (ITEM,) else None
            yield owner or place, text, at


@lru_cache(maxsize=8192)
def _texts_at(known: Knowledge, place: Place) -> tuple[str, ...]:
    """Return the texts that stand in a place of realistic inputs."""
    texts = {v for base in bases(known) for v in values_at(base, place) if isinstance(v, str) and 3 < len(v) < 40}
    return tuple(sorted(texts))


def _where(reading: Reading, text: str) -> int | None:
    """Return where a text of the code is named in the clause."""
    words = stem_list(text)
    wanted = words if len(words) == 1 else [word for word in words if word not in PLAIN]
    named = reading.clause.stems
    if not wanted or not all(any(said.startswith(word) for said in named) for word in wanted):
        return None
    places = []
    for word in wanted:
        hit = next(
            (
                i
                for i, token in enumerate(reading.clause.tokens)
                if (word in token.stems or (len(word) > 4 and word in {s[: len(word)] for s in token.stems}))
                and token not in reading.taken
                and i not in reading.names
                and not (token.quoted and token.value != (text,))
                and not token.text.endswith("_")
            ),
            None,
        )
        if hit is None:
            return None
        places.append(hit)
    return places[0]


def quoted(reading: Reading) -> Iterator[Constraint]:
    """Yield the quoted texts and written-out lists of a clause."""
    used: set[Place] = set()
    for at, token in enumerate(reading.clause.tokens):
        if not token.quoted or token in reading.taken or not token.value:
            continue
        value = token.value[0]
        kinds = next((kinds for known, kinds in _KINDS if isinstance(value, known)), None)
        before = reading.clause.words[at - 1] if at else ""
        if any(p.path and p.path[-1] == value for p in reading.terrain.places if isinstance(value, str)):
            continue
        if kinds is None or value == "" or (before in ("like", "as", "eg", "ie") and "or" in reading.clause.words[at:]):
            continue
        left = [p for p in reading.terrain.places if p not in used]
        hit = reading.place(at, kinds, among=left)
        items = [p for p in left if p.kind == "text" and p.path == (ITEM,)]
        if (hit is None or hit[1] <= LOOSE) and isinstance(value, str):
            looked_up = [p for p in left if any(isinstance(v, str) for v in reading.terrain.literals(p))]
            for choice in (items if used else [], looked_up):
                if len(choice) == 1:
                    hit = choice[0], 0.35
                    break
        if hit is None:
            continue
        used.add(hit[0])
        literals = reading.terrain.literals(hit[0])
        kind = "lacks" if reading.clause.negated(at, 2) else "equals"
        if kind == "equals" and isinstance(value, str) and literals and value not in literals:
            kind = "unknown"
        yield reading.make(hit[0], kind, value, sure=hit[1], at=at)
