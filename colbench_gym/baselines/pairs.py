"""Pair what is preferred with what is not: whole dialogues of one task, by their scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from colbench_gym.errors import UsageError
from colbench_gym.trajectory import Trajectory

FRONTEND_GAP = 0.1  # released code (evaluate_html.py): least difference in similarity between chosen and rejected
_ROUNDING = 1e-9  # 0.8 - 0.7 is a gap of 0.1


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
    """Pair the dialogues of each task (released code, for both tracks).

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
    scores = {position: _score(trajectories[position]) for position in group}
    return [
        DialoguePair(better, worse)
        for better, worse in permutations(group, 2)
        if scores[better] - scores[worse] >= FRONTEND_GAP - _ROUNDING
    ]


def _score(trajectory: Trajectory) -> float:
    assert trajectory.score is not None
    return trajectory.score


def _said(trajectory: Trajectory) -> tuple[str, ...]:
    turns = trajectory.dialogue.turns
    return tuple(turn.content if turn.output is None else turn.output for turn in turns if turn.seat == "agent")
