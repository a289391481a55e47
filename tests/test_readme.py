"""README is run: its dialogue, its example, what it says is printed, and the commands it names."""

import re
import shlex
import subprocess
import sys

import pytest
from support.command import ROOT, colbench, environment

from colbench_gym.cli import COMMANDS
from colbench_gym.scenario import open_scenario

README = (ROOT / "README.md").read_text(encoding="utf-8")


NUMBER = re.compile(r"(\d+\.\d)")


def block_after(heading: str, language: str = "") -> str:
    return re.search(rf"{re.escape(heading)}.*?```{language}\n(.*?)```", README, re.DOTALL).group(1)


def test_it_is_short():
    assert len(README.splitlines()) <= 120


def test_the_dialogue_is_one_that_was_played():
    shown = re.split(r"\n+(?=(?:human|agent|reward): )", block_after("## One dialogue", "text").strip())
    turns = [(seat, text.strip()) for seat, _, text in (turn.partition(": ") for turn in shown)]
    turns = [(seat, text if seat == "agent" else " ".join(text.split())) for seat, text in turns]  # lines are wrapped
    with open_scenario("backend", tasks="examples") as scenario:
        episode = scenario.episode("podium")
        played = [("human", episode.messages[-1]["content"].strip())]
        for seat, text in turns:
            if seat == "agent":
                played.append((seat, text))
                reply = episode.say(text)
                played += [("human", reply)] if reply is not None else []
        passed = episode.info["test_outcomes"].count("passed")
        played.append(
            ("reward", f"{episode.reward} ({passed} of {len(episode.info['test_outcomes'])} hidden tests pass)")
        )
    assert played == turns


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
    page = (ROOT / "docs" / "guides" / "commands.md").read_text(encoding="utf-8")
    lines = (*README.splitlines(), *page.splitlines())
    named = {tuple(shlex.split(line)[1:2]) for line in lines if line.startswith("colbench ")}
    assert {name for (name,) in named} >= set(COMMANDS) - {"demo", "assets"}
    for words in sorted(named):
        done = colbench(*words, "--help", cwd=tmp_path)
        assert f"usage: colbench {words[0]}" in done.stdout
