"""The code of the documents runs, and prints what they show."""

import contextlib
import io
import re
import sys

import pytest
from support.command import ROOT, colbench_here
from support.documents import PAGES, blocks, command_lines, languages

NOT_OUTPUT = re.compile(r"[ \t]+$", re.MULTILINE)
ELSEWHERE = re.compile(r"run by: (tests/\S+|\.ci/\S+)")  # a note above a block that needs what not every machine has


def run_code(block, page, namespace):
    """Run one block in the namespace of its page; return what it printed."""
    printed = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.code, str(page), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, namespace)
    return printed.getvalue()


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    """An empty folder to work in, whose modules are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.mark.parametrize(
    "page",
    [path for path in PAGES if "python" in languages(path)],
    ids=lambda path: str(path.relative_to(ROOT / "docs")),
)
def test_code_of_a_page_runs(page, empty_folder, no_model_settings):
    """Blocks of one page share a namespace and a folder; one whose title is a file name is written there first."""
    namespace = {"__name__": "__main__"}
    printed = ""
    for block in blocks(page):
        if elsewhere := ELSEWHERE.fullmatch(block.note):
            assert (ROOT / elsewhere[1]).exists(), f"{page}, line {block.line}: there is no {elsewhere[1]}"
            continue
        if "." in block.title and " " not in block.title:
            (empty_folder / block.title).write_text(block.code, encoding="utf-8")
        if block.language == "python":
            printed = run_code(block, page, namespace)
        elif block.title == "Output":
            assert NOT_OUTPUT.sub("", printed).strip("\n") == NOT_OUTPUT.sub("", block.code).strip("\n")
        elif block.language == "sh" and block.note == "run":
            for words in command_lines(block.code):
                done = colbench_here(*words[1:], cwd=empty_folder)
                assert words[0] == "colbench"
                printed = done.stdout
