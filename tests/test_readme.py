"""README is run: its example, what it says is printed, and the commands it names."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

from command import ROOT, colbench, environment

README = (ROOT / "README.md").read_text(encoding="utf-8")


def block_after(heading: str, language: str = "") -> str:
    return re.search(rf"{re.escape(heading)}.*?```{language}\n(.*?)```", README, re.DOTALL).group(1)


def test_the_ten_lines_print_what_is_shown():
    code = block_after("## Ten lines", "python")
    assert len(code.strip().splitlines()) <= 11
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    shown = block_after("It prints")
    assert [line.rstrip() for line in done.stdout.split("\n")] == shown.split("\n")


def test_the_demo_ends_with_the_table_shown(tmp_path):
    done = colbench("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    shown = block_after("ends like this")
    ending = [line.rstrip() for line in done.stdout.splitlines()][-len(shown.splitlines()) :]
    assert ending == shown.splitlines()


def test_every_command_named_exists(tmp_path):
    named = {tuple(shlex.split(line)[1:2]) for line in README.splitlines() if line.startswith("colbench ")}
    assert {("eval",), ("grade",), ("oracle",), ("play",), ("doctor",)} <= named
    for words in sorted(named):
        done = colbench(*words, "--help", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert f"usage: colbench {words[0]}" in done.stdout
