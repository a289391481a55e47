"""Pair what is preferred with what is not: whole dialogues by their scores, turns by a critic's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.trajectory import Trajectory

FRONTEND_GAP = 0.1  # released code (evaluate_html.py): least difference in similarity between chosen and rejected
PAIRS_PER_TURN = 4  # released code (its README)
_ROUNDING = 1e-9  # 0.8 - 0.7 is a gap of 0.1

TurnRule = Literal["halves", "extremes"]
TURN_RULES: tuple[TurnRule, TurnRule] = ("halves", "extremes")


@dataclass(frozen=True)
class DialoguePair:
    """Positions of two dialogues of one task in the list they came from."""

    chosen: int
    rejected: int


@dataclass(frozen=True)
class DialoguePairs:
    """Pairs of dialogues, and what became of the rest.

    Attributes:
        pairs: in the order of the tasks' first appearance.
        tasks: how many tasks the dialogues belong to.
        dialogues: how many dialogues came in.
        ungraded: without a score; left out.
        tasks_without_pair: tasks that gave no pair.
        identical: pairs whose agents said the same; dropped.
    """

    pairs: tuple[DialoguePair, ...]
    tasks: int
    dialogues: int
    ungraded: int
    tasks_without_pair: int
    identical: int

    def summary(self) -> dict[str, int]:
        """Return the counts, for printing and for the run's file."""
        names = ("tasks", "dialogues", "ungraded", "tasks_without_pair", "identical")
        return {"pairs": len(self.pairs), **{name: getattr(self, name) for name in names}}


def pair_dialogues(trajectories: Sequence[Trajectory]) -> DialoguePairs:
    """Pair the dialogues of each task (paper, section 5).

    Backend: where one succeeds, the first best one against every one with a lower score. Frontend: all pairs whose
    scores differ by at least ``FRONTEND_GAP``. Dialogues belong to one task when description and reference are equal:
    official rows may carry no id.

    Raises:
        UsageError: no pair at all; the message says why.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for position, trajectory in enumerate(trajectories):
        if trajectory.score is not None:
            groups.setdefault((trajectory.task.description, trajectory.task.reference), []).append(position)
    pairs: list[DialoguePair] = []
    identical = barren = 0
    for group in groups.values():
        rule = _frontend if trajectories[group[0]].rules.track == "frontend" else _backend
        candidates = rule(trajectories, group)
        distinct = [p for p in candidates if _said(trajectories[p.chosen]) != _said(trajectories[p.rejected])]
        identical += len(candidates) - len(distinct)
        barren += not distinct
        pairs += distinct
    graded = sum(map(len, groups.values()))
    result = DialoguePairs(tuple(pairs), len(groups), len(trajectories), len(trajectories) - graded, barren, identical)
    if not pairs:
        raise UsageError(
            f"no pair of dialogues: got {graded} graded dialogues of {len(groups)} tasks ({identical} pairs said "
            "the same); expected at least one task with a success and a dialogue that scored lower (frontend: a gap "
            f"of {FRONTEND_GAP}). Collect several dialogues a task: colbench eval … --repeats 3, with a temperature"
        )
    return result


def _backend(trajectories: Sequence[Trajectory], group: Sequence[int]) -> list[DialoguePair]:
    best = max(group, key=lambda position: _score(trajectories[position]))  # the first of the best
    if not trajectories[best].success:
        return []
    top = _score(trajectories[best])
    return [DialoguePair(best, position) for position in group if _score(trajectories[position]) < top]


def _frontend(trajectories: Sequence[Trajectory], group: Sequence[int]) -> list[DialoguePair]:
    pairs = []
    for first in group:
        for second in group:
            if _score(trajectories[first]) - _score(trajectories[second]) >= FRONTEND_GAP - _ROUNDING:
                pairs.append(DialoguePair(first, second))
    return pairs


def _score(trajectory: Trajectory) -> float:
    assert trajectory.score is not None
    return trajectory.score


def _said(trajectory: Trajectory) -> tuple[str, ...]:
    turns = trajectory.dialogue.turns
    return tuple(turn.content if turn.output is None else turn.output for turn in turns if turn.seat == "agent")


@dataclass(frozen=True)
class TurnPair:
    """Positions of two candidates of one turn, and by how much the first scored higher."""

    chosen: int
    rejected: int
    margin: float


@dataclass(frozen=True)
class TurnPairs:
    """Pairs of candidates, by turn, and how many were dropped because both said the same."""

    by_turn: Mapping[tuple[int, int], tuple[TurnPair, ...]]
    identical: int

    def summary(self) -> dict[str, int]:
        """Return the counts, for printing and for the run's file."""
        pairs = sum(map(len, self.by_turn.values()))
        barren = sum(not pairs for pairs in self.by_turn.values())
        return {"turns": len(self.by_turn), "pairs": pairs, "turns_without_pair": barren, "identical": self.identical}


def pair_candidates(
    texts: Mapping[tuple[int, int], Sequence[str]],
    scores: Mapping[tuple[int, int], Sequence[float]],
    seed: int,
    rule: TurnRule = "halves",
    pairs_per_turn: int = PAIRS_PER_TURN,
    keep_identical: bool = False,
    distinct: bool = False,
    kind: Callable[[str], str] | None = None,
) -> TurnPairs:
    """Pair the scored candidates of each turn (paper, section 4).

    Args:
        texts: the candidates of each turn, by (dialogue, turn).
        scores: their scores.
        seed: each turn draws from a stream of its own, so that a turn's pairs do not depend on the other turns.
        rule: ``halves``: a random one of the top half against a random one of the bottom half; of an odd number the
            middle one is left out. ``extremes``: the best against the worst, once.
        pairs_per_turn: how many pairs ``halves`` draws.
        keep_identical: keep pairs whose texts are equal, as the released code does.
        distinct: rank each text once, with the first of its scores.
        kind: of a text; texts of different kinds are not paired, and each kind is ranked for itself.

    Raises:
        UsageError: no pair at all.
    """
    if rule not in TURN_RULES:
        raise UnknownNameError.among("turn pairing rule", rule, TURN_RULES)
    by_turn: dict[tuple[int, int], tuple[TurnPair, ...]] = {}
    identical = 0
    for key, said in texts.items():
        rng = np.random.default_rng([seed, *key])
        ranked = [at for at, text in enumerate(said) if not distinct or text not in said[:at]]
        kinds = [kind(said[at]) if kind else "" for at in ranked]
        groups = [[at for at, of in zip(ranked, kinds, strict=True) if of == one] for one in sorted(set(kinds))]
        paired = [group for group in groups if len(group) > 1]
        shares = [pairs_per_turn // len(paired) + (at < pairs_per_turn % len(paired)) for at in range(len(paired))]
        drawn = [p for group, n in zip(paired, shares, strict=True) for p in _drawn(group, scores[key], rng, rule, n)]
        kept = tuple(p for p in drawn if keep_identical or said[p.chosen] != said[p.rejected])
        identical += len(drawn) - len(kept)
        by_turn[key] = kept
    if not any(by_turn.values()):
        raise UsageError(
            f"no pair of turns: all of the {identical} pairs drawn at {len(texts)} turns say the same; sample with a "
            "higher temperature or more candidates"
        )
    return TurnPairs(by_turn, identical)


def _drawn(
    group: Sequence[int], scores: Sequence[float], rng: np.random.Generator, rule: TurnRule, pairs: int
) -> list[TurnPair]:
    order = sorted(group, key=lambda i: -scores[i])  # stable: equal scores keep their order
    half = len(order) // 2
    if rule == "extremes":
        picks = [(order[0], order[-1])]
    else:
        top, bottom = order[:half], order[len(order) - half :]
        picks = [(top[int(rng.integers(half))], bottom[int(rng.integers(half))]) for _ in range(pairs)]
    return [TurnPair(chosen, rejected, scores[chosen] - scores[rejected]) for chosen, rejected in picks]
