"""Hostile answers: what an agent under training may hand in to be paid without doing the work.

Each family is a module with ``ATTACKS``; ``arena.py`` runs them in a cage, ``test_corpus.py`` says what must hold.
"""

from __future__ import annotations

from dataclasses import replace

from . import (
    bombs,
    channels,
    daemons,
    descriptors,
    encodings,
    equality,
    hooks,
    kernel,
    leftovers,
    memory,
    messes,
    network,
    poison,
    reference,
    results,
    server,
    sources,
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
    encodings,
    channels,
    messes,
    sources,
)

ATTACKS: tuple[Attack, ...] = tuple(
    replace(attack, family=family.__name__.rpartition(".")[2]) for family in _FAMILIES for attack in family.ATTACKS
)
