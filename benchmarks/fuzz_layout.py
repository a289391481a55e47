"""Feed the reader of layouts, and the comparison of pages, with texts from Atheris: a score in [0, 1], or a refusal.

    pip install atheris
    python benchmarks/fuzz_layout.py [a folder of texts] -max_len=4096 -runs=1000000

By hand: Atheris is no dependency. ``tests/graders/layout_similarity/test_any_layout.py`` draws such texts with
hypothesis.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from importlib import import_module

from colbench_gym.graders.layout_similarity import compare
from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.layout import LIMITS, read_layout
from colbench_gym.rendering.scripted import ScriptedRenderer


@cache
def wanted() -> RenderedPage:
    """Return a page to compare with."""
    return ScriptedRenderer().render("<h1>Our harvest</h1><p>Carrots, onions and apples</p>")


def read(data: bytes) -> None:
    """Read one text; anything but a layout within its limits that has a score, or a refusal, ends the run."""
    try:
        layout = read_layout(json.loads(data))
    except (ValueError, KeyError, TypeError, RecursionError):  # the last one of json's own
        return
    if len(layout.texts) > LIMITS["texts"] or len(layout.elements) > LIMITS["elements"]:
        raise AssertionError(f"{len(layout.texts)} texts and {len(layout.elements)} elements were read")
    page = RenderedPage("rendered", wanted().png, layout)
    score, back = compare(page, wanted()).score, compare(wanted(), page).score
    if not 0.0 <= score <= 1.0 or score != back:
        raise AssertionError(f"the score is {score}, and {back} the other way round")


if __name__ == "__main__":
    atheris = import_module("atheris")
    atheris.instrument_func(read_layout)
    atheris.Setup(sys.argv, read)
    atheris.Fuzz()
