"""Budgets of a run, in requests, tokens, money or time: what may be spent before it stops and can be resumed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.run.prices import SEATS, Prices, cost

Json = dict[str, Any]  # Any: JSON
LIMITS = ("max_requests", "max_total_tokens", "max_cost", "max_minutes")


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
