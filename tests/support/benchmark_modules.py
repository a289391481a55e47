"""The modules in ``benchmarks/``, which import each other as scripts do."""

import importlib
import sys
from types import ModuleType

from support.command import ROOT

FOLDER = ROOT / "benchmarks"


def benchmark_module(name: str) -> ModuleType:
    """Import a module of the benchmarks."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))
