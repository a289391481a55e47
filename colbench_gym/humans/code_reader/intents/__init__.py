"""Intents: what kind of thing a question wants to know, recognised by a small linear classifier."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, sqrt

from colbench_gym.humans.code_reader.intents.features import features

MAX_REMEMBERED = 1024  # questions: the same ones are asked about many tasks


@dataclass(frozen=True)
class Classifier:
    """A linear classifier.

    Attributes:
        intents: names of the intents.
        bias: one number an intent, in hundredths like the weights.
        weights: by feature, then by the place of an intent, as JSON has them.
        vocabulary: stems that it knows.
    """

    intents: tuple[str, ...]
    bias: tuple[int, ...]
    weights: Mapping[str, Mapping[str, int]]
    vocabulary: frozenset[str]

    def shares(self, tokens: Sequence[str]) -> dict[str, float]:
        """Return how likely each intent is for a question's tokens."""
        used = [row for name in features(tokens, self.vocabulary) if (row := self.weights.get(name)) is not None]
        scores = [0.0] * len(self.intents)
        for row in used:
            for place, value in row.items():
                scores[int(place)] += value
        scale = 1.0 / sqrt(max(len(used), 1))
        powers = [exp((score * scale + bias) / 100) for score, bias in zip(scores, self.bias, strict=True)]
        total = sum(powers)
        return {intent: power / total for intent, power in zip(self.intents, powers, strict=True)}


@lru_cache(maxsize=1)
def classifier() -> Classifier:
    """Return the classifier that ships with the package."""
    data = json.loads(files(__name__).joinpath("weights.json").read_text(encoding="utf-8"))
    vocabulary = frozenset(name for name in data["features"] if " " not in name)
    return Classifier(tuple(data["intents"]), tuple(data["bias"]), data["features"], vocabulary)


@lru_cache(maxsize=MAX_REMEMBERED)
def shares_of(tokens: tuple[str, ...]) -> Mapping[str, float]:
    """Return how likely each intent is for a question's tokens."""
    return classifier().shares(tokens)
