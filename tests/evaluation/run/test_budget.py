"""Budgets: when they are spent, and which cannot be."""

import pytest

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.run.budget import Budget, BudgetFlags, check_countable
from colbench_gym.evaluation.run.prices import Price

USED = {
    "seconds": 90.0,
    "agent": {"calls": 6, "retries": 1, "prompt_tokens": 800, "completion_tokens": 100},
    "human": {"calls": 3, "retries": 0, "prompt_tokens": 90, "completion_tokens": 10},
}
PRICES = {"agent": Price(1000.0, 2000.0)}  # 0.8 and 0.2 for what was used


def budget(**flags):
    return Budget(BudgetFlags(**flags), lambda: USED, PRICES)


@pytest.mark.parametrize(
    ("flag", "reached", "above"),
    [("max_requests", 10, 11), ("max_total_tokens", 1000, 1001), ("max_cost", 1.0, 1.01), ("max_minutes", 1.5, 1.6)],
)
def test_a_budget_is_spent_when_it_is_reached(flag, reached, above):
    more = {"prices": "prices.json"} if flag == "max_cost" else {}
    spent = budget(**{flag: reached}, **more)
    assert spent.spent()
    assert spent.reason.startswith(f"the budget --{flag.replace('_', '-')} {reached:g} is spent")
    left = budget(**{flag: above}, **more)
    assert not left.spent()
    assert left.reason == ""


def test_without_limits_nothing_is_counted():
    def never():
        raise AssertionError("counted")

    assert not Budget(BudgetFlags(), never, {}).spent()


@pytest.mark.parametrize("value", [0, -1, float("nan"), float("inf")])
def test_a_limit_that_is_none_is_refused(value):
    with pytest.raises(UsageError, match="--max-minutes"):
        BudgetFlags(max_minutes=value).check_budget()


def test_money_needs_prices():
    with pytest.raises(UsageError, match="--prices"):
        BudgetFlags(max_cost=1.0).check_budget()


def test_a_limit_that_nothing_counts_is_refused():
    with pytest.raises(UsageError, match="counts its tokens"):
        check_countable(BudgetFlags(max_requests=3), {"agent": {}, "human": {"asked_again": 0}}, {})
    with pytest.raises(UsageError, match="has a price"):
        check_countable(BudgetFlags(max_cost=3.0), USED, {})
    check_countable(BudgetFlags(max_minutes=3.0), {"agent": {}, "human": {}}, {})
    check_countable(BudgetFlags(max_requests=3, max_cost=1.0), USED, PRICES)
