"""Policies over the menu of a task: answer now, or ask one of its matters; and the states that they see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch

from colbench_gym.learning.kept_outcomes import Outcomes, Replies

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Menu:
    """Vocabulary of all tasks of an experiment: which trades and which kinds of matters there are."""

    trades: tuple[str, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True)
class Tasks:
    """Tasks of one split as arrays; places behind a task's last matter are empty.

    Attributes:
        outcomes: replies and grades.
        trade: number of the trade.  # (tasks,)
        kind: number of the kind of each matter, -1 where there is none.  # (tasks, places)
        open: hidden: whether it is open.  # (tasks, places)
        settles: which matters are settled by a question.  # (tasks, places asked, places)
        reading: what the encoder reads in the reference, for critics alone; zeros until then.  # (tasks, places)
    """

    outcomes: Outcomes
    trade: Numbers
    kind: Numbers
    open: Flags
    settles: Flags
    reading: Floats

    @classmethod
    def of(cls, outcomes: Outcomes, menu: Menu, places: int) -> Tasks:
        """Return the arrays of tasks."""
        number = len(outcomes.replies)
        kind = np.full((number, places), -1)
        is_open = np.zeros((number, places), bool)
        settles = np.zeros((number, places, places), bool)
        kinds = {name: at for at, name in enumerate(menu.kinds)}
        trades = {name: at for at, name in enumerate(menu.trades)}
        for at, one in enumerate(outcomes.replies):
            kind[at, : len(one.kinds)] = [kinds[name] for name in one.kinds]
            is_open[at, : len(one.kinds)] = one.open
            for asked, settled in enumerate(one.settled_by):
                settles[at, asked, list(settled)] = True
        trade = np.array([trades[one.trade] for one in outcomes.replies])
        return cls(outcomes, trade, kind, is_open, settles, np.zeros((number, places), np.float32))

    def __len__(self) -> int:
        return len(self.trade)


def menu_of(splits: Sequence[Sequence[Replies]]) -> tuple[Menu, int]:
    """Return the vocabulary of some tasks, and the most matters that one of them has."""
    every = [one for split in splits for one in split]
    trades, kinds = {one.trade for one in every}, {kind for one in every for kind in one.kinds}
    return Menu(tuple(sorted(trades)), tuple(sorted(kinds))), max(len(one.kinds) for one in every)


@dataclass(frozen=True)
class Turns:
    """States in which somebody chose, and the choices; an action is the place of a matter, the last one is to answer.

    Attributes:
        task: number of the task.  # (turns,)
        turn: questions so far.  # (turns,)
        asked: which matters were asked for.  # (turns, places)
        done: which matters are settled, those asked for included.  # (turns, places)
        action: what was chosen.  # (turns,)
        dialogue: number of the dialogue.  # (turns,)
    """

    task: Numbers
    turn: Numbers
    asked: Flags
    done: Flags
    action: Numbers
    dialogue: Numbers

    def __len__(self) -> int:
        return len(self.task)

    def take(self, which: Numbers | Flags) -> Turns:
        """Return some of the turns."""
        return Turns(*(getattr(self, name)[which] for name in self.__dataclass_fields__))

    def useful(self, tasks: Tasks) -> Flags:
        """Return which actions ask for an open matter that was not told yet.  # (turns, places + 1)"""
        asks = tasks.open[self.task] & ~self.done
        return np.concatenate([asks, np.zeros((len(self), 1), bool)], axis=1)


class MenuPolicy(torch.nn.Module):  # type: ignore[misc]  # torch has no types here
    """Log-linear policy: a weight for each kind of matter in each trade, beside the general weights of the kinds.

    What is settled is not asked for, and the answer is given when nothing is left to ask or to spend. With ``reads`` it
    also sees what the encoder reads in the reference: then it is a critic.

    Args:
        menu: the vocabulary.
        general: weights of the kinds, alike in all trades.  # (kinds,)
        learns_general: whether these learn too.
        reads: whether it sees the reference.
        head: leave its numbers as they are, no log-probabilities: a regression head (paper, Table 3).
    """

    def __init__(
        self, menu: Menu, general: Floats, *, learns_general: bool = False, reads: bool = False, head: bool = False
    ) -> None:
        super().__init__()
        trades, kinds = len(menu.trades), len(menu.kinds)
        self.general = torch.nn.Parameter(torch.from_numpy(general.copy()), requires_grad=learns_general)
        self.habit = torch.nn.Parameter(torch.zeros(trades, kinds))
        self.reading = torch.nn.Parameter(torch.zeros(1 + kinds)) if reads else None
        self.head = head

    def logprobs(self, tasks: Tasks, turns: Turns) -> torch.Tensor:
        """Return the log-probabilities of all actions, natural log.  # (turns, places + 1)"""
        kinds = torch.from_numpy(tasks.kind)
        known = kinds.clamp(min=0)
        weights = self.general[known] + self.habit[torch.from_numpy(tasks.trade)[:, None], known]
        if self.reading is not None:
            weights = weights + (self.reading[0] + self.reading[1:][known]) * torch.from_numpy(tasks.reading)
        of = torch.from_numpy(turns.task)
        closed = (kinds < 0)[of] | torch.from_numpy(turns.done)
        answer = torch.zeros(len(of), 1).masked_fill(~closed.all(dim=1, keepdim=True), -torch.inf)
        logits = torch.cat([weights[of].masked_fill(closed, -torch.inf), answer], dim=1)
        return logits if self.head else logits.log_softmax(1)

    def chosen(self, tasks: Tasks, turns: Turns) -> torch.Tensor:
        """Return the log-probability of what was chosen.  # (turns,)"""
        return self.logprobs(tasks, turns).gather(1, torch.from_numpy(turns.action)[:, None]).squeeze(1)
