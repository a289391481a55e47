"""Options of training: their defaults, those that are refused, and the packages that are needed."""

import dataclasses
import importlib
import sys
from pathlib import Path

import pytest
from support.lazily import filtered_bc, multiturn_dpo, sweet_rl
from support.tables import cases

from colbench_gym.errors import MissingExtraError, UsageError

pytestmark = pytest.mark.train


def test_a_package_that_is_missing_is_named_before_any_other_is_imported(monkeypatch):
    from colbench_gym.baselines import training

    monkeypatch.setitem(sys.modules, "peft", None)
    with pytest.raises(MissingExtraError, match=r"peft.*colbench-gym\[train\]"):
        importlib.reload(training)


def test_defaults_are_those_of_table_5():
    paths = {"data": (Path("d"),), "model": "m", "out": Path("o")}
    by_name = dataclasses.asdict(filtered_bc.FilteredBC(**paths))
    assert (by_name["batch_size"], by_name["epochs"]) == (32, None)
    assert filtered_bc.FilteredBC(**paths).peak_learning_rate == 2e-7
    assert filtered_bc.FilteredBC(**paths, lora_rank=8).peak_learning_rate == 2e-6
    by_name = dataclasses.asdict(multiturn_dpo.MultiTurnDPO(**paths))
    assert (by_name["batch_size"], by_name["beta"], by_name["nll_weight"]) == (8, 0.1, 0.01)
    by_name = dataclasses.asdict(sweet_rl.SweetRL(**paths))
    assert (by_name["epochs"], by_name["candidates"], by_name["pairs_per_turn"], by_name["recipe"]) == (
        1,
        16,
        4,
        "paper",
    )
    names = ("actor_share", "critic_beta", "critic_batch_size", "actor_aggregation")
    assert [by_name[name] for name in names] == [0.1, 0.1, 8, "sum"]


REFUSED = cases(__file__, "refused")


@pytest.mark.parametrize(("changes", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_options_that_another_choice_makes_meaningless_are_refused(changes, said):
    with pytest.raises(UsageError, match=f"got {said}.*has no effect here.*Leave it out"):
        sweet_rl.SweetRL(data=(Path("d"),), model="m", out=Path("o"), **changes)
