"""The harness of the benchmarks: turns, paired ratios and JSON; and that each benchmark is described."""

import importlib.util
import json
import sys

import pytest
from support.command import ROOT

FOLDER = ROOT / "benchmarks"


@pytest.fixture(scope="module")
def harness():
    spec = importlib.util.spec_from_file_location("harness", FOLDER / "harness.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["harness"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    del sys.modules["harness"]


def test_ways_take_turns(harness):
    order = []

    def way(name, numbers):
        left = iter(numbers)
        return lambda: order.append(name) or next(left)

    measured = harness.take_turns({"one": way("one", (1, 20)), "two": way("two", (3, 40))}, 2, "steps/s")
    assert order == ["one", "two", "one", "two"]
    assert measured["two"] == harness.Measured("two", "steps/s", (3, 40))


def test_a_ratio_is_the_median_of_the_ratios_of_rounds(harness):
    base = harness.Measured("base", "s", (1.0, 10.0, 100.0))  # a machine that is ever busier
    way = harness.Measured("way", "s", (2.0, 20.0, 500.0))
    assert way.ratio_to(base) == 2.0
    assert way.median == 20.0


def test_all_rounds_are_written(harness, tmp_path):
    way = harness.Measured("way", "s", (2.0, 1.0))
    harness.write_json(tmp_path / "out.json", "mine", [way], n=3)
    report = json.loads((tmp_path / "out.json").read_text())
    assert (report["benchmark"], report["settings"]) == ("mine", {"n": 3})
    assert report["measured"] == [{"name": "way", "unit": "s", "rounds": [2.0, 1.0], "median": 1.5}]


def test_the_table_shows_each_way(harness, capsys):
    harness.print_table("Speeds", [harness.Measured("way", "s", (2.0,))], [harness.Measured("base", "s", (1.0,))])
    shown = capsys.readouterr().out
    assert "way (s)" in shown
    assert "2.00" in shown


def test_the_readme_names_each_benchmark():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for file in FOLDER.glob("*.py"):
        assert f"`{file.name}`" in text
