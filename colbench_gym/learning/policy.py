"""Policies over the menu of a task: answer now, or ask one of its matters; and the states that they see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
        core: whether no program can do without it.  # (tasks, places)
        open: hidden: whether it is open.  # (tasks, places)
        settles: which matters are settled by a question.  # (tasks, places asked, places)
        reading: what the encoder reads in the reference, for critics alone; zeros until then.  # (tasks, places)
    """

    outcomes: Outcomes
    trade: Numbers
    kind: Numbers
    core: Flags
    open: Flags
    settles: Flags
    reading: Floats

    @classmethod
    def of(cls, outcomes: Outcomes, menu: Menu, places: int) -> Tasks:
        """Return the arrays of tasks."""
        number = len(outcomes.replies)
        kind = np.full((number, places), -1)
        core, is_open = np.zeros((2, number, places), bool)
        settles = np.zeros((number, places, places), bool)
        kinds = {name: at for at, name in enumerate(menu.kinds)}
        trades = {name: at for at, name in enumerate(menu.trades)}
        for at, one in enumerate(outcomes.replies):
            kind[at, : len(one.kinds)] = [kinds[name] for name in one.kinds]
            core[at, : len(one.kinds)], is_open[at, : len(one.kinds)] = one.core, one.open
            for asked, settled in enumerate(one.settled_by):
                settles[at, asked, list(settled)] = True
        trade = np.array([trades[one.trade] for one in outcomes.replies])
        return cls(outcomes, trade, kind, core, is_open, settles, np.zeros((number, places), np.float32))

    def __len__(self) -> int:
        return len(self.trade)

    def first(self, number: int) -> Tasks:
        """Return the first tasks alone."""
        arrays = ("trade", "kind", "core", "open", "settles", "reading")
        outcomes = replace(self.outcomes, replies=self.outcomes.replies[:number])
        return replace(self, outcomes=outcomes, **{name: getattr(self, name)[:number] for name in arrays})


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
    """Log-linear policy: weights for a kind of matter, for a kind in a trade, for what is settled, for answering now.

    With ``reads`` it also sees what the encoder reads in the reference: then it is a critic.

    Args:
        menu: the vocabulary.
        questions: the budget.
        answers_early: log-odds for answering in the beginning.
        repeats: log-odds of a settled matter in the beginning.
        reads: whether it sees the reference.
    """

    def __init__(
        self, menu: Menu, questions: int, answers_early: float, repeats: float, *, reads: bool = False
    ) -> None:
        super().__init__()
        trades, kinds = len(menu.trades), len(menu.kinds)
        self.kind = torch.nn.Parameter(torch.zeros(kinds))
        self.habit = torch.nn.Parameter(torch.zeros(trades, kinds))
        self.core, self.settled = (torch.nn.Parameter(torch.tensor(value)) for value in (0.0, repeats))
        self.answering = torch.nn.Parameter(torch.full((questions,), answers_early))
        self.reading = torch.nn.Parameter(torch.zeros(1 + kinds)) if reads else None

    def logprobs(self, tasks: Tasks, turns: Turns) -> torch.Tensor:
        """Return the log-probabilities of all actions, natural log.  # (turns, places + 1)"""
        kinds = torch.from_numpy(tasks.kind[turns.task])
        known = kinds.clamp(min=0)
        logits = self.kind[known] + self.habit[torch.from_numpy(tasks.trade[turns.task])[:, None], known]
        logits = logits + self.core * torch.from_numpy(tasks.core[turns.task])
        logits = logits + self.settled * torch.from_numpy(turns.done)
        if self.reading is not None:
            seen = torch.from_numpy(tasks.reading[turns.task] * ~turns.done)
            logits = logits + (self.reading[0] + self.reading[1:][known]) * seen
        logits = logits.masked_fill(kinds < 0, -torch.inf)
        return torch.cat([logits, self.answering[torch.from_numpy(turns.turn)][:, None]], dim=1).log_softmax(1)

    def chosen(self, tasks: Tasks, turns: Turns) -> torch.Tensor:
        """Return the log-probability of what was chosen.  # (turns,)"""
        return self.logprobs(tasks, turns).gather(1, torch.from_numpy(turns.action)[:, None]).squeeze(1)
