"""Dialogues with kept humans: many at once, by a policy, to their graded ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from colbench_gym.learning.policy import Flags, Floats, MenuPolicy, Numbers, Tasks, Turns

Chooser = Callable[[Turns], Floats]  # probabilities of all actions  # (turns, places + 1)


@dataclass(frozen=True)
class Played:
    """Dialogues that have ended.

    Attributes:
        turns: choices of all of them; an answer that the budget forces is no choice.
        task: of each dialogue.  # (dialogues,)
        success: whether the answer passed all tests.  # (dialogues,)
        questions: how many were asked.  # (dialogues,)
        useful: how many of these asked for an open matter that was not told yet.  # (dialogues,)
    """

    turns: Turns
    task: Numbers
    success: Flags
    questions: Numbers
    useful: Numbers


def by_policy(policy: MenuPolicy, tasks: Tasks) -> Chooser:
    """Return a chooser that samples from a policy."""

    def probabilities(turns: Turns) -> Floats:
        with torch.no_grad():
            chances: Floats = policy.logprobs(tasks, turns).exp().numpy()
        return chances

    return probabilities


def play(tasks: Tasks, choose: Chooser, questions: int, seed: int, repeats: int = 1) -> Played:
    """Play every task.

    Args:
        tasks: to play; each number of draw is the same for all choosers, so that they can be compared in pairs.
        choose: says how likely each action is.
        questions: the budget.
        seed: of what is sampled.
        repeats: dialogues a task.
    """
    return play_some(tasks, np.repeat(np.arange(len(tasks)), repeats), choose, questions, seed)


def play_some(tasks: Tasks, task: Numbers, choose: Chooser, questions: int, seed: int) -> Played:
    """Play one dialogue for each of some tasks, which may be named more than once."""
    draws = np.random.default_rng(seed).random((questions, len(task)))
    asked, done = np.zeros((2, len(task), tasks.kind.shape[1]), bool)
    number, useful = np.zeros((2, len(task)), int)
    going, parts = np.arange(len(task)), []
    for turn in range(questions):
        state = Turns(
            task[going], np.full(len(going), turn), asked[going], done[going], np.zeros(len(going), int), going
        )
        cumulated = choose(state).astype(np.float64).cumsum(axis=1)
        action = (draws[turn, going, None] * cumulated[:, -1:] >= cumulated).sum(axis=1)
        state = Turns(state.task, state.turn, state.asked, state.done, action, going)
        parts.append(state)
        asks = action < tasks.kind.shape[1]
        useful[going] += state.useful(tasks)[np.arange(len(going)), action]
        going, action = going[asks], action[asks]
        number[going] += 1
        asked[going, action] = True
        done[going] |= tasks.settles[task[going], action]
    turns = Turns(*(np.concatenate([getattr(p, name) for p in parts]) for name in Turns.__dataclass_fields__))
    ends = [(int(at), frozenset(np.flatnonzero(places).tolist())) for at, places in zip(task, asked, strict=True)]
    return Played(turns, task, np.array(tasks.outcomes.successes(ends)), number, useful)
