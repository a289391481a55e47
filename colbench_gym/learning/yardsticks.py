"""Players beside the learners: random, orders, those who know what is hidden; none of them learns from dialogues."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from colbench_gym.learning.dialogues import Chooser
from colbench_gym.learning.policy import Floats, Menu, Tasks, Turns
from colbench_gym.tasks.generated_backend.drafts import habit

FOLLOWED = float(np.log(0.8 / 0.2))  # log-odds of a habit: it is followed by four matters of five
Scores = Callable[[Turns], Floats]  # of asking each matter  # (turns, places)


def ranked(tasks: Tasks, scores: Scores) -> Chooser:
    """Return a chooser of the matter with the highest score that is not settled; one without is not asked for."""

    def probabilities(turns: Turns) -> Floats:
        rest = (tasks.kind[turns.task] >= 0) & ~turns.done
        score = np.where(rest, scores(turns), -np.inf)
        best = np.isfinite(score) & (score == score.max(axis=1, keepdims=True))
        answer = ~best.any(axis=1, keepdims=True)
        chances: Floats = np.concatenate([best, answer], axis=1).astype(np.float32)
        chances /= chances.sum(axis=1, keepdims=True)
        return chances

    return probabilities


def shares_open(tasks: Tasks, menu: Menu) -> tuple[Floats, Floats]:
    """Return how often a kind of matter is open, and a kind in a trade, by hidden labels; few cases lean on the kind.

    Returns:
        By kind  # (kinds,); by trade and kind  # (trades, kinds).
    """
    there = tasks.kind >= 0
    kinds, is_open = tasks.kind[there], tasks.open[there]
    of = (np.repeat(tasks.trade, there.sum(axis=1)), kinds)
    by_kind = (np.bincount(kinds, is_open, len(menu.kinds)) + 1) / (np.bincount(kinds, minlength=len(menu.kinds)) + 2)
    opened, seen = np.zeros((2, len(menu.trades), len(menu.kinds)))
    np.add.at(opened, of, is_open)
    np.add.at(seen, of, 1)
    return by_kind.astype(np.float32), ((opened + by_kind) / (seen + 1)).astype(np.float32)


def yardsticks(tasks: Tasks, train: Tasks, menu: Menu, general: Floats) -> Mapping[str, Chooser]:
    """Return the players that need no training, by name.

    Args:
        tasks: that they play.
        train: whose hidden labels one of them knows.
        menu: the vocabulary.
        general: weights of the kinds; who knows the secret map knows these too.
    """
    by_kind, _ = shares_open(tasks, menu)
    _, learned = shares_open(train, menu)
    is_habit = np.array([[habit(trade, kind) for kind in menu.kinds] for trade in menu.trades])
    habits = (general + np.where(is_habit, FOLLOWED, -FOLLOWED)).astype(np.float32)

    def of_kind(table: Floats) -> Scores:
        return lambda turns: table[tasks.kind[turns.task]]

    def of_trade(table: Floats) -> Scores:
        return lambda turns: table[tasks.trade[turns.task][:, None], tasks.kind[turns.task]]

    return {
        "no question": ranked(tasks, lambda turns: np.full(turns.done.shape, -np.inf, np.float32)),
        "random order": ranked(tasks, lambda turns: np.zeros(turns.done.shape, np.float32)),
        "general order": ranked(tasks, of_kind(general)),
        "best constant order": ranked(tasks, of_kind(by_kind)),
        "labels of the training tasks": ranked(tasks, of_trade(learned)),
        "the secret map": ranked(tasks, of_trade(habits)),
        "oracle": ranked(tasks, lambda turns: np.where(tasks.open[turns.task], 0.0, -np.inf).astype(np.float32)),
    }
