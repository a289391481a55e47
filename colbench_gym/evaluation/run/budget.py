"""Budgets of a run, in requests, tokens, money (by prices from a file) or time: what it may spend before it stops."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.chat.spec import model_name
from colbench_gym.errors import InputFileError, UsageError

Json = dict[str, Any]  # Any: JSON
SEATS = ("agent", "human")
PER_TOKENS = 1_000_000  # prices are for a million tokens, as servers publish them
LIMITS = ("max_requests", "max_total_tokens", "max_cost", "max_minutes")


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


@dataclass(frozen=True, kw_only=True)
class BudgetFlags:
    """Flags of what a run may spend; None is no limit.

    Attributes:
        prices: JSON file of prices for a million tokens: {"MODEL": {"prompt": 2.5, "completion": 10}, ...}
        max_requests: requests to model servers at most, of the whole run, resumed parts included; it stops there and
            goes on with --resume and a higher one
        max_total_tokens: tokens read and written by models at most, likewise
        max_cost: cost at most, in the currency of --prices, likewise
        max_minutes: minutes at most, likewise
    """

    prices: Path | None = None
    max_requests: int | None = None
    max_total_tokens: int | None = None
    max_cost: float | None = None
    max_minutes: float | None = None

    def budget_limits(self) -> dict[str, float]:
        """Return the limits that were given, by their flags."""
        return {name: getattr(self, name) for name in LIMITS if getattr(self, name) is not None}

    def check_budget(self) -> None:
        """Raise UsageError unless the flags make sense."""
        for name, value in self.budget_limits().items():
            if not 0 < value < math.inf:
                raise UsageError(f"got {flag_of(name)} {value}, expected a number above 0")
        if self.max_cost is not None and self.prices is None:
            raise UsageError(f"got --max-cost {self.max_cost} without prices; name a file of them with --prices")


def check_countable(flags: BudgetFlags, used: Mapping[str, Any], prices: Prices) -> None:  # Any: counts of each seat
    """Raise UsageError where a limit could never be reached, because no seat counts what it limits."""
    counted = any("prompt_tokens" in used.get(seat, {}) for seat in SEATS)
    for name in flags.budget_limits():
        if name != "max_minutes" and not (prices if name == "max_cost" else counted):
            what = "has a price" if name == "max_cost" else "is a model that counts its tokens"
            raise UsageError(f"got {flag_of(name)}, but neither agent nor human {what}; drop it, or use --max-minutes")


class Budget:
    """Tells when a budget is spent. Thread-safe.

    Args:
        flags: the limits.
        used: returns ``seconds`` and the counts of each seat so far, earlier sessions included.
        prices: of the seats that have one.
    """

    def __init__(self, flags: BudgetFlags, used: Callable[[], Json], prices: Prices) -> None:
        self._used, self._prices, self._limits = used, prices, flags.budget_limits()
        self.reason = ""

    def spent(self) -> bool:
        """Return whether a limit is reached; :attr:`reason` says which from then on."""
        if self._limits and not self.reason:
            used = self._used()
            spent = amounts(used, cost(self._prices, used)["total"])
            for name, limit in self._limits.items():
                if spent[name] >= limit and not self.reason:
                    self.reason = f"the budget {flag_of(name)} {limit:g} is spent ({spent[name]:g} used)"
        return bool(self.reason)


def flag_of(limit: str) -> str:
    """Return a limit as it is written on the command line."""
    return f"--{limit.replace('_', '-')}"


def amounts(used: Mapping[str, Any], money: float) -> dict[str, float]:  # Any: nested counts
    """Return what has been used of each limit."""
    return dict(zip(LIMITS, (requests(used), tokens(used), money, used.get("seconds", 0.0) / 60), strict=True))


def requests(used: Mapping[str, Any]) -> int:  # Any: nested counts
    """Return the requests to model servers of both seats, those sent again included."""
    return _sum(used, "calls", "retries")


def tokens(used: Mapping[str, Any]) -> int:  # Any: nested counts
    """Return the tokens that the models of both seats read and wrote."""
    return _sum(used, "prompt_tokens", "completion_tokens")


def _sum(used: Mapping[str, Any], *names: str) -> int:  # Any: nested counts
    return sum(int(used.get(seat, {}).get(name, 0)) for seat in SEATS for name in names)
