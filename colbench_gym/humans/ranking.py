"""Rank the facts of a task for a question: one linear score, whose weights are data learned from labelled questions."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import fsum, log
from pathlib import Path

from colbench_gym.humans.asking import PATTERNS, WORLD, Question
from colbench_gym.humans.asking.lexicon import PLAIN, related, stem_list, stems
from colbench_gym.humans.facts import NO_PREFERENCE, Fact
from colbench_gym.rules import Track

_LENGTH = 0.35  # how much a word counts less in a longer fact, 0 to 1 (b of BM25, over the task's own facts)

Features = dict[str, float]


class FactIndex:
    """Facts of one task with the words, names, literals and kinds by which questions find them."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        decided = {fact.kind for fact in facts if fact.source == "author" and fact.text != NO_PREFERENCE} & _TOLD_ONCE
        self.facts = tuple(fact for fact in facts if fact.source != "code" or fact.kind not in decided)
        self.sorts = [(fact.kind, fact.source, fact.absent) for fact in self.facts]
        self.about = [stems(fact.about) - PLAIN for fact in self.facts]
        texts = [stems([fact.text]) - PLAIN for fact in self.facts]
        self.contents = [text | Question(fact.text).literals for fact, text in zip(self.facts, texts, strict=True)]
        lengths = [len(text) + 1 for text in texts]
        mean = sum(lengths) / max(len(lengths), 1)
        count = Counter(word for own, text in zip(self.about, texts, strict=True) for word in own | text)
        total = len(self.facts) + 1
        self.rarity = {word: log(1 + (total - n + 0.5) / (n + 0.5)) for word, n in count.items()}
        self.unknown = log(1 + total / 0.5)  # rarity of a word that no fact has
        self._words: dict[str, list[tuple[int, str, float]]] = defaultdict(list)
        self._names: dict[str, list[int]] = defaultdict(list)
        self._literals: dict[str, list[int]] = defaultdict(list)
        self.authored = any(fact.source == "author" for fact in self.facts)
        named = [(n, fact) for n, fact in enumerate(self.facts) if fact.source in ("author", "page")]
        clauses: dict[str, list[int]] = defaultdict(list)
        for n, name in ((n, name) for n, fact in named for name in fact.about if " " in name):
            clauses[name].append(n)
        self._phrases = [(n, stems([name]) - _FRAME) for name, places in clauses.items() for n in places]
        groups = ((name, places) for name, places in clauses.items() if self.authored and len(places) > 1)
        self._hints = [(stems([name]) - PLAIN or stems([name]) - _FRAME, places) for name, places in groups]
        spread = Counter(word for _, phrase in self._phrases for word in phrase)
        self._spread = {word: log(1 + len(self._phrases) / n) for word, n in spread.items()}
        for place, (fact, own, text) in enumerate(zip(self.facts, self.about, texts, strict=True)):
            share = 1 / (1 - _LENGTH + _LENGTH * lengths[place] / mean)
            for word in own:
                self._words[word].append((place, "about", 1.0 if len(own) < _MANY else share))
            for word in text - own:
                self._words[word].append((place, "text", share))
            for name in fact.about:
                if "_" in name or name.lower() != name:
                    self._names[" ".join(stem_list(name))].append(place)
            for literal in Question(fact.text).literals:
                self._literals[literal].append(place)

    def hinted_at(self, question: Question) -> list[Fact]:
        """Return the facts that share a phrase most of whose words a question has: what a clause hints at."""
        heard = frozenset(question.stem_list)
        meant = (places for words, places in self._hints if 2 * len(words & heard) > len(words))
        return [self.facts[place] for place in next(meant, ())]

    def features(self, question: Question) -> list[Features]:
        """Return, for each fact, the features of the score for a question, as weights are learned from them."""
        asked, form = tuple(question.kinds.items()), _form(question)
        words = question.stem_list if question.track == "backend" else ()
        return [
            own | of_kind(*sort, asked, form) | {f"{word} >> {sort[0]}": 1.0 for word in words}
            for own, sort in zip(self.own_features(question), self.sorts, strict=True)
        ]

    def own_features(self, question: Question) -> list[Features]:
        """Return, for each fact, the features that facts of its kind need not share; those that are 0 are left out."""
        found: list[Features] = [{} for _ in self.facts]
        words = question.stems
        weights = {word: self.rarity.get(word, self.unknown) for word in sorted(words)}
        whole = sum(weights.values()) or 1.0
        for word in sorted(words):
            share = weights[word] / whole
            for place, where, part in self._words.get(word, ()):
                own = found[place]
                own[where] = own.get(where, 0.0) + share * part
                own["hits"] = own.get("hits", 0.0) + weights[word] * part / 5
        for word in sorted(question.near - words):
            share = self.rarity.get(word, 0.0) / whole
            for place, _, part in self._words.get(word, ()):
                found[place]["near"] = found[place].get("near", 0.0) + share * part
        heard = frozenset(question.stem_list)
        for place, phrase in self._phrases:
            if shared := phrase & heard:
                part = fsum(self._spread[word] for word in shared) / fsum(self._spread[word] for word in phrase)
                found[place]["phrase"] = max(found[place].get("phrase", 0.0), part)
        for word in sorted(question.carried):
            for place, _, part in self._words.get(word, ()):
                found[place]["carried"] = found[place].get("carried", 0.0) + self.rarity[word] * part / 5
        for name in question.names:
            for place in self._names.get(name, ()):
                found[place]["name"] = 1.0
        for literal in question.literals:
            for place in self._literals.get(literal, ()):
                found[place]["literal"] = found[place].get("literal", 0.0) + 1.0
        strength = sum(question.kinds.values()) or 1.0
        for own, fact in zip(found, self.facts, strict=True):
            if fact.kind in question.kinds and ("about" in own or "near" in own):
                near = own.get("about", 0.0) + own.get("near", 0.0)
                own["kind about"] = question.kinds[fact.kind] / strength * min(near, 1.0)
            own["weight"] = fact.weight
            if fact.kind == OPEN:
                own |= {f"{OPEN} {name}": share for name, share in self._strange(question, weights, whole).items()}
            if fact.source == "author":
                own |= {f"{name} author": own[name] for name in ("about", "text", "near", "hits") if name in own}
        return found

    def _strange(self, question: Question, weights: Mapping[str, float], whole: float) -> Features:
        """Return how much of a question no fact speaks of, as it stands and in other words."""
        known = self.rarity.keys()
        own = [word for word in weights if word not in known]
        apart = [word for word in own if known.isdisjoint(related([word]))]
        offered = PATTERNS["offered"].search(question.lower)
        choice = stems(filter(None, offered.groups())) if offered else frozenset()
        outside = {name: float(PATTERNS[name].search(question.lower) is not None) for name in WORLD}
        strange = sum(weights[word] for word in own) / whole
        strangers = float(bool(choice) and known.isdisjoint(choice))
        return {
            **outside,
            **{f"unknown {name}": strange * there for name, there in outside.items()},
            "unknown": strange,
            "apart": sum(weights[word] for word in apart) / whole,
            "choice": strangers,
            "unit choice": outside["units"] * strangers,
        }


OPEN = "open"  # kind of the fact that something is decided nowhere


def of_kind(kind: str, source: str, absent: bool, asked: tuple[tuple[str, float], ...], form: str) -> Features:
    """Return the features that all facts of one kind and source share, absent ones apart.

    The question has ``asked`` kinds of matter, each with its cues, and a form: "polar", "either" or "open".
    """
    kinds = dict(asked)
    strength = sum(kinds.values()) or 1.0
    found = {f"{other} > {kind}": cue / strength for other, cue in kinds.items()}
    found |= {f"fact {kind}": 1.0, f"source {source}": 1.0}
    if (cue := kinds.get(kind)) is not None:
        found |= {"kind": cue / strength, "cue": min(cue, 2.0), f"kind {source}": cue / strength}
    else:
        found[f"no cue {kind}"] = 1.0
    return found | {f"absent {form}": 1.0, f"{kind} {form}": 1.0} if absent else found


def _form(question: Question) -> str:
    return "polar" if question.polar else "either" if question.either else "open"


NOT_FOUND = -100.0  # score of a fact that shares nothing with a question
_FOUND = frozenset(("about", "text", "near", "name", "literal", "phrase", "carried"))
_GUESSED = ("author", "code")  # told where nothing fits better; other facts only where a question shares something
_FRAME = stems(
    ["a an the of to is are be do does in on for and or it its that this these what which i you we as at by"]
)
_TOLD_ONCE = frozenset(("ties", "rounding", "letter case", "blanks"))  # not from the code where its author decided
_MANY = 8  # words that a fact is about, from which each of them counts less


class Ranker:
    """Linear score of facts for questions; features without a weight count nothing."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._words: dict[str, list[tuple[str, float]]] = defaultdict(list)  # of each word: kinds with their weights
        for word, arrow, kind in (name.partition(" >> ") for name in weights):
            if arrow:
                self._words[word].append((kind, weights[f"{word}{arrow}{kind}"]))
        self._of_kind = lru_cache(maxsize=16_384)(lambda *group: self._sum(of_kind(*group)))

    def scores(self, index: FactIndex, question: Question) -> list[tuple[float, bool]]:
        """Return the score of each fact for a question, and whether they share anything."""
        asked, form = tuple(question.kinds.items()), _form(question)
        by_words: dict[str, float] = defaultdict(float)
        for word in dict.fromkeys(question.stem_list) if question.track == "backend" else ():
            for kind, weight in self._words.get(word, ()):
                by_words[kind] += weight
        of_sort = {sort: self._of_kind(*sort, asked, form) + by_words.get(sort[0], 0.0) for sort in {*index.sorts}}
        found = []
        for own, fact, sort in zip(index.own_features(question), index.facts, index.sorts, strict=True):
            shares = fact.kind in question.kinds or not _FOUND.isdisjoint(own)
            guess = fact.kind == OPEN or (fact.source in _GUESSED and not fact.absent)
            found.append((of_sort[sort] + self._sum(own) if shares or guess else NOT_FOUND, shares))
        return found

    def _sum(self, features: Features) -> float:
        weights = self._weights
        return sum([value * weights[name] for name, value in features.items() if name in weights])


@lru_cache(maxsize=4)
def ranker(track: Track) -> Ranker:
    """Return the ranker of a track with the weights that ship with the package."""
    rows = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return Ranker(rows[track])
