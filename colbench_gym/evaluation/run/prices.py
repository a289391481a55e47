"""Prices of models, read from a file, and what the tokens of a run cost by them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.chat.spec import model_name
from colbench_gym.errors import InputFileError, UsageError

PER_TOKENS = 1_000_000  # prices are for a million tokens, as servers publish them
SEATS = ("agent", "human")

Json = dict[str, Any]  # Any: JSON


@dataclass(frozen=True)
class Price:
    """Price of a million tokens that a model reads, and of a million that it writes, in any one currency."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Return what these tokens cost."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / PER_TOKENS


Prices = Mapping[str, Price]


def read_prices(path: Path) -> Prices:
    """Read a JSON file such as ``{"gpt-4o": {"prompt": 2.5, "completion": 10}}``, prices for a million tokens.

    Raises:
        InputFileError: the file cannot be read, or holds something else.
    """
    expected = 'expected {"MODEL": {"prompt": NUMBER, "completion": NUMBER}, ...}, for a million tokens'
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as e:
        raise InputFileError(f"{path}: cannot be read ({e.strerror}); {expected}") from e
    except (ValueError, RecursionError) as e:
        raise InputFileError(f"{path}: no JSON ({e}); {expected}") from e
    if not isinstance(content, dict):
        raise InputFileError(f"{path}: got a JSON {type(content).__name__}; {expected}")
    for model, price in content.items():
        if (
            not isinstance(price, dict)
            or price.keys() != {"prompt", "completion"}
            or not all(map(_fits, price.values()))
        ):
            raise InputFileError(f"{path}: the price of {model!r} is {json.dumps(price)[:100]}; {expected}")
    return {model: Price(**price) for model, price in content.items()}


def _fits(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def prices_of_seats(prices: Prices, specs: Mapping[str, str], path: Path) -> Prices:
    """Return the price of each seat that has one: by its model's name, else by its whole spec.

    Raises:
        UsageError: a model behind a server has no price, so the cost would be wrong.
    """
    found: dict[str, Price] = {}
    for seat, spec in specs.items():
        model = model_name(spec)
        price = prices.get(model or spec)
        if price is not None:
            found[seat] = price
        elif model is not None:
            raise UsageError(
                f"{path} has no price for the {seat}'s {model!r}, only for {', '.join(sorted(prices)) or 'no one'}; "
                'add it (with "prompt": 0 and "completion": 0 where it costs nothing)'
            )
    return found


def cost(prices: Prices, used: Mapping[str, Any]) -> Json:  # Any: nested counts
    """Return what each priced seat has cost, and the ``total``."""
    of = {seat: used.get(seat, {}) for seat in prices}
    spent = {
        seat: prices[seat].of(of[seat].get("prompt_tokens", 0), of[seat].get("completion_tokens", 0)) for seat in of
    }
    return {name: round(value, 6) for name, value in {**spent, "total": math.fsum(spent.values())}.items()}
