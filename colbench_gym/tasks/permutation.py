"""Choices that are the same on every machine and Python: all derived from blake2b of a key."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_WORDS = Struct("<16I")  # a block of blake2b
_ROUNDS = 4  # enough for an order that looks random; nothing here is a secret


class Draw:
    """A stream of choices that depends on its key only (no library random stream, which changes between versions)."""

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, *key: str | int) -> None:
        self._key = "\0".join(map(str, key)).encode()
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """Draw a number from 0 to ``n - 1`` (``n`` at most 2**24, so that the bias stays below 2**-8 per mille)."""
        if not self._words:
            block = blake2b(self._key + b"\0" + str(self._block).encode()).digest()
            self._words = list(_WORDS.unpack(block))
            self._block += 1
        return self._words.pop() % n

    def between(self, low: int, high: int) -> int:
        """Draw a whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def pick(self, items: Sequence[T]) -> T:
        """Draw one of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in another order."""
        rest = list(items)
        for i in range(len(rest) - 1, 0, -1):
            j = self.below(i + 1)
            rest[i], rest[j] = rest[j], rest[i]
        return rest

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Draw ``count`` of the items, none twice."""
        return self.shuffled(items)[:count]


def permuted_index(index: int, n: int, key: str) -> int:
    """Return where a keyed one-to-one rearrangement of ``range(n)`` puts ``index``.

    A Feistel network over the next even number of bits, walked until it lands below ``n``; so no two indices ever
    share a place.
    """
    if not 0 <= index < n:
        raise ValueError(f"index {index} is not in range({n})")
    half = max(1, ((n - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    prefix = key.encode()
    while True:
        left, right = index >> half, index & mask
        for number in range(_ROUNDS):
            digest = blake2b(b"%s\0%d\0%d" % (prefix, number, right), digest_size=8).digest()
            left, right = right, left ^ (int.from_bytes(digest, "little") & mask)
        index = left << half | right
        if index < n:
            return index
