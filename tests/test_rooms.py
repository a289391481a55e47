"""How large each room may be: budgets of lines of Python, printed in docs/architecture.md."""

import ast
import re
from collections import Counter

import pytest
from support.command import ROOT

PACKAGE = ROOT / "colbench_gym"
ELSE = "all else"
# Lines of Python. Raising one is a line in a commit with its reason.
BUDGETS = {
    "humans": 9_500,
    "tasks": 6_500,
    "sandboxes": 4_400,
    "evaluation": 3_130,  # 2,900 before runs that grow, sets of runs, budgets and `watch`
    "rendering": 2_600,
    "baselines": 2_270,  # with checkpoints when a run is told to stop, and sums of the reference kept batch by batch
    "graders": 2_100,
    "report": 2_000,
    "policies": 2_060,  # 1,900 before the designer searched for the page that fits what was said
    "models": 1_990,  # with what tells a run that has not finished, for all who meet one
    "cli": 1_700,
    "integrations": 1_700,
    "envs": 1_350,
    "envs/menu": 1_050,
    "chat": 1_255,
    "curation": 1_050,
    "learning": 1_300,  # a room of its own: it stands on scenario, policies and baselines at once; ablations, controls
    ELSE: 5_500,
}
WHOLE = 51_000  # the package; the goal is 44,000
TESTS, BENCHMARKS = 30_000, 3_500
MENU = PACKAGE / "envs" / "menu"  # counted apart from its room: another way to act


def lines(folder):
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py"))


def sizes():
    """Lines of each budget."""
    found = Counter(dict.fromkeys(BUDGETS, 0))
    for path in PACKAGE.rglob("*.py"):
        room = "envs/menu" if MENU in path.parents else path.relative_to(PACKAGE).parts[0]
        found[room if room in BUDGETS else ELSE] += len(path.read_text(encoding="utf-8").splitlines())
    return {
        **found,
        "package": sum(found.values()),
        "tests": lines(ROOT / "tests"),
        "benchmarks": lines(ROOT / "benchmarks"),
    }


SIZES = sizes()


@pytest.mark.parametrize("name", SIZES)
def test_every_budget_is_kept(name):
    budget = {**BUDGETS, "package": WHOLE, "tests": TESTS, "benchmarks": BENCHMARKS}[name]
    assert SIZES[name] <= budget, f"{name} has {SIZES[name]} lines, more than its {budget}: take something out"


def test_the_map_prints_the_budgets():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    printed = {
        name: int(number.replace(",", "")) for name, number in re.findall(r"\| `?([\w/ ]+?)/?`? \| ([\d,]+) \|", page)
    }
    assert printed == {**BUDGETS, "the package": WHOLE, "tests": TESTS, "benchmarks": BENCHMARKS}


def test_the_top_is_seen_at_once():
    hidden = {"__pycache__", "__init__.pyi"}  # the second one is a part of __init__.py
    assert len([path for path in PACKAGE.iterdir() if path.name not in hidden]) <= 35


MOST_WORDS = 20
# Names that code asks for, not vocabulary.
NAMES = {"__init__.py", "chat/__init__.py", "page_language/statements.py", "page_language/sentences.py"}
NAMES |= {"report/export/card.py", "sandboxes/values.py", "humans/page/concepts.py"}  # columns; estimates; tests


def word_lists():
    """Files with a tuple, list, set or dict of more than so many words, or a text that is split into them."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            items = []
            if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
                items = node.elts
            elif isinstance(node, ast.Dict):
                items = [*node.keys, *node.values]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
                text = node.func.value.value if isinstance(node.func.value, ast.Constant) else ""
                items = [ast.Constant(word) for word in str(text).split()]
            if sum(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in items) > MOST_WORDS:
                yield str(path.relative_to(PACKAGE))


def test_vocabulary_is_data():
    assert set(word_lists()) - NAMES == set()
