"""Choice of the place in the input that the words of a clause are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from colbench_gym.humans.code_reader.lexicon import close, related
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.trials.clauses import Clause, Token
from colbench_gym.humans.code_reader.trials.places import Place, Terrain

LOOSE = 0.25  # how sure a constraint is whose place no word names
CONTAINERS = ("list", "tuple", "set", "dictionary")
AUXILIARY = frozenset(["is", "are", "was", "were", "does", "do", "did", "has", "have", "had"])
_NO_TOKEN = Token("", ())


@dataclass(frozen=True)
class Constraint:
    """Contents of one place.

    Attributes:
        place: what it is about.
        kind: ``equals``, ``compare`` (with ``relation``), ``relate`` (to ``other``), ``size``, ``contains``, ``lacks``,
            ``empty``, ``none``, ``missing``, ``negative``, ``unknown``, ``duplicate``,
            ``raised``, ``lowered``, ``huge``.
        value: the constant, where there is one.
        relation: one of ``== != < <= > >=``.
        other: another place that it is compared with, or of which it has nothing.
        supposed: it stands where a question supposes something, not where it asks.
        sure: how well the words fit the place.
        at: where in the question it stands.
    """

    place: Place
    kind: str
    value: Any = None  # Any: plain data
    relation: str = ""
    other: Place | None = None
    supposed: bool = False
    sure: float = 1.0
    at: int = 0


def _exact_names(terrain: Terrain, clause: Clause) -> dict[Token, Place]:
    """Return the tokens that are a place's name letter by letter."""
    names: dict[str, Place] = {}
    for place in terrain.places:
        name = place.parameter if not place.path else place.path[-1]
        if "_" in name or any(char.isupper() for char in name):
            names.setdefault(name.lower(), place)
    return {token: names[token.text] for token in clause.tokens if token.text in names}


def _spelled(terrain: Terrain, clause: Clause) -> dict[Token, Place]:
    """Return the tokens that together are the name of a place, "wall bricks", and say nothing of any other."""
    texts = [token.text for token in clause.tokens]
    found: dict[Token, Place] = {}
    for place in sorted(terrain.places, key=lambda place: len(place.own)):
        words = (place.path[-1] if place.path else place.parameter).lower().split("_")
        for start in range(len(texts) - len(words) + 1 if len(words) > 1 else 0):
            if texts[start : start + len(words)] == words and words[0] not in AUXILIARY:
                found.update(dict.fromkeys(clause.tokens[start : start + len(words)], place))
    return found


class Reading:
    """Everything that reading the constraints of one clause needs."""

    def __init__(
        self,
        clause: Clause,
        clauses: Sequence[Clause],
        terrain: Terrain,
        known: Knowledge,
        taken: frozenset[Token],
    ) -> None:
        self.clause, self.clauses, self.terrain, self.known = clause, clauses, terrain, known
        self.taken = taken
        self.offset = 100 * clauses.index(clause)
        self.exact = _spelled(terrain, clause) | _exact_names(terrain, clause)
        self.names = frozenset(i for i, token in enumerate(clause.tokens) if token in self.exact)
        self.counts: dict[str, int] = {}
        for place in terrain.places:
            for word in place.own:
                self.counts[word] = self.counts.get(word, 0) + 1

    def make(self, place: Place, kind: str, value: Any = None, **more: Any) -> Constraint:
        """Return a constraint of this clause."""
        hits = [i for i, token in enumerate(self.clause.tokens) if place.own & set(token.stems)]
        at = more.pop("at", min(hits, default=0))
        return Constraint(place, kind, value, supposed=self.clause.supposed, at=at + self.offset, **more)

    def fit(self, place: Place, at: int | None, tokens: Sequence[Token]) -> float:
        """Return how well the words around a token name a place."""
        total = 0.0
        tokens = [token if self.exact.get(token, place) == place else _NO_TOKEN for token in tokens]
        for word in place.own:
            best = 0.0
            near = related([word])
            for position, token in enumerate(tokens):
                hit = 1.0 if word in token.stems else 0.5 if near & set(token.stems) else 0.0
                if not hit and token.stems and len(token.text) > 4 and close(token.stems[-1], [word]):
                    hit = 0.8
                if hit:
                    distance = abs(position - at) if at is not None else 0
                    best = max(best, hit / (1 + 0.12 * distance))
            total += best / max(1, self.counts.get(word, 1)) ** 0.5
        names = [token.text for token in tokens]
        last = place.path[-1] if place.path else place.parameter
        if last.lower() in names and ("_" in last or len(last) < 3):
            total += 2.0
        return total / len(place.own) ** 0.4 if total else 0.0

    def place(
        self, at: int | None, kinds: Sequence[str], among: Sequence[Place] | None = None, alone_too: bool = True
    ) -> tuple[Place, float] | None:
        """Return the place of some kinds that the words around a token name best."""
        fitting = [p for p in (among if among is not None else self.terrain.places) if p.kind in kinds]
        if not fitting:
            return None
        scored = [(self.fit(p, at, self.clause.tokens), -len(p.path), p) for p in fitting]
        best = max(scored, key=lambda entry: entry[:2])
        if best[0] > 0.25:
            return best[2], best[0]
        everything = [token for clause in self.clauses for token in clause.tokens]
        scored = [(0.6 * self.fit(p, None, everything), -len(p.path), p) for p in fitting]
        best = max(scored, key=lambda entry: entry[:2])
        if best[0] > 0.25:
            return best[2], best[0]
        whole = [p for p in fitting if not p.path] or fitting
        return (whole[0], 0.2) if alone_too and len(whole) == 1 else None

    def named(self, tokens: Sequence[Token], kinds: Sequence[str], but: Place | None = None) -> Place | None:
        """Return the place that some words name, another than ``but``."""
        fitting = [p for p in self.terrain.places if p.kind in kinds and p != but]
        scored = [(self.fit(p, None, tokens), -len(p.path), p) for p in fitting]
        best = max(scored, default=None, key=lambda entry: entry[:2])
        return best[2] if best is not None and best[0] > 0.3 else None
