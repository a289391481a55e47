"""``colbench train``: filtered behaviour cloning, multi-turn DPO and SWEET-RL on offline dialogues."""

from __future__ import annotations

import warnings
from importlib import import_module

from colbench_gym.baselines.options import FilteredBC, MultiTurnDPO
from colbench_gym.baselines.sweet_options import STAGES, SweetRL
from colbench_gym.cli.tables import print_note


def train_bc(options: FilteredBC) -> None:
    """Run ``colbench train bc``."""
    _train("filtered_bc", options)


def train_dpo(options: MultiTurnDPO) -> None:
    """Run ``colbench train dpo``."""
    _train("multiturn_dpo", options)


def train_sweet(options: SweetRL) -> None:
    """Run ``colbench train sweet``."""
    _train("sweet_rl", options)


def _train(method: str, options: FilteredBC | MultiTurnDPO | SweetRL) -> None:
    # what transformers and its companions announce about their next versions is left out
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"(transformers|torch|accelerate|peft)(\..*)?")
    import_module(f"colbench_gym.baselines.{method}").train(options)
    if isinstance(options, SweetRL) and options.stage not in ("all", STAGES[-1]):
        print_note(f"stage {options.stage} is done in {options.out}; go on with --stage all --resume")
        return
    from accelerate import PartialState

    if PartialState().is_main_process:
        play = f"colbench eval ColBench-Backend-v0 --agent hf:{options.out} --out RUN"
        print_note(f"written to {options.out}; play it with: {play}")
