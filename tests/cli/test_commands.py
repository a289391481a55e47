"""The table of commands: each can be called, and the help names all of them."""

import json
import sys
from importlib import import_module
from typing import get_type_hints

import pytest
from support.other_pythons import other_pythons, run_on
from support.tables import cases

from colbench_gym.cli import COMMANDS, main
from colbench_gym.cli.help_text import flags_of


def leaves(commands, words=()):
    for name, known in commands.items():
        if "commands" in known:
            yield from leaves(known["commands"], (*words, name))
        else:
            yield (*words, name)


@pytest.mark.parametrize("words", list(leaves(COMMANDS)), ids=" ".join)
def test_every_command_has_a_help_page(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: colbench {' '.join(words)} [-h]")


EVERY_PAGE = """
import contextlib, json, sys
from colbench_gym.cli import main
for words in json.loads(sys.argv[1]):
    with contextlib.suppress(SystemExit):
        main([*words, "--help"])
"""


def test_help_pages_are_alike_on_other_pythons():
    """As flags are made of annotations, which Pythons read in ways of their own."""
    words = json.dumps([*leaves(COMMANDS)])
    said = [run_on(python, "-c", EVERY_PAGE, words) for python in (sys.executable, *other_pythons())]
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
def test_a_group_lists_its_commands(words, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*words, "-h"])
    assert ended.value.code == 0
    page = capsys.readouterr().out
    commands = COMMANDS[words[0]]["commands"] if words else COMMANDS
    assert all(f"  {name} " in page and known["does"] in page for name, known in commands.items())


@pytest.mark.parametrize(("words", "says"), cases(__file__, "no_such_command", tuples=True))
def test_no_such_command(words, says, capsys):
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    assert ended.value.code == 2
    assert says in capsys.readouterr().err
