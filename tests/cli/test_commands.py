"""The table of commands: each can be called, and the help names all of them."""

import re
from dataclasses import fields
from importlib import import_module

import pytest
from support.tables import cases

from colbench_gym.cli import COMMANDS, main


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


def flags_of(page):
    """The flags of a help page, each with what it says."""
    rows = re.sub(r"[╭╰][^\n]*", "", page).replace("│", " ")
    return dict(re.findall(r"^ +((?:-|[A-Z\[])[^\n]*?)(?:\n| {2,})\s*(.*?)(?=^ +(?:-|[A-Z\[])|\Z)", rows, re.M | re.S))


@pytest.mark.parametrize("words", [words for words in leaves(COMMANDS) if words[0] != "train"], ids=" ".join)
def test_every_flag_says_what_it_is(words, capsys):
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    *_, about, described = ("", *capsys.readouterr().out.partition("\n\n")[::2])
    assert about.startswith(f"usage: colbench {' '.join(words)}")
    silent = [flag for flag, says in flags_of(described.partition("╭")[2]).items() if len(says.split()) < 2]
    assert silent == []


def test_the_texts_of_flags_are_all_used():
    for words in leaves(COMMANDS):
        known = COMMANDS
        for word in words:
            entry = known[word]
            known = entry.get("commands", {})
        module, _, name = entry["runs"].partition(":")
        kind = getattr(import_module(f"colbench_gym.cli.{module}"), name)
        assert set(entry.get("flags", {})) <= {flag.name for flag in fields(kind)}, words


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
