"""Statistics of tasks: how different they are, how many words they use, how long their code is."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from statistics import mean

from colbench_gym.tasks.generated import SPLITS
from colbench_gym.tasks.generated_backend.drafts import Draft
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks

SIGNATURE = "The signature of the function is: "
Figures = dict[str, float]


def masked(source: str) -> str:
    """Return code without its names and constants."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        for field in ("name", "id", "arg"):
            if isinstance(getattr(node, field, None), str):
                setattr(node, field, "_")
        if isinstance(node, ast.Constant):
            node.value = 0
    return ast.dump(tree)


def called(tree: ast.AST) -> set[str]:
    """Return the methods and builtins in use."""
    functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {f.attr for f in functions if isinstance(f, ast.Attribute)}
    return names | {f.id for f in functions if isinstance(f, ast.Name)}


def words_in(texts: Sequence[str]) -> set[str]:
    """Return the words of texts."""
    return {word for text in texts for word in re.findall("[a-z]+", text.lower())}


def backend_statistics(tasks: Sequence[tuple[str, str]]) -> Figures:
    """Return statistics of pairs of description and reference."""
    requests, signatures, trees = [], [], []
    for description, reference in tasks:
        request, _, signature = description.rpartition(SIGNATURE)
        requests.append(re.sub(r"'[^']*'|\"[^\"]*\"|\d+(?:\.\d+)?", "_", request or description))
        signatures.append(signature[signature.find("(") :])
        trees.append(ast.parse(reference))
    functions = [[node for node in tree.body if isinstance(node, ast.FunctionDef)][-1] for tree in trees]
    conditions = [n.test for tree in trees for n in ast.walk(tree) if isinstance(n, (ast.If, ast.IfExp, ast.While))]
    return {
        "tasks": len(tasks),
        "distinct descriptions, numbers and names masked": len(set(requests)),
        "distinct parameter lists": len(set(signatures)),
        "vocabulary (words)": len(words_in([description for description, _ in tasks])),
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


class _Page(HTMLParser):
    """Texts of a page, and its elements with their classes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.elements: list[str] = []
        self._hidden = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self._hidden += tag in ("style", "script", "title")
        self.elements.append(f"{tag} {dict(attributes).get('class')}")

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._hidden -= tag in ("style", "script", "title")

    def handle_data(self, text: str) -> None:
        """Note a text."""
        if not self._hidden:
            self.texts.append(text)


def page_statistics(tasks: Sequence[tuple[str, str]]) -> Figures:
    """Return statistics of pairs of description and page."""
    pages = [_Page(html) for _, html in tasks]
    return {
        "tasks": len(tasks),
        "distinct descriptions": len({description for description, _ in tasks}),
        "words a description": mean(len(description.split()) for description, _ in tasks),
        "vocabulary of the pages (words)": len(words_in([text for page in pages for text in page.texts])),
        "distinct layouts (elements and classes)": len({"\n".join(page.elements) for page in pages}),
    }


def official_pairs(path: Path | None) -> list[tuple[str, str]]:
    """Return description and reference of the tasks in a file; nothing without a file."""
    rows = [] if path is None else map(json.loads, path.read_text("utf-8").splitlines())
    return [(row["problem_description"], row["ground_truth"]) for row in rows]


def members_of(split: str, number: int, level: str = "default") -> list[Draft]:
    """Return the drafts of the first tasks of a split."""
    tasks = GeneratedBackendTasks(split, level)
    return [tasks.member(index) for index in range(number)]


def backend_columns(members: Mapping[str, Sequence[Draft]], official: Path | None) -> dict[str, Figures]:
    """Return the statistics of tasks by their split, and of the official ones where there are any."""
    columns = {
        split: backend_statistics([(member.description, member.reference) for member in drafts])
        for split, drafts in members.items()
    }
    pairs = official_pairs(official)
    return {**columns, "official": backend_statistics(pairs)} if pairs else columns


def page_columns(number: int, official: Path | None) -> dict[str, Figures]:
    """Return the statistics of every split of pages, and of the official ones where there are any."""
    columns = {}
    for split in SPLITS:
        tasks = (GeneratedFrontendTasks(split).at(index) for index in range(number))
        columns[split] = page_statistics([(task.description, task.reference) for task in tasks])
    pairs = official_pairs(official)
    return {**columns, "official": page_statistics(pairs)} if pairs else columns


def markdown(columns: Mapping[str, Figures]) -> list[str]:
    """Return the lines of a table."""
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for name in next(iter(columns.values())):
        cells = (f"{figures[name]:.2f}".removesuffix(".00") for figures in columns.values())
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines
