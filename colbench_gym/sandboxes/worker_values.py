"""Write a program's value as tagged JSON text, reading it only through the methods of the base types.

``null``, booleans, numbers (``NaN`` and ``Infinity`` included), strings and arrays (lists) stand for themselves; every
other value is an object with one key, its tag, such as ``{"tuple": [1, 2]}``. A subclass (a named tuple, a Counter, an
IntEnum) is written as the base class it extends. What has no equality of its own (functions, generators, instances of
the program's classes) is not data: :class:`Unserialisable`. Standard library only: it runs inside the sandbox.
"""

import sys
from _collections import deque
from _json import encode_basestring_ascii as _quote

MAX_NESTING = 200  # containers in containers; deeper values (and cyclic ones) are not data
MAX_DECIMAL_INT_BITS = 10_000  # longer ints travel as hexadecimal: decimal conversion is quadratic

_mro = type.__dict__["__mro__"].__get__
_type_name = type.__dict__["__qualname__"].__get__
_type_module = type.__dict__["__module__"].__get__


class Unserialisable(Exception):
    """The value is not data, or is too large or too deep."""


class _Text:
    """The pieces written so far and the room that is left, in nodes: a node takes at least two bytes."""

    __slots__ = ("nodes_left", "pieces")

    def __init__(self, max_bytes):
        self.pieces = []
        self.nodes_left = max_bytes // 2


def encode(value, max_bytes):
    """Return the tagged JSON text of ``value`` as ASCII bytes of at most ``max_bytes``.

    Raises:
        Unserialisable: it is not data, is cyclic, nests deeper than MAX_NESTING, or does not fit.
    """
    text = _Text(max_bytes)
    _put(value, text, 0)
    joined = "".join(text.pieces)
    if len(joined) > max_bytes:
        raise Unserialisable
    return joined.encode("ascii")


def _put(value, text, depth):
    write = _WRITERS.get(id(type(value))) or _writer_of_base(type(value))
    text.nodes_left -= 1
    if depth > MAX_NESTING or text.nodes_left < 0:
        raise Unserialisable
    write(value, text, depth)


def _put_items(tag, items, text, depth):
    """Write ``items`` as an array, tagged unless ``tag`` is empty."""
    pieces = text.pieces
    pieces.append('{"%s":[' % tag if tag else "[")
    first = True
    for item in items:
        if first:
            first = False
        else:
            pieces.append(",")
        _put(item, text, depth + 1)
    pieces.append("]}" if tag else "]")


def _put_flat(tag, text, *parts):
    """Write a tagged array of plain scalars."""
    written = ["null" if part is None else _quote(part) if type(part) is str else repr(part) for part in parts]
    text.pieces.append('{"%s":[%s]}' % (tag, ",".join(written)))


def _put_none(value, text, depth):
    text.pieces.append("null")


def _put_bool(value, text, depth):
    text.pieces.append("true" if value else "false")


def _put_int(value, text, depth):
    if int.bit_length(value) <= MAX_DECIMAL_INT_BITS:
        text.pieces.append(int.__repr__(value))
    else:
        text.pieces.append('{"int":"%s"}' % int.__format__(value, "x"))


def _put_float(value, text, depth):
    value = float.__float__(value)
    written = float.__repr__(value)
    if value - value != 0.0:
        written = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    text.pieces.append(written)


def _put_complex(value, text, depth):
    text.pieces.append('{"complex":[')
    _put_float(complex.real.__get__(value), text, depth)
    text.pieces.append(",")
    _put_float(complex.imag.__get__(value), text, depth)
    text.pieces.append("]}")


def _put_str(value, text, depth):
    text.nodes_left -= str.__len__(value) // 2
    if text.nodes_left < 0:
        raise Unserialisable
    if not str.isascii(value):
        try:
            str.encode(value)
        except UnicodeEncodeError:  # lone surrogates: two of them side by side would be read back as one character
            text.pieces.append('{"str":"%s"}' % str.encode(value, "utf-8", "surrogatepass").hex())
            return
    text.pieces.append(_quote(str.__str__(value)))


def _put_bytes(value, text, depth):
    text.nodes_left -= bytes.__len__(value)
    if text.nodes_left < 0:
        raise Unserialisable
    text.pieces.append('{"bytes":"%s"}' % bytes.hex(value))


def _put_bytearray(value, text, depth):
    text.nodes_left -= bytearray.__len__(value)
    if text.nodes_left < 0:
        raise Unserialisable
    text.pieces.append('{"bytearray":"%s"}' % bytearray.hex(value))


def _put_list(value, text, depth):
    _put_items("", list.__iter__(value), text, depth)


def _put_tuple(value, text, depth):
    _put_items("tuple", tuple.__iter__(value), text, depth)


def _put_set(value, text, depth):
    _put_items("set", set.__iter__(value), text, depth)


def _put_frozenset(value, text, depth):
    _put_items("frozenset", frozenset.__iter__(value), text, depth)


def _put_view(value, text, depth):
    """Keys and items views are equal to the set of what they show."""
    _put_items("set", iter(value), text, depth)


def _put_deque(value, text, depth):
    _put_items("deque", deque.__iter__(value), text, depth)


def _put_dict(value, text, depth):
    pieces = text.pieces
    pieces.append('{"dict":[')
    first = True
    for key, item in dict.items(value):
        if first:
            first = False
        else:
            pieces.append(",")
        _put(key, text, depth + 1)
        pieces.append(",")
        _put(item, text, depth + 1)
    pieces.append("]}")


def _put_range(value, text, depth):
    _put_items("range", (value.start, value.stop, value.step), text, depth)


def _put_ellipsis(value, text, depth):
    text.pieces.append('{"ellipsis":[]}')


def _put_type(value, text, depth):
    module, name = _type_module(value), _type_name(value)
    if type(module) is not str or type(name) is not str:
        raise Unserialisable
    _put_items("type", (module, name), text, depth)


_WRITERS = {
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


def _span(delta):
    """The three numbers of a timedelta, read with the base class's descriptors."""
    kind = sys.modules["datetime"].timedelta
    return kind.days.__get__(delta), kind.seconds.__get__(delta), kind.microseconds.__get__(delta)


def _zone(value):
    """The offset of an aware datetime or time as a span; () when it is naive."""
    offset = value.utcoffset()
    return () if offset is None else _span(offset)


def _datetime_writers(module):
    date, time, datetime = module.date, module.time, module.datetime

    def put_date(value, text, depth):
        _put_flat("date", text, *(getattr(date, part).__get__(value) for part in ("year", "month", "day")))

    def put_time(value, text, depth):
        parts = (getattr(time, part).__get__(value) for part in ("hour", "minute", "second", "microsecond", "fold"))
        _put_flat("time", text, *parts, *_zone(value))

    def put_datetime(value, text, depth):
        names = ("year", "month", "day", "hour", "minute", "second", "microsecond", "fold")
        _put_flat("datetime", text, *(getattr(datetime, part).__get__(value) for part in names), *_zone(value))

    def put_timedelta(value, text, depth):
        _put_flat("timedelta", text, *_span(value))

    def put_timezone(value, text, depth):
        _put_flat("timezone", text, *_span(module.timezone.utcoffset(value, None)))

    return (
        (module.date, put_date),
        (module.time, put_time),
        (module.datetime, put_datetime),
        (module.timedelta, put_timedelta),
        (module.timezone, put_timezone),
    )


def _decimal_writers(module):
    return ((module.Decimal, lambda value, text, depth: _put_flat("decimal", text, module.Decimal.__str__(value))),)


def _fractions_writers(module):
    def put_fraction(value, text, depth):
        _put_items("fraction", (value._numerator, value._denominator), text, depth)

    return ((module.Fraction, put_fraction),)


def _numpy_writers(module):
    ndarray, generic = module.ndarray, module.generic

    def put_buffer(tag, dtype, shape, data, text):
        if dtype.kind not in "biufcmMSU" or dtype.hasobject:
            raise Unserialisable
        text.nodes_left -= len(data)
        if text.nodes_left < 0:
            raise Unserialisable
        _put_flat(tag, text, dtype.str, data.hex(), *shape)

    def put_array(value, text, depth):
        dtype, shape = ndarray.dtype.__get__(value), ndarray.shape.__get__(value)
        if dtype.kind == "O":
            _put_items("objects", (list(shape), list(ndarray.flat.__get__(value))), text, depth)
        else:
            if ndarray.nbytes.__get__(value) > text.nodes_left:
                raise Unserialisable
            put_buffer("array", dtype, shape, ndarray.tobytes(value), text)

    def put_scalar(value, text, depth):
        put_buffer("scalar", generic.dtype.__get__(value), (), generic.tobytes(value), text)

    return ((ndarray, put_array), (generic, put_scalar))


_LATER = {
    "datetime": _datetime_writers,
    "decimal": _decimal_writers,
    "fractions": _fractions_writers,
    "numpy": _numpy_writers,
}


def _writer_of_base(kind):
    """The writer of the first base class that has one."""
    for name in list(_LATER):
        module = sys.modules.get(name)
        if module is not None:
            for known, writer in _LATER.pop(name)(module):
                _WRITERS[id(known)] = writer
    for base in _mro(kind):
        writer = _WRITERS.get(id(base))
        if writer is not None:
            return writer
    raise Unserialisable
