"""Hostile answers: what an agent under training may hand in to be paid without doing the work.

Each family is a file of ``attacks/``; ``arena.py`` runs them in a cage, ``test_corpus.py`` says what must hold. A file begins with a sentence; ``#### part NAME`` is a piece of program that
``@part NAME@`` stands for, and ``#### NAME`` an attack: what it tries, then its programs, each below ``## source``, ``## then``,
``## before`` or ``## beside``, with the other fields of :class:`~.attack.Attack` behind ``source``; with
``made`` the program is what its text, an expression, gives.
"""

import re
from pathlib import Path

from .attack import Attack

FOLDER = Path(__file__).parent / "attacks"
_PROGRAM = re.compile(r"^## (source|then|before|beside)([\w, ]*)\n", re.MULTILINE)


def read_family(path: Path) -> list[Attack]:
    """Return the attacks of a file."""
    parts: dict[str, str] = {}
    attacks = []
    for block in path.read_text(encoding="utf-8").removesuffix("\n").split("\n#### ")[1:]:
        name, _, text = block.partition("\n")
        if name.startswith("part "):
            parts[name] = text
            continue
        tries, *programs = _PROGRAM.split(text)
        fields = {}
        for kind, flags, program in zip(programs[::3], programs[1::3], programs[2::3], strict=True):
            fields[kind] = re.sub(r"@(part \w+)@", lambda named: parts[named[1]], program.removesuffix("\n"))
            for flag in filter(None, flags.split(", ")):
                key, _, value = flag.partition(" ")
                fields[key] = int(value) if value else True
            if fields.pop("made", False):
                fields[kind] = eval(f"({program})")  # our own text
        attacks.append(Attack(name, tries.removesuffix("\n"), family=path.stem, **fields))
    return attacks


ATTACKS: tuple[Attack, ...] = tuple(attack for path in sorted(FOLDER.glob("*.txt")) for attack in read_family(path))
