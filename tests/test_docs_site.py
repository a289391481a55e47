"""The scripts that build the documentation site find what is broken, and leave no command out."""

import importlib.util
import subprocess
import sys

import pytest
from support.command import ROOT
from support.tables import cases


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / "site" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_site_without_faults_has_no_problems(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "style.css").write_text("p { color: red }")
    (tmp_path / "index.html").write_text('<link rel="stylesheet" href="style.css"><a href="a/#here">A</a>')
    (tmp_path / "a" / "index.html").write_text('<p id="here"></p><a href="..">up</a><a href="http://x.example">x</a>')
    assert list(script("check_site").problems(tmp_path)) == []


@pytest.mark.parametrize(("page", "problem"), cases(__file__, "what_is_broken_is_named"))
def test_what_is_broken_is_named(page, problem, tmp_path):
    (tmp_path / "index.html").write_text(page)
    assert list(script("check_site").problems(tmp_path)) == [f"index.html: {problem}"]


def test_a_stylesheet_that_loads_from_elsewhere_is_named(tmp_path):
    (tmp_path / "style.css").write_text("p { background: url(https://x.example/a.png) }")
    assert list(script("check_site").problems(tmp_path)) == ["style.css: loads from elsewhere"]


def test_an_empty_site_is_a_failure(tmp_path):
    command = [sys.executable, ROOT / "docs" / "site" / "check_site.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "0 pages checked, 0 problems\n")


@pytest.mark.slow
def test_the_page_of_the_command_line_has_every_command(monkeypatch):
    for name in ("COLUMNS", "NO_COLOR", "TERM"):
        monkeypatch.setenv(name, "")  # put back afterwards: the script sets them
    headings = [section.splitlines()[0] for section in script("command_pages").sections()]
    assert "## colbench eval" in headings
    assert "### colbench tasks generate" in headings
    assert len(headings) == len(set(headings))
