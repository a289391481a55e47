"""Feed the reader of results with texts from Atheris: a value within what it was charged, or a refusal.

    pip install atheris
    python benchmarks/fuzz_values.py [a folder of texts] -max_len=4096 -runs=1000000

By hand: Atheris is no dependency. ``tests/sandboxes/test_value_budget.py`` draws such texts with hypothesis.
"""

from __future__ import annotations

import sys
from importlib import import_module

from colbench_gym.sandboxes.values import MAX_NODES, Budget, NotDataError, decode


def read(data: bytes) -> None:
    """Read one text; anything but a value within its charge, or a refusal, ends the run."""
    budget = Budget()
    try:
        value = decode(data, budget)
    except NotDataError:
        return
    nodes, waiting = 0, [value]
    while waiting:
        node = waiting.pop()
        nodes += 1
        if isinstance(node, dict):
            waiting += [*node.keys(), *node.values()]
        elif not isinstance(node, (str, bytes, range)) and hasattr(node, "__iter__") and not hasattr(node, "dtype"):
            waiting += list(node)
    if nodes > MAX_NODES - budget.nodes:
        raise AssertionError(f"{len(data)} bytes were charged {MAX_NODES - budget.nodes} nodes and made {nodes}")


if __name__ == "__main__":
    atheris = import_module("atheris")
    atheris.instrument_func(decode)
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
