"""Guesses about a generated task: open matters, and the success of a memorising agent. No measurement.

The classifier decides whether the program has a matter, for each that anybody would ask for (a tie, rounding, what is
empty) and that the request neither states nor points at: what it points at is open, as it says. It is told the shape
and the end of the program in both cases, as both stand in the request in words. What it sees besides is either the bag
of words of the request, or the reference with the request: there the names that the request gives to parameters, keys
and kinds are replaced by their roles, numbers by whether they stand in the request; up to four neighbouring tokens are
a feature, and so is how many alternatives of the matter have all their numbers and texts in the reference. Tokens alone
would be the names of ninety-eight domains, of which a sample has seen each a few times only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from statistics import mean
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from task_statistics import SIGNATURE

from colbench_gym.tasks.generated_backend.drafts import Draft, habit
from colbench_gym.tasks.generated_backend.matters import Matter

EPOCHS, RATE, SHRINKING = 6, 0.03, 0.001  # of the classifier; each step takes so much off the weights it moves
BITS = 22  # features are hashed to so many
MIN_COUNT = 8  # examples that must have a feature; others are names of a domain or two
NEIGHBOURS = 4  # tokens that make one feature
_PLAIN = frozenset(("0", "1", "2", "100", "1000"))  # numbers that say how something is done, not where a limit is
_VALUE = re.compile(r"'[^']*'|\d+(?:\.\d+)?")
_TOKEN = re.compile(r"\d+(?:\.\d+)?|[^\W\d]\w*|[<>=!]=|//|\*\*|[^\w\s]")

Features = NDArray[np.int64]
Example = tuple[Features, bool]
Seen = Callable[[Draft], list[str]]
Values = Callable[[Draft, Matter], list[str]]
Group = Callable[[Draft, Matter], Hashable]
Score = Callable[[Draft, Matter], float]


def words_of_request(member: Draft) -> list[str]:
    """Return the bag of words of a request."""
    return sorted(set(re.findall("[a-z]+", member.description.rpartition(SIGNATURE)[0].lower())))


def roles_of_names(member: Draft) -> dict[str, str]:
    """Return what the public words of a domain and the parameters of a task stand for."""
    domain, plan = member.plan.domain, member.plan
    roles = {measure.name: f"measure{place}" for place, measure in enumerate(domain.measures)}
    roles |= {domain.kind: "kind", **{name: f"flag{place}" for place, (name, _) in enumerate(domain.flags)}}
    texts = {"kindvalue": domain.kinds, "namevalue": domain.names, "label": domain.verdicts, "item": (domain.item,)}
    roles |= {word: role for role, values in texts.items() for value in values for word in value.split()}
    return roles | {name: f"parameter {key}" for key, name in plan.names.items()}


def tokens_of_reference(member: Draft) -> list[str]:
    """Return short runs of tokens of a reference, its public names replaced by their roles."""
    roles = roles_of_names(member)
    stated = set(_TOKEN.findall(member.description.rpartition(SIGNATURE)[0]))
    body = member.reference.partition("\n")[2]
    tokens = [
        ("said number" if token in stated else "number")
        if token[0].isdigit() and token not in _PLAIN
        else roles.get(token, token)
        for token in _TOKEN.findall(body)
    ]
    runs = {" ".join(tokens[at : at + n]) for n in range(1, NEIGHBOURS + 1) for at in range(len(tokens) - n + 1)}
    return sorted(runs)


def values_in_reference(member: Draft, matter: Matter) -> list[str]:
    """Return how many alternatives of a matter have their numbers and texts in the reference, beyond the request."""
    here = Counter(_VALUE.findall(member.reference.partition("\n")[2]))
    values = [_VALUE.findall(option.code) for option in matter.options]
    telling = [set(texts) - {"0", "1"} for texts in values]
    present = sum(bool(texts) and all(here[text] for text in texts) for texts in telling)
    return [f"{present} of {sum(map(bool, telling))} there", f"{bool(present)} {matter.kind}"]


def examples(members: Iterable[Draft], seen: Seen, values: Values) -> list[Example]:
    """Return features and whether it is open, for each matter that the request says nothing of."""
    found = []
    for member in members:
        hashed = np.array([crc32(text.encode()) for text in seen(member)], dtype=np.int64)
        is_open = {matter.key for matter in member.open}
        for matter in silent(member):
            plan = member.plan
            names = (f"{plan.shape} {matter.key}", f"{plan.shape} {plan.operators.get('end')} {matter.key}")
            parts = [hashed * 2654435761 + crc32(name.encode()) for name in names]
            more = ["alone", *values(member, matter)]
            alone = np.array([crc32(f"{name} {text}".encode()) for name in names for text in more], dtype=np.int64)
            found.append((np.concatenate([*parts, alone]) % (1 << BITS), matter.key in is_open))
    return found


def silent(member: Draft) -> list[Matter]:
    """Return the matters that a request says nothing of, though any of them may be open."""
    spoken = member.stated | member.pointed
    return [m for m in member.matters if m.asked and not m.core and m.key not in spoken and m.arises(member.settings)]


def accuracy(train: Sequence[Example], test: Sequence[Example]) -> float:
    """Return the share of matters that a logistic regression gets right (AdaGrad with an L1 penalty)."""
    counts = np.zeros(1 << BITS, dtype=np.int64)
    for features, _ in train:
        counts[np.unique(features)] += 1
    known, unknown = (
        [(np.unique(features[counts[features] >= MIN_COUNT]), is_open) for features, is_open in rows]
        for rows in (train, test)
    )
    weights, squares = np.zeros(1 << BITS), np.full(1 << BITS, 1e-6)
    for _ in range(EPOCHS):
        for features, is_open in known:
            slope = is_open - 1 / (1 + np.exp(-np.clip(weights[features].sum(), -30, 30)))
            squares[features] += slope * slope
            moved = weights[features] + RATE * slope / np.sqrt(squares[features])
            weights[features] = np.sign(moved) * np.maximum(np.abs(moved) - SHRINKING, 0)
    return mean(bool(weights[features].sum() > 0) == is_open for features, is_open in unknown)


def nearest_in(train: Sequence[Draft]) -> Callable[[Draft], set[str]]:
    """Return a function of a task that gives what the train task with the most similar request left open."""
    known = [(set(words_of_request(member)), {matter.key for matter in member.open}) for member in train]

    @lru_cache(maxsize=1)
    def left_open(words: frozenset[str]) -> set[str]:
        return max(known, key=lambda pair: len(words & pair[0]) / len(words | pair[0]))[1]

    return lambda member: left_open(frozenset(words_of_request(member)))


def memorised(train: Sequence[Draft], test: Sequence[Draft]) -> float:
    """Return the share won by asking what the train task with the most similar request left open.

    The agent is told the truth and makes no mistake in writing; what it does not ask, it leaves out.
    """
    left_open = nearest_in(train)
    return mean({matter.key for matter in member.open} <= left_open(member) for member in test)


WAYS: tuple[tuple[str, Seen, Values], ...] = (
    ("the words of the request", words_of_request, lambda *_: []),  # what is not stated has no values there
    ("the reference", tokens_of_reference, values_in_reference),
)


def guessed(
    train: Sequence[Draft], test: Sequence[Draft], ways: Sequence[tuple[str, Seen, Values]] = WAYS
) -> list[str]:
    """Return in sentences how well one can guess what is open."""
    base = mean(matter in member.open for member in test for matter in silent(member))
    lines = [f"Which of the matters that the request says nothing of are open? Chance is {max(base, 1 - base):.1%}."]
    for name, seen, values in ways:
        share = accuracy(examples(train, seen, values), examples(test, seen, values))
        known = f"({len(train)} learnt)"
        lines.append(f"A logistic regression that sees {name} is right in {share:.1%} of the cases {known}.")
    return lines


def guesses(train: Sequence[Draft], test: Sequence[Draft], test_domains: Sequence[Draft]) -> list[str]:
    """Return in sentences what can be guessed."""
    lines = guessed(train, test)
    for split, members in (("test", test), ("test_domains", test_domains)):
        share = memorised(train, members)
        lines.append(f"Asking what the most similar of {len(train)} train tasks left open wins {share:.1%} of {split}.")
    return lines


def shares_open(members: Sequence[Draft], group: Group) -> Score:
    """Return how often matters of a group are open that the request says nothing of."""
    counts: dict[Hashable, list[int]] = {}
    for member in members:
        for matter in unsaid(member):
            counts.setdefault(group(member, matter), [1, 1])[matter.key in member.settings] += 1
    shares = {of: is_open / (closed + is_open) for of, (closed, is_open) in counts.items()}
    return lambda member, matter: shares.get(group(member, matter), 0.5)


def unsaid(member: Draft) -> list[Matter]:
    """Return the matters among which somebody chooses whom the request points at nothing."""
    return [matter for matter in member.matters if matter.key not in member.stated and not matter.told]


def solved(member: Draft, score: Score, number: int) -> bool:
    """Return whether all that is open is among so many matters that score highest."""
    ranked = sorted(unsaid(member), key=lambda matter: -score(member, matter))
    return {matter.key for matter in member.open} <= {matter.key for matter in ranked[:number]}


def habits(train: Sequence[Draft], test: Sequence[Draft], test_domains: Sequence[Draft], number: int) -> list[str]:
    """Return how many tasks with habits are won by so many questions, each told the truth, by who asks, as a table."""
    left_open = nearest_in(train)
    general = shares_open(train, lambda _, matter: matter.kind)
    scores: dict[str, Callable[[Sequence[Draft]], Score]] = {
        "random order": lambda _: lambda member, matter: crc32(f"{member.description} {matter.key}".encode()),
        "general order": lambda _: general,
        "best constant order": lambda played: shares_open(played, lambda _, matter: matter.kind),
        "what the most similar task of train left open": lambda _: (
            lambda member, matter: (matter.key in left_open(member)) + general(member, matter)
        ),
        "how often a kind is open in a trade of train": lambda _: shares_open(
            train, lambda member, matter: (member.plan.domain.key, matter.kind)
        ),
        "public ceiling": lambda _: shares_open(
            train, lambda member, matter: (habit(member.plan.domain.key, matter.kind), matter.kind)
        ),
    }
    lines = [f"| {number} questions, {len(train)} tasks of train known | test | test_domains |", "|---|---|---|"]
    for name, score in scores.items():
        won = [
            mean(solved(m, score_of, number) for m in played)
            for played, score_of in ((members, score(members)) for members in (test, test_domains))
        ]
        lines.append(f"| {name} | {' | '.join(f'{share:.1%}' for share in won)} |")
    return lines
