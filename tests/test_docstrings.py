"""The examples in docstrings run, and docstrings begin with what they are about."""

import ast
import doctest
import importlib
import re
from pathlib import Path

import pytest

import colbench_gym

PACKAGE = Path(colbench_gym.__file__).parent
QUESTION_WORD = re.compile(r"(What|Which|Whether|Whose|How|Who|Where|When|Why|Such)\b")


def modules_with_examples():
    for path in sorted(PACKAGE.rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            yield ".".join(["colbench_gym", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


@pytest.mark.parametrize("name", list(modules_with_examples()))
def test_examples_run(name):
    results = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert results.attempted > 0
    assert results.failed == 0


def begins_with_a_question(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            text = ast.get_docstring(node) or ""
            if QUESTION_WORD.match(text):
                yield f"line {node.lineno}, {node.name}: {text.splitlines()[0]}"


@pytest.mark.parametrize("room", sorted({path.relative_to(PACKAGE).parts[0] for path in PACKAGE.rglob("*.py")}))
def test_functions_begin_with_a_verb_and_classes_with_a_noun(room):
    paths = [PACKAGE / room] if room.endswith(".py") else sorted((PACKAGE / room).rglob("*.py"))
    questions = {
        str(path.relative_to(PACKAGE)): found for path in paths if (found := list(begins_with_a_question(path)))
    }
    assert questions == {}
