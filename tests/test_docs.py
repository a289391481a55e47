"""What the documents name is there: files, folders, and the names of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.command import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "benchmarks" / "README.md"]
FOLDERS = ("", "colbench_gym", "docs", "benchmarks", "tests")  # from which paths are given
PATH = re.compile(r"[\w.\-]+(/[\w.\-]*)+|[\w\-]+\.(py|md|js|toml|txt|jsonl?)")
NAME = re.compile(r"[A-Za-z_][\w.]*(\(\))?")


@pytest.fixture(scope="module")
def source():
    """All that is code as one text, its words, and the ends of the paths of its files."""
    folders = [ROOT / name for name in ("colbench_gym", "tests", "benchmarks", "examples", ".ci")]
    files = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".sh", ".yaml", ".txt", "")
    ]
    files += [ROOT / "Makefile", ROOT / "pyproject.toml"]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files if path.is_file())
    packages = [path for name in ("colbench_gym", "tests") for path in (ROOT / name).rglob("*")]
    tails = {"/".join(path.parts[-depth:]) for path in packages for depth in (1, 2, 3)}
    return text, set(re.findall(r"\w+", text)), tails


def code_in(document):
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


def exists(path, document, tails):
    return (
        (document.parent / path).exists() or any((ROOT / folder / path).exists() for folder in FOLDERS) or path in tails
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_is_there(document, source):
    text, words, tails = source
    missing = []
    for code in code_in(document):
        if PATH.fullmatch(code):
            written = Path(code).name in text  # such as run.json, which a run writes
            missing += [] if written or exists(code.rstrip("/"), document, tails) else [code]
        elif NAME.fullmatch(code):
            missing += [code] if set(code.removesuffix("()").split(".")) - words else []
    assert missing == []
