"""``colbench train``: filtered behaviour cloning, multi-turn DPO and SWEET-RL on offline dialogues."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module

from colbench_gym.baselines.options import FilteredBC, MultiTurnDPO
from colbench_gym.baselines.sweet_options import STAGES, SweetRL
from colbench_gym.cli.tables import print_note


@dataclass(frozen=True)
class TrainBC(FilteredBC):
    """Command ``colbench train bc``."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        return _train("filtered_bc", self)


@dataclass(frozen=True)
class TrainDPO(MultiTurnDPO):
    """Command ``colbench train dpo``."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        return _train("multiturn_dpo", self)


@dataclass(frozen=True)
class TrainSweet(SweetRL):
    """Command ``colbench train sweet``."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        return _train("sweet_rl", self)


def _train(method: str, options: FilteredBC | MultiTurnDPO | SweetRL) -> int:
    # what transformers and its companions announce about their next versions is left out
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"(transformers|torch|accelerate|peft)(\..*)?")
    import_module(f"colbench_gym.baselines.{method}").train(options)
    if isinstance(options, SweetRL) and options.stage not in ("all", STAGES[-1]):
        print_note(f"stage {options.stage} is done in {options.out}; go on with --stage all --resume")
        return 0
    from accelerate import PartialState

    if PartialState().is_main_process:
        play = f"colbench eval ColBench-Backend-v0 --agent hf:{options.out} --out RUN"
        print_note(f"written to {options.out}; play it with: {play}")
    return 0
