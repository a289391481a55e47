"""Hostile answers: what an agent under training may hand in to be paid without doing the work.

Each family is a module with ``ATTACKS``; ``arena.py`` runs them in a cage, ``test_corpus.py`` says what must hold.
"""

from __future__ import annotations

from dataclasses import replace

from . import (
    bombs,
    daemons,
    descriptors,
    equality,
    hooks,
    kernel,
    leftovers,
    memory,
    network,
    poison,
    reference,
    results,
    server,
    stalls,
)
from .attack import Attack

_FAMILIES = (
    leftovers,
    server,
    memory,
    reference,
    network,
    equality,
    descriptors,
    stalls,
    daemons,
    poison,
    hooks,
    kernel,
    bombs,
    results,
)

ATTACKS: tuple[Attack, ...] = tuple(
    replace(attack, family=family.__name__.rpartition(".")[2]) for family in _FAMILIES for attack in family.ATTACKS
)
