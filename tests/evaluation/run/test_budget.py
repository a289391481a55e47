"""Budgets: when they are spent, which cannot be, whose price a seat has, and what tokens cost."""

import json
from pathlib import Path

import pytest
from support.tables import cases

from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.evaluation.run.budget import (
    Budget,
    BudgetFlags,
    Price,
    check_countable,
    cost,
    prices_of_seats,
    read_prices,
)  # fmt: skip

USED = cases(__file__, "used")
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


FILE = Path("prices.json")
MODELS = {"small": Price(1.0, 4.0), "hf:models/a": Price(0.0, 0.5)}


def test_prices_are_for_a_million_tokens(tmp_path):
    file = tmp_path / "prices.json"
    file.write_text(json.dumps({"small": {"prompt": 1, "completion": 4}}))
    prices = read_prices(file)
    used = {"agent": {"prompt_tokens": 250_000, "completion_tokens": 50_000}, "human": {"calls": 3}}
    assert cost(prices_of_seats(prices, {"agent": "openai:small@http://h/v1", "human": "scripted"}, file), used) == {
        "agent": 0.45,
        "total": 0.45,
    }
    assert cost(prices_of_seats(prices, {"agent": "openai:small", "human": "openai:small"}, file), used) == {
        "agent": 0.45,
        "human": 0.0,
        "total": 0.45,
    }


@pytest.mark.parametrize("content", cases(__file__, "a_file_of_something_else_is_refused"))
def test_a_file_of_something_else_is_refused(tmp_path, content):
    file = tmp_path / "prices.json"
    file.write_text(content)
    with pytest.raises(InputFileError, match="expected"):
        read_prices(file)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputFileError, match="cannot be read"):
        read_prices(tmp_path / "none.json")


def test_a_model_without_a_price_is_refused_and_a_scripted_seat_needs_none():
    with pytest.raises(UsageError, match="no price for the human's 'large'"):
        prices_of_seats(MODELS, {"agent": "openai:small", "human": "openai:large@http://h/v1"}, FILE)
    assert prices_of_seats(MODELS, {"agent": "oracle", "human": "scripted"}, FILE) == {}
    assert prices_of_seats(MODELS, {"agent": "hf:models/a", "human": "scripted"}, FILE) == {
        "agent": MODELS["hf:models/a"]
    }
