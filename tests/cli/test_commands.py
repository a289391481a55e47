"""The table of commands: each can be called, and the help names all of them."""

import json
import sys
from importlib import import_module
from typing import get_type_hints

import pytest
from support.command import colbench_here as in_this_process  # with no browser: quick
from support.other_pythons import other_pythons, run_on
from support.tables import cases, program

from colbench_gym.cli import COMMANDS
from colbench_gym.cli.help_text import flags_of


def leaves(commands, words=()):
    for name, known in commands.items():
        if "commands" in known:
            yield from leaves(known["commands"], (*words, name))
        else:
            yield (*words, name)


@pytest.mark.parametrize("words", list(leaves(COMMANDS)), ids=" ".join)
def test_every_command_has_a_help_page(words, tmp_path):
    page = in_this_process(*words, "--help", cwd=tmp_path).stdout
    assert page.startswith(f"usage: colbench {' '.join(words)} [-h]")


def test_help_pages_are_alike_on_other_pythons():
    """As flags are made of annotations, which Pythons read in ways of their own."""
    words = json.dumps([*leaves(COMMANDS)])
    said = [
        run_on(python, "-c", program(__file__, "every_help_page.txt"), words)
        for python in (sys.executable, *other_pythons())
    ]
    ours, *others = [" ".join(run.stdout.replace("\u2502", " ").split()) for run in said]
    assert ours.count("usage: colbench ") == len(json.loads(words)), said[0].stderr
    assert others == [ours] * len(others)


@pytest.mark.parametrize("words", list(leaves(COMMANDS)), ids=" ".join)
def test_every_flag_says_what_it_is_and_no_text_is_left_over(words):
    known = COMMANDS
    for word in words:
        entry = known[word]
        known = entry.get("commands", {})
    module, _, name = entry["runs"].partition(":")
    texts = entry.get("flags", {})
    kind = flags_of(getattr(import_module(f"colbench_gym.cli.{module}"), name), texts)
    said = {
        name: "help='" in repr(of) or 'help="' in repr(of)
        for name, of in get_type_hints(kind, None, None, True).items()
    }
    assert set(texts) <= set(said)
    assert [flag for flag, has_text in said.items() if not has_text] == []


@pytest.mark.parametrize("words", [(), ("tasks",), ("train",)])
def test_a_group_lists_its_commands(words, tmp_path):
    page = in_this_process(*words, "-h", cwd=tmp_path).stdout
    commands = COMMANDS[words[0]]["commands"] if words else COMMANDS
    assert all(f"  {name} " in page and known["does"] in page for name, known in commands.items())


@pytest.mark.parametrize(("words", "says"), cases(__file__, "no_such_command", tuples=True))
def test_no_such_command(words, says, tmp_path):
    assert says in in_this_process(*words, cwd=tmp_path, status=2).stderr
