"""The small Table 2: the methods of the paper on menus, several seeds, on fresh tasks; resumable."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from colbench_gym.concurrency import Progress
from colbench_gym.errors import ConfigurationChangedError, MissingExtraError

try:
    import torch
except ImportError as e:
    raise MissingExtraError.of("torch", "train", "the small Table 2") from e

from colbench_gym.jsonl import append_row, read_rows, ready_to_append
from colbench_gym.learning.dialogues import Chooser, Played, by_policy, play
from colbench_gym.learning.encoder import Encoder, Vector, general_weights, other_tasks
from colbench_gym.learning.kept_outcomes import Outcomes, kept_replies
from colbench_gym.learning.methods import Data, best_of, fitted, imitation, log_ratios, online, preference, sweet
from colbench_gym.learning.options import SmallTable2
from colbench_gym.learning.policy import Menu, MenuPolicy, Tasks, menu_of
from colbench_gym.learning.summary import BASE, BLIND, DPO, RESULTS, SWEET
from colbench_gym.learning.yardsticks import yardsticks
from colbench_gym.models.unfinished import lock
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks.generated_backend.drafts import SCHEMA

OPTIONS = "options.json"
FREE = ("out", "seeds")  # options that may differ when a run goes on


@dataclass
class Experiment:
    """One run of the experiment: what is there already is not made again.

    Attributes:
        options: of the experiment.
        progress: is told what is done.
    """

    options: SmallTable2
    progress: Progress = lambda done, of: None
    _opened: ExitStack = field(default_factory=ExitStack, repr=False)

    def run(self) -> None:
        """Play and learn what is missing.

        Raises:
            ConfigurationChangedError: the folder belongs to a run with other options.
            GraderError, HumanError: as the scenario.
            UsageError: another process is running it.
        """
        ready_to_append(self.options.out / OPTIONS)
        with self._opened:
            self._opened.callback(os.close, lock(self.options.out))
            self._check_options()
            self._opened.callback(torch.set_num_threads, torch.get_num_threads())
            torch.set_num_threads(1)  # the tensors are small, and sums depend on how they are shared out
            file = self.options.out / RESULTS
            ready_to_append(file)
            have = {row["seed"] for _, row in read_rows(file)}
            for seed in range(self.options.seeds):
                if seed not in have:
                    rows = list(self._of_seed(seed))  # written at once: a seed is there whole, or not at all
                    with file.open("ab") as out:
                        out.write("".join(json.dumps(row) + "\n" for row in rows).encode())
                self.progress(seed + 1, self.options.seeds)

    def _check_options(self) -> None:
        said = {**asdict(self.options), "grammar": SCHEMA}  # another grammar has other tasks, and other replies
        mine = {name: value for name, value in json.loads(json.dumps(said, default=str)).items() if name not in FREE}
        file = self.options.out / OPTIONS
        rows = list(read_rows(file))
        if not rows:
            if (self.options.out / RESULTS).exists():
                raise ConfigurationChangedError(f"{file}: missing beside {RESULTS}; give another --out")
            append_row(file, mine)
        kept = rows[0][1] if rows else mine
        changed = sorted(name for name in mine if kept.get(name) != mine[name])
        if changed:
            raise ConfigurationChangedError(
                f"{self.options.out} was begun with other options ({', '.join(changed)}); expected the same, or give "
                "another --out"
            )

    @cached_property
    def _splits(self) -> tuple[Mapping[str, Tasks], Menu, Vector]:
        """Return the tasks of all splits, with what the encoder reads in their references, and general weights."""
        o = self.options
        numbers = {"train": o.train_tasks, "validation": o.validation_tasks, "test": o.test_tasks}
        numbers |= {"test_domains": o.unseen_tasks} if o.unseen_tasks else {}
        level = "" if o.level == "default" else f":{o.level}"
        outcomes = {}
        for split, number in numbers.items():
            scenario = self._opened.enter_context(open_scenario("backend", tasks=f"generated:{split}{level}"))
            first = o.first_test if split.startswith("test") else 0
            replies = kept_replies(o.out / f"replies-{split}.jsonl", scenario, number, first)
            outcomes[split] = Outcomes(scenario, replies, o.out / f"grades-{split}.jsonl")
        menu, places = menu_of([one.replies for one in outcomes.values()])
        drafts = other_tasks(o.level, o.other_tasks)
        encoder, general = Encoder(menu.kinds, drafts), general_weights(menu.kinds, drafts, o.level == "habits")
        tasks = {}
        for split, one in outcomes.items():
            made = Tasks.of(one, menu, places)
            read = encoder.read(replies.task.reference for replies in one.replies)
            tasks[split] = replace(made, reading=np.take_along_axis(read, made.kind.clip(0), 1))
        return tasks, menu, general

    def _initial(self, *, reads: bool = False, head: bool = False) -> MenuPolicy:
        _, menu, general = self._splits
        return MenuPolicy(menu, general, learns_general=self.options.learns_general, reads=reads, head=head)

    def _of_seed(self, seed: int) -> Iterator[Mapping[str, Any]]:  # Any: JSON
        """Learn and play with one seed."""
        tasks, menu, general = self._splits
        policies, labels, critics = self._learned(seed)
        for split in [name for name in tasks if name.startswith("test")]:
            players: dict[str, Chooser] = {name: by_policy(policy, tasks[split]) for name, policy in policies.items()}
            for name, critic in critics.items():
                players[name] = best_of(critic, self._initial(), tasks[split], self.options.best_of)
            players |= yardsticks(tasks[split], tasks["train"], menu, general)
            for name, player in players.items():
                played = play(tasks[split], player, self.options.questions, seed)
                yield {"seed": seed, "split": split, "method": name, "labels": labels.get(name), **_counts(played)}

    def _learned(self, seed: int) -> tuple[dict[str, MenuPolicy], dict[str, float], dict[str, MenuPolicy]]:
        """Return the policies by method, the shares of right turn labels, and the critics for best of N."""
        o, tasks, initial = self.options, self._splits[0], self._initial()
        both = []
        for name, draw, labelled in (("train", 1000 + seed, o.labelled_tasks), ("validation", 2000 + seed, 0)):
            played = play(tasks[name], by_policy(initial, tasks[name]), o.questions, draw, o.dialogues)
            both.append(Data.of(tasks[name], played, labelled))

        def by_pairs(start: MenuPolicy, options: SmallTable2 = o) -> MenuPolicy:
            return fitted(start, [preference(data, start, options) for data in both], o)

        policies = {"zero-shot": initial}
        policies[BASE] = fitted(initial, [imitation(data) for data in both], o)
        blind = policies[DPO] = by_pairs(initial)  # an action is a turn: so the critic without c is the same
        critic, start = by_pairs(self._initial(reads=True)), self._initial(reads=True, head=True)
        head = by_pairs(start, replace(o, nll_weight=0.0))  # its numbers are no likelihoods
        judges = {
            BLIND: [log_ratios(blind, initial, data) for data in both],
            SWEET: [log_ratios(critic, initial, data) for data in both],
            "SWEET-RL, regression head": [log_ratios(head, start, data) for data in both],
            "SWEET-RL, perfect critic": [data.played.turns.useful(data.tasks).astype(np.float32) for data in both],
        }
        labels: dict[str, float] = {}
        for name, scores in judges.items():
            policies[name], labels[name] = sweet(both, initial, scores, o, seed)
        for name, paid in (("online", 0.0), ("online, paid a turn", o.turn_reward)):
            policies[name] = online(initial, tasks["train"], o, seed, paid)
        critics = {f"best of {o.best_of} without c": blind, f"best of {o.best_of}": critic}
        return policies, labels, critics


def _counts(played: Played) -> dict[str, Any]:  # Any: JSON
    return {
        "success": "".join("1" if won else "0" for won in played.success),
        "questions": int(played.questions.sum()),
        "useful": int(played.useful.sum()),
    }
