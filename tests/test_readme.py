"""README is run: its example, what it says is printed, and the commands it names."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest
from support.command import ROOT, colbench, environment

README = (ROOT / "README.md").read_text(encoding="utf-8")


NUMBER = re.compile(r"(\d+\.\d)")


def block_after(heading: str, language: str = "") -> str:
    return re.search(rf"{re.escape(heading)}.*?```{language}\n(.*?)```", README, re.DOTALL).group(1)


def test_the_ten_lines_print_what_is_shown():
    code = block_after("## Ten lines", "python")
    assert len(code.strip().splitlines()) <= 11
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    shown = block_after("It prints")
    assert [line.rstrip() for line in done.stdout.split("\n")] == shown.split("\n")


@pytest.mark.full
def test_the_demo_ends_with_the_table_shown(tmp_path):
    done = colbench("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    programs, pages = block_after("ends like this").split("\n\n")
    printed = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    assert f"\n{programs}\n" in printed
    found = re.search(r"What asking is worth: \d+ generated pages.*(?=\nThe wanted page)", printed, re.DOTALL)
    if found is None:
        assert "The frontend track was left out: " in printed
        pytest.skip("no browser or no assets here, so the second table is not held to what is printed")
    # Another browser or other fonts give other digits: means and turns are held, the ends of intervals are not.
    got, said = ([NUMBER.split(line) for line in text.strip().splitlines()] for text in (found.group(), pages))
    assert [[part.split() for part in line[::2]] for line in got] == [
        [part.split() for part in line[::2]] for line in said
    ]
    for one, other in zip(got[2:], said[2:], strict=True):
        (mean, _, _, turns), (said_mean, _, _, said_turns) = (map(float, line[1::2]) for line in (one, other))
        assert mean == pytest.approx(said_mean, abs=5)
        assert turns == pytest.approx(said_turns, abs=1)
    assert (tmp_path / "colbench-demo/pages.png").stat().st_size > 10_000


def test_every_command_named_exists(tmp_path):
    named = {tuple(shlex.split(line)[1:2]) for line in README.splitlines() if line.startswith("colbench ")}
    assert {("eval",), ("grade",), ("compare",), ("oracle",), ("play",), ("doctor",)} <= named
    for words in sorted(named):
        done = colbench(*words, "--help", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert f"usage: colbench {words[0]}" in done.stdout
