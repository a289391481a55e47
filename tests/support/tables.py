"""Tables of cases in files beside the tests that read them."""

import json
from pathlib import Path
from typing import Any


def rows(test: str, name: str) -> list[dict[str, Any]]:
    """Return the rows of a JSONL file beside a test, whose ``__file__`` is given."""
    return [json.loads(line) for line in Path(test).with_name(name).read_text(encoding="utf-8").splitlines()]


def values(test: str, name: str, names: dict[str, Any]) -> list[Any]:
    """Return what the lines of a text file beside a test stand for: expressions of our own, with these names."""
    lines = Path(test).with_name(name).read_text(encoding="utf-8").splitlines()
    return [eval(line, names) for line in lines if line and not line.startswith("#")]
