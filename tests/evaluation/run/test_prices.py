"""Prices of models: the file, whose price a seat has, and what tokens cost."""

import json
from pathlib import Path

import pytest
from support.tables import cases

from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.evaluation.run.prices import Price, cost, prices_of_seats, read_prices

FILE = Path("prices.json")
PRICES = {"small": Price(1.0, 4.0), "hf:models/a": Price(0.0, 0.5)}


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
        prices_of_seats(PRICES, {"agent": "openai:small", "human": "openai:large@http://h/v1"}, FILE)
    assert prices_of_seats(PRICES, {"agent": "oracle", "human": "scripted"}, FILE) == {}
    assert prices_of_seats(PRICES, {"agent": "hf:models/a", "human": "scripted"}, FILE) == {
        "agent": PRICES["hf:models/a"]
    }
