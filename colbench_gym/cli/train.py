"""``colbench train``: filtered behaviour cloning, multi-turn DPO and SWEET-RL on offline dialogues."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path

from colbench_gym.baselines.options import FilteredBC, MultiTurnDPO
from colbench_gym.baselines.sweet_options import STAGES, SweetRL
from colbench_gym.cli.tables import print_note


@dataclass(frozen=True)
class TrainBC(FilteredBC):
    """Command ``colbench train bc``."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.baselines.filtered_bc import train

        _quiet()
        train(self)
        return _trained(self.out)


@dataclass(frozen=True)
class TrainDPO(MultiTurnDPO):
    """Command ``colbench train dpo``."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.baselines.multiturn_dpo import train

        _quiet()
        train(self)
        return _trained(self.out)


@dataclass(frozen=True)
class TrainSweet(SweetRL):
    """Command ``colbench train sweet``."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.baselines.sweet_rl import train

        _quiet()
        train(self)
        if self.stage not in ("all", STAGES[-1]):
            print_note(f"stage {self.stage} is done in {self.out}; go on with --stage all --resume")
            return 0
        return _trained(self.out)


def _quiet() -> None:
    """Leave out what transformers and its companions announce about their next versions."""
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"(transformers|torch|accelerate|peft)(\..*)?")


def _trained(out: Path) -> int:
    from accelerate import PartialState

    if PartialState().is_main_process:
        print_note(f"written to {out}; play it with: colbench eval ColBench-Backend-v0 --agent hf:{out} --out RUN")
    return 0
