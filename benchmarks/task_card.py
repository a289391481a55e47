"""What generated backend tasks are like, beside the official ones: a table, what can be guessed, twelve whole tasks.

With ``--card docs/tasks.md`` the same is written as Markdown. The official file is optional and never copied from.

    python benchmarks/task_card.py [--tasks 1000] [--official FILE.jsonl] [--card docs/tasks.md]
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from pathlib import Path
from statistics import mean

import tyro

from colbench_gym.tasks.generated import SPLITS
from colbench_gym.tasks.generated_backend.drafts import Draft
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

SIGNATURE = "The signature of the function is: "
EPOCHS, RATE = 4, 0.1  # of the classifier


@dataclass(frozen=True)
class Benchmark:
    """What to look at.

    Attributes:
        tasks: how many of each split.
        learnt: how many of train the classifier and the memorising agent know.
        official: a file of official tasks, for the last column.
        card: the Markdown file to write.
    """

    tasks: int = 1000
    learnt: int = 2000
    official: Path | None = None
    card: Path | None = None


def masked(source: str) -> str:
    """Code without its names and constants."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in ("name", "id", "arg"):
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, "_")
        if isinstance(node, ast.Constant):
            node.value = 0
    return ast.dump(tree)


def called(tree: ast.AST) -> set[str]:
    """Methods and builtins in use."""
    functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {f.attr for f in functions if isinstance(f, ast.Attribute)}
    return names | {f.id for f in functions if isinstance(f, ast.Name)}


def statistics(tasks: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Statistics of pairs of description and reference."""
    requests, signatures, trees = [], [], []
    for description, reference in tasks:
        request, _, signature = description.rpartition(SIGNATURE)
        requests.append(re.sub(r"'[^']*'|\"[^\"]*\"|\d+(?:\.\d+)?", "_", request or description))
        signatures.append(signature[signature.find("(") :])
        trees.append(ast.parse(reference))
    functions = [[n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)][-1] for tree in trees]
    words = {word for description, _ in tasks for word in re.findall("[a-z]+", description.lower())}
    conditions = [n.test for tree in trees for n in ast.walk(tree) if isinstance(n, (ast.If, ast.IfExp, ast.While))]
    return {
        "tasks": len(tasks),
        "distinct descriptions, numbers and names masked": len(set(requests)),
        "distinct parameter lists": len(set(signatures)),
        "vocabulary (words)": len(words),
        "distinct code skeletons": len({masked(reference) for _, reference in tasks}),
        "words a description": mean(len(description.split()) for description, _ in tasks),
        "lines": mean(sum(bool(line.strip()) for line in reference.splitlines()) for _, reference in tasks),
        "branches (if and conditional expressions)": mean(
            sum(isinstance(n, (ast.If, ast.IfExp)) for n in ast.walk(tree)) for tree in trees
        ),
        "arguments": mean(len(f.args.args) for f in functions),
        "methods and builtins in use": len(set().union(*map(called, trees))),
        "constant conditions": sum(not any(isinstance(n, ast.Name) for n in ast.walk(test)) for test in conditions),
    }


# What can be guessed


def words_of_request(member: Draft) -> list[str]:
    """The bag of words of a request."""
    return sorted(set(re.findall("[a-z]+", member.description.rpartition(SIGNATURE)[0].lower())))


def words_of_reference(member: Draft) -> list[str]:
    """The bag of tokens, and of pairs of them, of a reference."""
    tokens = re.findall(r"\w+|[^\w\s]+", member.reference)
    return sorted({*tokens, *map(" ".join, pairwise(tokens))})


def examples(members: Iterable[Draft], words: Callable[[Draft], list[str]]) -> list[tuple[list[str], bool]]:
    """For each matter that is not stated: features, and whether it is open."""
    found = []
    for member in members:
        seen, is_open = words(member), {matter.key for matter in member.open}
        for matter in member.matters:
            if matter.key not in member.stated:
                name = f"{member.plan.shape} {matter.key}"
                found.append(([name, *(f"{name} {word}" for word in seen)], matter.key in is_open))
    return found


def accuracy(train: list[tuple[list[str], bool]], test: list[tuple[list[str], bool]]) -> float:
    """Share of matters that a logistic regression gets right."""
    weights: dict[str, float] = defaultdict(float)

    def score(features: list[str]) -> float:
        return max(-30.0, min(30.0, sum(weights.get(feature, 0.0) for feature in features)))

    for epoch in range(EPOCHS):
        for features, is_open in train:
            step = RATE / (1 + epoch) * (is_open - 1 / (1 + exp(-score(features)))) / len(features) ** 0.5
            for feature in features:
                weights[feature] += step
    return mean((score(features) > 0) == is_open for features, is_open in test)


def memorised(train: Sequence[Draft], test: Sequence[Draft]) -> float:
    """Share won by asking what the train task with the most similar request left open, and writing what is told.

    It is told the truth and makes no mistake in writing; what it does not ask, it leaves out.
    """
    known = [(set(words_of_request(member)), {matter.key for matter in member.open}) for member in train]
    won = 0
    for member in test:
        words = set(words_of_request(member))
        _, asked = max(known, key=lambda pair: len(words & pair[0]) / len(words | pair[0]))
        won += {matter.key for matter in member.open} <= asked
    return won / len(test)


def report(benchmark: Benchmark) -> str:
    """The card."""
    members = {split: [GeneratedBackendTasks(split).member(i) for i in range(benchmark.tasks)] for split in SPLITS}
    columns = {split: statistics([(m.description, m.reference) for m in members[split]]) for split in SPLITS}
    rows = []
    if benchmark.official is not None:
        rows = [json.loads(line) for line in benchmark.official.read_text("utf-8").splitlines()]
        columns["official"] = statistics([(row["problem_description"], row["ground_truth"]) for row in rows])
    options = (
        f"--tasks {benchmark.tasks} --learnt {benchmark.learnt}{' --official FILE' * (benchmark.official is not None)}"
    )
    made = f"Made by `python benchmarks/task_card.py {options} --card docs/tasks.md`"
    seen = f" ({len(rows)} official tasks)." if benchmark.official is not None else "."
    lines = ["# Generated backend tasks", "", made + seen, ""]
    lines += [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for name in columns["test"]:
        cells = (f"{c[name]:.2f}".removesuffix(".00") for c in columns.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    train = [GeneratedBackendTasks("train").member(i) for i in range(benchmark.learnt)]
    test = members["test"]
    lines += ["", f"Open matters a task of test: {dict(sorted(Counter(len(m.open) for m in test).items()))}.", ""]
    base = mean(is_open for _, is_open in examples(test, words_of_request))
    lines.append(f"Which of the matters that are not stated are open (chance {max(base, 1 - base):.1%})?")
    for name, words in (("the request", words_of_request), ("the reference", words_of_reference)):
        share = accuracy(examples(train, words), examples(test, words))
        lines.append(f"A logistic regression over the words of {name} is right in {share:.1%} of the cases.")
    for split in ("test", "test_domains"):
        share = memorised(train, members[split])
        lines.append(f"Asking what the most similar of {len(train)} train tasks left open wins {share:.1%} of {split}.")
    lines += ["", "## Twelve tasks", ""]
    for index in range(12):
        task, member = GeneratedBackendTasks("train").at(index), GeneratedBackendTasks("train").member(index)
        lines += [
            f"### {task.task_id}",
            "",
            task.description,
            "",
            "```python",
            task.reference.rstrip(),
            "```",
            "",
            "Open:",
        ]
        lines += [f"- {matter.option(member.settings[matter.key]).says[0]}" for matter in member.open]
        lines += ["", "First calls:", "```python", *task.calls[:2], "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def main(benchmark: Benchmark) -> int:
    """Print the card, or write it."""
    text = report(benchmark)
    if benchmark.card is None:
        print(text)
    else:
        benchmark.card.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
