"""Options of the small Table 2: every number of the experiment, in one place."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

from colbench_gym.errors import UsageError


@dataclass(frozen=True)
class SmallTable2:
    """Options of the experiment.

    Attributes:
        out: folder for kept replies and grades, results, table, and picture; a run that was stopped goes on from it.
        seeds: how many times everything is repeated: other dialogues, other draws of the policies.
        level: of the tasks; habits are what can be learnt, ``default`` is the control on which they cannot.
        train_tasks: whose dialogues the offline methods learn from.
        validation_tasks: held out from these, to choose the regularisation.
        test_tasks: of the split ``test``.
        unseen_tasks: of ``test_domains``, whose trades no training task has; 0 leaves this control out.
        first_test: position of the first of these, and of the first test task: nobody has looked at what is there.
        labelled_tasks: training tasks whose dialogues have a label, which SWEET's second stage needs not; 0 for all.
        other_tasks: they teach the initial policy which kinds are open in general, the critic to read a reference.
        dialogues: a task, of the initial policy.
        questions: the budget of a dialogue.
        learns_general: whether the general weights of the kinds, alike in all trades, learn beside those of the trades.
        beta: how strongly the initial policy binds; paper, Table 5.
        nll_weight: weight of the likelihood of what was chosen; paper, Table 5.
        candidates: actions that are sampled at a turn for the critic; paper, section 4.
        best_of: actions that the critic chooses among when it plays.
        regularisation: weights of the squared distance from the initial policy, to choose from on held-out tasks.
        steps: of full-batch Adam.
        learning_rate: of Adam.
        online_turns: turns of the environment that online learning has.
        online_batch: dialogues in one of its updates.
        online_rate: its learning rate.
        turn_reward: of a useful question, where online learning is told (it is privileged).
        shuffled: draw at random which action of a pair of turns counts as the better one: the gates must notice.
    """

    out: Path = Path("small-table2")
    seeds: int = 5
    level: str = "habits"
    train_tasks: int = 1000
    validation_tasks: int = 300
    test_tasks: int = 1000
    unseen_tasks: int = 300
    first_test: int = 80_000
    labelled_tasks: int = 0
    other_tasks: int = 2000
    dialogues: int = 8
    questions: int = 5
    learns_general: bool = False
    beta: float = 0.1
    nll_weight: float = 0.01
    candidates: int = 16
    best_of: int = 16
    regularisation: tuple[float, ...] = (1e-7, 1e-5, 1e-4, 3e-4, 1e-3)
    steps: int = 100
    learning_rate: float = 0.1
    online_turns: int = 100_000
    online_batch: int = 500
    online_rate: float = 0.1
    turn_reward: float = 0.2
    shuffled: bool = False

    def __post_init__(self) -> None:
        if not self.regularisation:
            raise UsageError("got regularisation without a weight, expected one at least, such as 1e-4")
        for name, value in vars(self).items():
            least = 0 if name in ("unseen_tasks", "first_test", "labelled_tasks") else 1
            if isinstance(value, int) and not isinstance(value, bool) and value < least:
                raise UsageError(f"got {name} {value}, expected at least {least}")
            numbers = value if isinstance(value, tuple) else (value,)
            if not all(0 <= one < math.inf for one in numbers if isinstance(one, float)):
                raise UsageError(f"got {name} {value}, expected a finite number, at least 0")
        if self.labelled_tasks > self.train_tasks:
            raise UsageError(
                f"got labelled_tasks {self.labelled_tasks}, expected at most train_tasks {self.train_tasks}"
            )


def quick(options: SmallTable2) -> SmallTable2:
    """Return the version for continuous integration, which leaves the test tasks alone: three minutes on two cores."""
    return replace(
        options,
        seeds=1,
        train_tasks=300,
        validation_tasks=100,
        test_tasks=500,
        unseen_tasks=0,
        first_test=50_000,
        other_tasks=500,
        dialogues=3,
        regularisation=(1e-7, 1e-5, 1e-3),
        online_turns=10_000,
    )
