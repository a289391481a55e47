"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import colbench_gym

PACKAGE = Path(colbench_gym.__file__).parent


def modules_with_examples():
    for path in sorted(PACKAGE.rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            yield ".".join(["colbench_gym", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


@pytest.mark.parametrize("name", list(modules_with_examples()))
def test_examples_run(name):
    results = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert results.attempted > 0
    assert results.failed == 0
