"""Write a program's value as tagged JSON text, reading it only through the methods of the base types.

``null``, booleans, numbers (``NaN`` and ``Infinity`` included), strings and arrays (lists) stand for themselves; every
other value is an object with one key, its tag, such as ``{"tuple": [1, 2]}``. A subclass (a named tuple, a Counter, an
IntEnum) is written as the base class it extends. What has no equality of its own (functions, generators, instances of
the program's classes) is not data: :class:`Unserialisable`. Standard library only: it runs inside the sandbox.
"""

from __future__ import annotations

import sys
from _json import encode_basestring_ascii as _quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Callable, Iterable
    from typing import Any  # any program's value: that is what this module is for

    Writers = tuple[tuple[type, Callable[[Any, "_Text"], None]], ...]
else:
    from _collections import deque  # collections imports much, for which every fork would pay

MAX_NESTING = 200  # containers in containers; deeper values (and cyclic ones) are not data
MAX_DECIMAL_INT_BITS = 10_000  # longer ints travel as hexadecimal: decimal conversion is quadratic

_mro = type.__dict__["__mro__"].__get__
_type_name = type.__dict__["__qualname__"].__get__
_type_module = type.__dict__["__module__"].__get__


class Unserialisable(Exception):
    """The value is not data, or is too large or too deep."""


class _Text:
    """The pieces written so far and the room that is left, in nodes: a node takes at least two bytes."""

    __slots__ = ("depth", "nodes_left", "pieces")

    def __init__(self, max_bytes: int) -> None:
        self.pieces: list[str] = []
        self.nodes_left = max_bytes // 2
        self.depth = 0

    def spend(self, nodes: int) -> None:
        """Refuse what cannot fit before it is built."""
        self.nodes_left -= nodes
        if self.nodes_left < 0:
            raise Unserialisable

    def enter(self) -> None:
        """Count one container in another."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise Unserialisable


def encode(value: object, max_bytes: int) -> bytes:
    """Return the tagged JSON text of ``value`` as ASCII bytes of at most ``max_bytes``.

    Raises:
        Unserialisable: it is not data, is cyclic, nests deeper than MAX_NESTING, or does not fit.
    """
    text = _Text(max_bytes)
    _put(value, text)
    joined = "".join(text.pieces)
    if len(joined) > max_bytes:
        raise Unserialisable
    return joined.encode("ascii")


def _put(value: object, text: _Text) -> None:
    write = _WRITERS.get(id(type(value))) or _writer_of_base(type(value))
    text.nodes_left -= 1
    if text.nodes_left < 0:
        raise Unserialisable
    write(value, text)


def _put_items(tag: str, items: Iterable[object], text: _Text) -> None:
    """Write ``items`` as an array, tagged unless ``tag`` is empty."""
    pieces = text.pieces
    text.enter()
    pieces.append(f'{{"{tag}":[' if tag else "[")
    first = True
    for item in items:
        if first:
            first = False
        else:
            pieces.append(",")
        _put(item, text)
    pieces.append("]}" if tag else "]")
    text.depth -= 1


def _put_flat(tag: str, text: _Text, *parts: object) -> None:
    """Write a tagged array of plain scalars."""
    written = ["null" if part is None else _quote(part) if type(part) is str else repr(part) for part in parts]
    text.pieces.append(f'{{"{tag}":[{",".join(written)}]}}')


def _put_none(_value: Any, text: _Text) -> None:
    text.pieces.append("null")


def _put_bool(value: Any, text: _Text) -> None:
    text.pieces.append("true" if value else "false")


def _put_int(value: Any, text: _Text) -> None:
    if int.bit_length(value) <= MAX_DECIMAL_INT_BITS:
        text.pieces.append(int.__repr__(value))
    else:
        text.pieces.append('{"int":"' + int.__format__(value, "x") + '"}')


def _put_float(value: Any, text: _Text) -> None:
    value = float.__float__(value)
    written = float.__repr__(value)
    if value - value != 0.0:
        written = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    text.pieces.append(written)


def _put_complex(value: Any, text: _Text) -> None:
    text.pieces.append('{"complex":[')
    _put_float(complex.real.__get__(value), text)
    text.pieces.append(",")
    _put_float(complex.imag.__get__(value), text)
    text.pieces.append("]}")


def _put_str(value: Any, text: _Text) -> None:
    text.spend(str.__len__(value) // 2)
    if not str.isascii(value):
        try:
            str.encode(value)
        except UnicodeEncodeError:  # lone surrogates: two of them side by side would be read back as one character
            text.pieces.append('{"str":"' + str.encode(value, "utf-8", "surrogatepass").hex() + '"}')
            return
    text.pieces.append(_quote(str.__str__(value)))


def _put_bytes(value: Any, text: _Text) -> None:
    text.spend(bytes.__len__(value))
    text.pieces.append('{"bytes":"' + bytes.hex(value) + '"}')


def _put_bytearray(value: Any, text: _Text) -> None:
    text.spend(bytearray.__len__(value))
    text.pieces.append('{"bytearray":"' + bytearray.hex(value) + '"}')


def _put_list(value: Any, text: _Text) -> None:
    _put_items("", list.__iter__(value), text)


def _put_tuple(value: Any, text: _Text) -> None:
    _put_items("tuple", tuple.__iter__(value), text)


def _put_set(value: Any, text: _Text) -> None:
    _put_items("set", set.__iter__(value), text)


def _put_frozenset(value: Any, text: _Text) -> None:
    _put_items("frozenset", frozenset.__iter__(value), text)


def _put_view(value: Any, text: _Text) -> None:
    """Write a keys or items view as the set that it is equal to."""
    _put_items("set", iter(value), text)


def _put_deque(value: Any, text: _Text) -> None:
    _put_items("deque", deque.__iter__(value), text)


def _put_dict(value: Any, text: _Text) -> None:
    pieces = text.pieces
    text.enter()
    pieces.append('{"dict":[')
    first = True
    for key, item in dict.items(value):
        if first:
            first = False
        else:
            pieces.append(",")
        _put(key, text)
        pieces.append(",")
        _put(item, text)
    pieces.append("]}")
    text.depth -= 1


def _put_range(value: Any, text: _Text) -> None:
    _put_items("range", (value.start, value.stop, value.step), text)


def _put_ellipsis(_value: Any, text: _Text) -> None:
    text.pieces.append('{"ellipsis":[]}')


def _put_type(value: Any, text: _Text) -> None:
    module, name = _type_module(value), _type_name(value)
    if type(module) is not str or type(name) is not str:
        raise Unserialisable
    _put_items("type", (module, name), text)


_WRITERS: dict[int, Callable[[Any, _Text], None]] = {
    id(kind): writer
    for kind, writer in (
        (type(None), _put_none),
        (bool, _put_bool),
        (int, _put_int),
        (float, _put_float),
        (complex, _put_complex),
        (str, _put_str),
        (bytes, _put_bytes),
        (bytearray, _put_bytearray),
        (list, _put_list),
        (tuple, _put_tuple),
        (set, _put_set),
        (frozenset, _put_frozenset),
        (dict, _put_dict),
        (type({}.keys()), _put_view),
        (type({}.items()), _put_view),
        (deque, _put_deque),
        (range, _put_range),
        (type(...), _put_ellipsis),
        (type, _put_type),
    )
}


# The writers below are added when the program has imported the module that has their types.


def _span(delta: object) -> tuple[int, int, int]:
    """Return the three numbers of a timedelta, read with the base class's descriptors."""
    kind = sys.modules["datetime"].timedelta
    return kind.days.__get__(delta), kind.seconds.__get__(delta), kind.microseconds.__get__(delta)


def _zone(offset: object) -> tuple[int, ...]:
    """Return the offset of an aware datetime or time as a span; () when it is naive."""
    return () if offset is None else _span(offset)


def _datetime_writers(module: Any) -> Writers:
    date, time, datetime = module.date, module.time, module.datetime

    def put_date(value: Any, text: _Text) -> None:
        _put_flat("date", text, *(getattr(date, part).__get__(value) for part in ("year", "month", "day")))

    def put_time(value: Any, text: _Text) -> None:
        parts = (getattr(time, part).__get__(value) for part in ("hour", "minute", "second", "microsecond", "fold"))
        _put_flat("time", text, *parts, *_zone(time.utcoffset(value)))

    def put_datetime(value: Any, text: _Text) -> None:
        names = ("year", "month", "day", "hour", "minute", "second", "microsecond", "fold")
        _put_flat(
            "datetime",
            text,
            *(getattr(datetime, part).__get__(value) for part in names),
            *_zone(datetime.utcoffset(value)),
        )

    def put_timedelta(value: Any, text: _Text) -> None:
        _put_flat("timedelta", text, *_span(value))

    def put_timezone(value: Any, text: _Text) -> None:
        _put_flat("timezone", text, *_span(module.timezone.utcoffset(value, None)))

    return (
        (module.date, put_date),
        (module.time, put_time),
        (module.datetime, put_datetime),
        (module.timedelta, put_timedelta),
        (module.timezone, put_timezone),
    )


def _decimal_writers(module: Any) -> Writers:
    return ((module.Decimal, lambda value, text: _put_flat("decimal", text, module.Decimal.__str__(value))),)


def _fractions_writers(module: Any) -> Writers:
    parts = (module.Fraction._numerator, module.Fraction._denominator)

    def put_fraction(value: Any, text: _Text) -> None:
        _put_items("fraction", [part.__get__(value) for part in parts], text)

    return ((module.Fraction, put_fraction),)


def _numpy_writers(module: Any) -> Writers:
    ndarray, generic = module.ndarray, module.generic

    def put_buffer(tag: str, dtype: Any, shape: tuple[int, ...], data: bytes, text: _Text) -> None:
        if dtype.kind not in "biufcmMSU" or dtype.hasobject:
            raise Unserialisable
        text.spend(len(data))
        _put_flat(tag, text, dtype.str, data.hex(), *shape)

    def put_array(value: Any, text: _Text) -> None:
        dtype, shape = ndarray.dtype.__get__(value), ndarray.shape.__get__(value)
        if dtype.kind == "O":
            _put_items("objects", (list(shape), list(ndarray.flat.__get__(value))), text)
        else:
            if ndarray.nbytes.__get__(value) > text.nodes_left:
                raise Unserialisable
            put_buffer("array", dtype, shape, ndarray.tobytes(value), text)

    def put_scalar(value: Any, text: _Text) -> None:
        put_buffer("scalar", generic.dtype.__get__(value), (), generic.tobytes(value), text)

    return ((ndarray, put_array), (generic, put_scalar))


_LATER = {
    "datetime": _datetime_writers,
    "decimal": _decimal_writers,
    "fractions": _fractions_writers,
    "numpy": _numpy_writers,
}


def _writer_of_base(kind: type) -> Callable[[Any, _Text], None]:
    """Return the writer of the first base class that has one."""
    for name in list(_LATER):
        module = sys.modules.get(name)
        if module is not None:
            for known, writer in _LATER.pop(name)(module):
                _WRITERS[id(known)] = writer
    for base in _mro(kind):
        if id(base) in _WRITERS:
            return _WRITERS[id(base)]
    raise Unserialisable
