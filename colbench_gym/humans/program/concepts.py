"""Things that a reference does not do: concepts by the words that people use for them, each with its own test."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from colbench_gym.humans.asking.lexicon import stems
from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.vocabulary import read_toml
from colbench_gym.python_code.syntax import nodes_of

_TABLES = read_toml(Path(__file__).with_name("concepts.toml"))


def concept_facts(known: Knowledge) -> Iterator[Fact]:
    """Yield what a reference does not do at all, and neither its names nor its request speak of."""
    count = Counter(type(node).__name__ for node in known.nodes)
    nodes = {*count, *(f"{name} twice" for name in count if count[name] > 1)}
    operators = {type(node.op).__name__ for node in known.nodes if isinstance(node, (ast.BinOp, ast.AugAssign))}
    spoken_of = known.vocabulary | known.topics
    for row in _TABLES["concept"]:
        signs = (("calls", known.called), ("numbers", known.numbers), ("nodes", nodes), ("operators", operators))
        done = any(not seen.isdisjoint(row.get(sign, ())) for sign, seen in signs)
        done = done or ("pattern" in row and any(re.search(row["pattern"], text) for text in known.strings))
        done = done or ("needs" in row and operators.isdisjoint(row["needs"]))
        if done or ("test" in row and _TESTS[row["test"]](known)) or not spoken_of.isdisjoint(stems([row["words"]])):
            continue
        about = tuple(row["words"].split())
        yield Fact("absent", sentence(row["no"]), about, source="concept", absent=True, reveals=False, weight=0.3)


def _compares_sizes(known: Knowledge) -> bool:
    """Return whether something is told by its size, other than what is left out of a list."""
    filters = [test for node in known.nodes if isinstance(node, ast.comprehension) for test in node.ifs]
    left_out = {id(part) for test in filters for part in nodes_of(test)}
    compared = (node for node in known.nodes if isinstance(node, ast.Compare) and id(node) not in left_out)
    return any(isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for node in compared for operator in node.ops)


_TESTS: Mapping[str, Callable[[Knowledge], bool]] = {
    "has fractions": lambda known: any(number % 1 for number in known.numbers),  # 0.85 may be 15 percent
    "compares sizes": _compares_sizes,
    "calls itself": lambda known: known.name in known.called,
}
