"""Read the tagged JSON text that a hostile child wrote into real Python values, in bounded time and memory.

The format is described in ``worker/values.py``. Whatever is malformed, too deep or built to be slow is
:class:`NotDataError`, never another exception.
"""

from __future__ import annotations

import builtins
import json
import math
import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np

from colbench_gym.sandboxes.worker.values import MAX_DECIMAL_INT_BITS, MAX_NESTING

MAX_NODES = 1 << 21  # of one program's results together: 1 MiB of one-digit numbers has 2**19
MAX_MEMORY_BYTES = 64 << 20  # likewise, as estimated below: a result of 1 MiB is 2 to 40 MiB of Python objects
SHORT_BYTES = 256  # a text that is not worth counting
MAX_DIGIT_RUN = 4000  # decimal digits in a row; reading more is quadratic (the writer's longest int has 3011)
MAX_INT_BITS = 1 << 17  # 39_457 digits: comparing an int with a Decimal and dividing ints are quadratic in the bits
MAX_FRACTION_BITS = 1 << 14  # reducing a fraction is quadratic in its bits, as is counting the items of a range
MAX_DECIMAL_DIGITS = 40_000  # what an int of MAX_INT_BITS can be equal to
MAX_DECIMAL_EXPONENT = 1_000_000
MAX_SAME_HASH = 64  # so many distinct keys of one hash are no accident; each lookup compares with all of them
MAX_SAME_HASH_TUPLES = 16  # comparing long tuples is slow; the 16 of four numbers -1 or -2 do have one hash
MAX_FROZEN_COLLISIONS = 1 << 14  # pairs in all frozensets of a value: sets in sets multiply the cost of each
MAX_TYPE_NAME_CHARS = 1000
MAX_DIMENSIONS = 32  # of an array, in numpy 1
_DTYPE = re.compile(r"[<>|=](?:[biufc]\d{1,2}|[SU][1-9]\d{0,6}|[mM]8(?:\[\d{0,9}[a-zA-Zμ]{1,2}(?:/\d{1,9})?\])?)")
_NOT_DIGITS = bytes(byte if 48 <= byte <= 57 else 32 for byte in range(256))
_STRINGS = re.compile(rb'"[^"]*"?')  # once escapes are gone; an unterminated one reaches to the end: no second try
_BRACKETS = re.compile(rb"[\[\]{}]")

# What values take, measured on 64-bit CPython 3.11 and rounded up.
NODE_BYTES = 32  # a number and its place in the container
CONTAINER_BYTES = 64  # an empty list, beside the node
QUOTE_BYTES = 28  # half a string without its characters, beside the node
WIDE_CHARACTER_BYTES = 4
TAGGED_BYTES = 256  # beside the node itself: whatever has a tag, and what it takes while it is read
DEQUE_BYTES = 768  # an empty one has room for 64 items
KEY_BYTES = 64  # of a set or dictionary, per item
_HASHED = ("set", "frozenset", "dict")
TAGGED_NODES = 4  # what reading takes time for, in lists of numbers: measured too
_NODES = {"array": 64, "objects": 64, "scalar": 16}

_scanner: Callable[[json.JSONDecoder], Callable[[str, int], tuple[object, int]]]
_scanner = json.scanner.make_scanner  # type: ignore[attr-defined]  # typeshed leaves it out
_SCAN_UNTAGGED = _scanner(json.JSONDecoder())  # for nearly every result; making one takes as long as reading


class NotDataError(ValueError):
    """The text is not the encoding of a value."""


@dataclass(frozen=True)
class TypeName:
    """A class that is not a builtin, by its name: classes of two programs are equal when their names are."""

    module: str
    qualname: str


class Budget:
    """Cost that the results of one program may still have; spent before anything is made of them."""

    def __init__(self, nodes: int = MAX_NODES, memory_bytes: int = MAX_MEMORY_BYTES) -> None:
        self.nodes = nodes
        self.memory_bytes = memory_bytes

    def spend(self, nodes: int, memory_bytes: int) -> None:
        """Take that much from what is left.

        Raises:
            NotDataError: there is less.
        """
        self.nodes -= nodes
        self.memory_bytes -= memory_bytes
        if self.nodes < 0 or self.memory_bytes < 0:
            raise NotDataError("too many values, or too large ones, in the results of one program")


def decode(text: bytes, budget: Budget | None = None) -> object:
    """Return the value that ``text`` encodes.

    Args:
        text: bounded by the caller.
        budget: shared by all results of one program; a fresh one by default.

    Raises:
        NotDataError: it encodes none, or costs more than the budget has left.
    """
    budget = budget or Budget()
    try:
        _check_shape(text, budget)
        scan = _scanner(json.JSONDecoder(object_pairs_hook=_Untag(budget))) if b"{" in text else _SCAN_UNTAGGED
        value, end = scan(text.decode("ascii"), 0)
    except NotDataError:
        raise
    except (ValueError, TypeError, ArithmeticError, StopIteration, RecursionError, MemoryError) as error:
        raise NotDataError(f"malformed value: {type(error).__name__}") from error
    if end != len(text):
        raise NotDataError("more than one value")
    return value


def _check_shape(text: bytes, budget: Budget) -> None:
    """Refuse too much, deep nesting and long runs of digits before anything is built; linear whatever the text."""
    if len(text) < SHORT_BYTES:  # nearly every result: no text so short can be deep or long, and none costs more
        budget.spend(len(text), len(text) * (NODE_BYTES + CONTAINER_BYTES))
        return
    wide = b"\\u" in text
    text = text.replace(rb"\\", b"__").replace(rb"\"", b"__")
    bare = _STRINGS.sub(b"", text)  # commas and brackets in strings are none
    containers = bare.count(b"[") + bare.count(b"{")
    nodes = 1 + bare.count(b",") + containers
    text_bytes = len(text) * (WIDE_CHARACTER_BYTES if wide else 1) + text.count(b'"') * QUOTE_BYTES
    budget.spend(nodes, nodes * NODE_BYTES + containers * CONTAINER_BYTES + text_bytes)
    if containers > MAX_NESTING:
        depth = 0
        for bracket in _BRACKETS.findall(bare):
            depth += 1 if bracket in b"[{" else -1
            if depth > 2 * MAX_NESTING + 4:  # a tagged container is an array in an object
                raise NotDataError("nested too deeply")
    if len(text) > MAX_DIGIT_RUN:
        for run in _STRINGS.sub(b" ", text).translate(_NOT_DIGITS).split():
            if len(run) > MAX_DIGIT_RUN:
                raise NotDataError("a number with too many digits")


class _Untag:
    """Make one text's tagged objects values, counting what they and colliding hashes will cost."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.collisions_left = MAX_FROZEN_COLLISIONS

    def __call__(self, pairs: list[tuple[str, Any]]) -> object:  # Any: whatever JSON holds; each reader checks its own
        if len(pairs) != 1 or pairs[0][0] not in _READERS:
            raise NotDataError("unknown tag")
        tag, payload = pairs[0]
        items = len(payload) if tag in _HASHED and type(payload) is list else 0
        nodes = _NODES.get(tag, TAGGED_NODES)
        self.budget.spend(nodes, (DEQUE_BYTES if tag == "deque" else TAGGED_BYTES) + KEY_BYTES * items)
        if tag == "frozenset":
            self.collisions_left -= sum(n * (n - 1) // 2 for n in Counter(map(hash, _items(payload))).values())
            if self.collisions_left < 0:
                raise NotDataError("colliding keys")
        return _READERS[tag](payload)


def _items(payload: object) -> list[Any]:  # Any: decoded values
    if type(payload) is not list:
        raise NotDataError("expected an array")
    return payload


def _integers(payload: object, *counts: int) -> list[int]:
    items = _items(payload)
    if len(items) not in counts or any(type(item) is not int for item in items):
        raise NotDataError("expected integers")
    return items


def _text(payload: object) -> str:
    if type(payload) is not str:
        raise NotDataError("expected a string")
    return payload


def _keys(items: Iterable[object]) -> list[object]:
    """Return the keys of a set or dictionary, refused when they were chosen so that their hashes collide."""
    keys = list(items)
    if collide(keys):
        raise NotDataError("colliding keys")
    return keys


def collide(keys: Collection[object]) -> bool:
    """Return whether so many keys share one hash that looking them up takes quadratic time."""
    if len(keys) <= MAX_SAME_HASH_TUPLES:
        return False
    limit = MAX_SAME_HASH_TUPLES if any(type(key) is tuple for key in keys) else MAX_SAME_HASH
    return len(keys) > limit and max(Counter(map(hash, keys)).values()) > limit


def _read_int(payload: object) -> int:
    value = int(_text(payload), 16)
    if value.bit_length() > MAX_INT_BITS:
        raise NotDataError("an int too long")
    return value


def _read_complex(payload: object) -> complex:
    real, imag = _items(payload)
    if type(real) is not float or type(imag) is not float:
        raise NotDataError("expected two floats")
    return complex(real, imag)


def _read_dict(payload: object) -> dict[object, object]:
    items = _items(payload)
    if len(items) % 2:
        raise NotDataError("a key without a value")
    return dict(zip(_keys(items[0::2]), items[1::2], strict=True))


def _read_range(payload: object) -> range:
    ends = _integers(payload, 3)
    if max(end.bit_length() for end in ends) > MAX_FRACTION_BITS:
        raise NotDataError("a range too long")
    return range(*ends)


def _read_ellipsis(payload: object) -> object:
    if _items(payload):
        raise NotDataError("expected nothing")
    return ...


def _read_type(payload: object) -> object:
    module, name = (_text(part) for part in _items(payload))
    if len(module) + len(name) > MAX_TYPE_NAME_CHARS:
        raise NotDataError("a name too long")
    kind = getattr(builtins, name, None) if module == "builtins" and name.isidentifier() else None
    if name == "NoneType" and module == "builtins":
        return type(None)
    return kind if isinstance(kind, type) else TypeName(module, name)


def _span(days: int, seconds: int, microseconds: int) -> timedelta:
    return timedelta(days, seconds, microseconds)


def _zone(parts: list[int]) -> timezone | None:
    return timezone(_span(*parts)) if parts else None


def _read_date(payload: object) -> date:
    return date(*_integers(payload, 3))


def _read_time(payload: object) -> time:
    hour, minute, second, microsecond, fold, *zone = _integers(payload, 5, 8)
    return time(hour, minute, second, microsecond, _zone(zone), fold=fold)


def _read_datetime(payload: object) -> datetime:
    year, month, day, hour, minute, second, microsecond, fold, *zone = _integers(payload, 8, 11)
    return datetime(year, month, day, hour, minute, second, microsecond, _zone(zone), fold=fold)


def _read_decimal(payload: object) -> Decimal:
    (text,) = map(_text, _items(payload))
    if len(text) > MAX_DECIMAL_DIGITS:
        raise NotDataError("a decimal too long")
    try:
        value = Decimal(text)
    except InvalidOperation as error:
        raise NotDataError("not a decimal number") from error
    if value.is_finite() and abs(value.adjusted()) > MAX_DECIMAL_EXPONENT:
        raise NotDataError("an exponent too large")
    return value


def _read_fraction(payload: object) -> Fraction:
    numerator, denominator = _integers(payload, 2)
    if max(numerator.bit_length(), denominator.bit_length()) > MAX_FRACTION_BITS:
        raise NotDataError("a fraction too long")
    return Fraction(numerator, denominator)


def _shape(dimensions: object) -> tuple[int, ...]:
    shape = tuple(_integers(dimensions, *range(MAX_DIMENSIONS + 1)))
    if any(length < 0 for length in shape):
        raise NotDataError("a negative length")
    return shape


def _read_array(payload: object) -> np.ndarray[Any, Any]:  # Any: the shape and type are data
    name, data, *dimensions = _items(payload)
    shape = _shape(dimensions)
    if not _DTYPE.fullmatch(_text(name)):
        raise NotDataError("not an array of data")
    dtype = np.dtype(name)
    if 2 * dtype.itemsize * math.prod(shape) != len(_text(data)):  # so that nothing is made larger than the text
        raise NotDataError("an array of another size")
    array = np.frombuffer(bytes.fromhex(data), dtype=dtype)
    if dtype.kind == "b":
        array = array.view(np.uint8) != 0
    elif dtype.kind == "U":
        codes = array.view(np.uint32 if dtype.isnative else np.dtype(np.uint32).newbyteorder())
        if codes.size and int(codes.max()) > 0x10FFFF:
            raise NotDataError("not characters")
    elif dtype.kind == "M" and np.datetime_data(dtype)[0] == "generic" and not np.isnat(array).all():
        raise NotDataError("times without a unit, which numpy itself cannot write")
    return array.reshape(shape)


def _read_scalar(payload: object) -> object:
    scalar = _read_array(payload)[()]
    if isinstance(scalar, np.ndarray):
        raise NotDataError("a scalar with dimensions")
    return scalar


def _read_objects(payload: object) -> np.ndarray[Any, Any]:
    dimensions, items = _items(payload)
    shape = _shape(dimensions)
    if math.prod(shape) != len(_items(items)):
        raise NotDataError("an array of another size")
    array = np.empty(len(items), dtype=object)
    for index, item in enumerate(items):
        array[index] = item
    return array.reshape(shape)


_READERS: dict[str, Callable[[object], object]] = {
    "int": _read_int,
    "str": lambda payload: bytes.fromhex(_text(payload)).decode("utf-8", "surrogatepass"),
    "bytes": lambda payload: bytes.fromhex(_text(payload)),
    "bytearray": lambda payload: bytearray.fromhex(_text(payload)),
    "complex": _read_complex,
    "tuple": lambda payload: tuple(_items(payload)),
    "dict": _read_dict,
    "set": lambda payload: set(_keys(_items(payload))),
    "frozenset": lambda payload: frozenset(_keys(_items(payload))),
    "deque": lambda payload: deque(_items(payload)),
    "range": _read_range,
    "ellipsis": _read_ellipsis,
    "type": _read_type,
    "date": _read_date,
    "time": _read_time,
    "datetime": _read_datetime,
    "timedelta": lambda payload: _span(*_integers(payload, 3)),
    "timezone": lambda payload: timezone(_span(*_integers(payload, 3))),
    "decimal": _read_decimal,
    "fraction": _read_fraction,
    "array": _read_array,
    "scalar": _read_scalar,
    "objects": _read_objects,
}
assert min(2 * MAX_NESTING, MAX_DIGIT_RUN) > SHORT_BYTES
assert MAX_DECIMAL_INT_BITS * 0.302 < MAX_DIGIT_RUN  # what is written in decimal can be read back
