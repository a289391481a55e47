"""Train the classifier of intents from `phrases.txt` and write its weights.

    python -m colbench_gym.humans.code_reader.intents.train [--check]

Multinomial logistic regression on sparse features, full-batch gradient descent with momentum: no randomness.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from colbench_gym.humans.code_reader.intents.features import features

PHRASES = Path(__file__).with_name("phrases.txt")
WEIGHTS = Path(__file__).with_name("weights.json")
MAX_EXPANSIONS = 12  # of one pattern
STEPS, RATE, MOMENTUM, DECAY = 200, 40.0, 0.9, 2e-5
MIN_COUNT = 2  # patterns that must have a feature
SCALE = 100  # weights are whole hundredths
_PART = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]|([^()\[\]]+)")

Pattern = tuple[str, list[str]]  # intent, phrases


def expanded(pattern: str) -> list[str]:
    """Return phrases of a pattern, spread evenly over all that it stands for."""
    parts: list[list[str]] = []
    for choice, optional, plain in _PART.findall(pattern):
        parts.append(choice.split("|") if choice else ["", *optional.split("|")] if optional else [plain])
    total = 1
    for part in parts:
        total *= len(part)
    step = max(1, total // MAX_EXPANSIONS)
    step += step % 2 == 0 and step > 1  # an odd step reaches both choices of a pair
    chosen = itertools.islice(itertools.product(*parts), 0, None, step)
    return list(dict.fromkeys(" ".join("".join(words).split()) for words in chosen))


def patterns() -> Iterator[Pattern]:
    """Yield every pattern of the phrases, expanded."""
    intent = ""
    for line in PHRASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            intent = line[3:]
        elif line.strip() and not line.startswith("#"):
            yield intent, expanded(line.strip())


def fit(data: Sequence[Pattern]) -> tuple[list[str], list[str], NDArray[np.float64]]:
    """Return intents, features and weights, one row a feature and a last one for the bias."""
    intents = sorted({intent for intent, _ in data})
    counts: Counter[str] = Counter()
    rows: list[tuple[int, float, list[str]]] = []
    for intent, phrases in data:
        seen: set[str] = set()
        for phrase in phrases:
            own = features(phrase.split())
            rows.append((intents.index(intent), 1.0 / len(phrases), own))
            seen.update(own)
        counts.update(seen)
    kept = sorted(name for name, count in counts.items() if count >= MIN_COUNT or " " not in name)
    place = {name: number for number, name in enumerate(kept)}
    entries: list[tuple[int, int, float]] = []
    target = np.zeros((len(rows), len(intents)))
    weight = np.zeros((len(rows), 1))
    for number, (intent_number, share, own) in enumerate(rows):
        used = [place[name] for name in own if name in place]
        entries += [(number, feature, 1.0 / np.sqrt(len(used))) for feature in used]
        entries.append((number, len(kept), 1.0))
        target[number, intent_number] = 1.0
        weight[number, 0] = np.sqrt(share)
    weight /= weight.sum()
    lines, columns, values = zip(*entries, strict=True)
    inputs = csr_matrix((values, (lines, columns)), shape=(len(rows), len(kept) + 1))
    weights = np.zeros((len(kept) + 1, len(intents)))
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        scores = inputs @ weights
        scores -= scores.max(axis=1, keepdims=True)
        shares = np.exp(scores)
        shares /= shares.sum(axis=1, keepdims=True)
        gradient = inputs.T @ (weight * (shares - target)) + DECAY * weights
        speed = MOMENTUM * speed - RATE * gradient
        weights += speed
    return intents, kept, weights


def written(intents: Sequence[str], names: Sequence[str], weights: NDArray[np.float64]) -> str:
    """Return the file of weights: for each feature its hundredths by place of the intent, small ones left out."""
    whole = np.rint(weights * SCALE).astype(int)
    sparse = {
        name: {str(place): int(value) for place, value in enumerate(row) if abs(value) >= 8}
        for name, row in zip(names, whole[:-1], strict=True)
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row, separators=(',', ':'))}" for name, row in sparse.items())
    return f'{{"intents": {json.dumps(list(intents))},\n"bias": {whole[-1].tolist()},\n"features": {{\n{lines}\n}}}}\n'


def cross_validated(folds: int = 5) -> tuple[float, Counter[tuple[str, str]]]:
    """Return the share of held-out patterns that are recognised, and what is mixed up."""
    data = list(patterns())
    right, total, mixed = 0.0, 0.0, Counter[tuple[str, str]]()
    for fold in range(folds):
        intents, names, weights = fit([pattern for number, pattern in enumerate(data) if number % folds != fold])
        place = {name: number for number, name in enumerate(names)}
        vocabulary = {name for name in names if " " not in name}
        for intent, phrases in data[fold::folds]:
            for phrase in phrases:
                used = [place[name] for name in features(phrase.split(), vocabulary) if name in place]
                scores = weights[used].sum(axis=0) / np.sqrt(max(len(used), 1)) + weights[-1]
                guess = intents[int(scores.argmax())]
                right += (guess == intent) / len(phrases)
                total += 1 / len(phrases)
                mixed[(intent, guess)] += int(guess != intent)
    return right / total, mixed


def main() -> None:
    """Train and write the weights, or show how well held-out phrases are recognised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="cross-validate instead of writing")
    if parser.parse_args().check:
        share, mixed = cross_validated()
        print(f"held-out patterns recognised: {share:.3f}")  # noqa: T201
        print(mixed.most_common(30))  # noqa: T201
        return
    WEIGHTS.write_text(written(*fit(list(patterns()))), encoding="utf-8")


if __name__ == "__main__":
    main()
