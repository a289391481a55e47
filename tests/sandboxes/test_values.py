"""Values cross from the sandbox as data: what is read back equals what was written, whatever a program makes of it."""

import collections
import contextlib
import datetime as dt
import enum
import itertools
import json
import math
import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.samples import sample
from support.tables import values

from colbench_gym.sandboxes.values import NotDataError, TypeName, decode
from colbench_gym.sandboxes.worker.values import MAX_NESTING, Unserialisable, encode

LIMIT = 1 << 20
Named = collections.namedtuple("Named", "a b")
ZONE = dt.timezone(dt.timedelta(hours=5, minutes=30))


class Color(enum.IntEnum):
    RED = 1


class Loud(str):
    __slots__ = ()

    def __eq__(self, other):
        raise AssertionError("compared")

    def __repr__(self):
        raise AssertionError("shown")

    __hash__ = None
    __str__ = __len__ = __iter__ = __repr__


class Liar(dict):
    """Claims other items than it holds."""

    def items(self):
        return [("forged", True)]

    def __iter__(self):
        return iter(["forged"])

    def __len__(self):
        return 0

    keys = values = __reversed__ = items

    @property
    def __class__(self):
        return int


class HostileMeta(type):
    def __eq__(cls, other):
        raise AssertionError("metaclass compared")

    def __hash__(cls):
        raise AssertionError("metaclass hashed")

    def __repr__(cls):
        raise AssertionError("metaclass shown")


class Hostile(list, metaclass=HostileMeta):
    def __iter__(self):
        raise AssertionError("iterated")


def through(value):
    return decode(encode(value, LIMIT))


NAMES = {
    "np": np, "dt": dt, "math": math, "collections": collections, "Decimal": Decimal, "Fraction": Fraction,
    "ZONE": ZONE, "time": time,
}  # fmt: skip
EQUAL = values(__file__, "equal_values.txt", NAMES)


@pytest.mark.parametrize("value", EQUAL, ids=lambda value: type(value).__name__)
def test_what_is_data_comes_back_equal_and_of_its_type(value):
    back = through(value)
    assert type(back) is type(value)
    assert back == value


@pytest.mark.parametrize("value", [math.nan, np.float64("nan"), Decimal("nan")], ids=repr)
def test_nan_comes_back(value):
    back = through(value)
    assert type(back) is type(value)
    assert back != back


ARRAYS = values(__file__, "values_arrays.txt", {"np": np})


@pytest.mark.parametrize("value", ARRAYS, ids=lambda value: str(value.dtype))
def test_arrays_come_back(value):
    back = through(value)
    assert type(back) is np.ndarray
    assert back.dtype == value.dtype
    assert back.shape == value.shape
    value = np.asarray(value)
    assert back.tolist() == value.tolist() if value.dtype == object else back.tobytes() == value.tobytes()


@pytest.mark.parametrize(("make", "base"), values(__file__, "values_of_subclasses.txt", globals() | NAMES))
def test_subclasses_are_read_as_their_base(make, base):
    back = through(make())
    assert type(back) is type(base)
    assert back == base


def test_classes_of_a_program_are_their_names():
    assert through(Named) == TypeName(__name__, "Named")
    assert through(HostileMeta) == TypeName(__name__, "HostileMeta")


def cyclic():
    value = [1]
    value.append({"again": value})
    return value


def wide():
    value = [1]
    for _ in range(100):
        value = [value, value]
    return value


def deep():
    value = []
    for _ in range(MAX_NESTING + 1):
        value = (value,)
    return value


@pytest.mark.slow
@pytest.mark.parametrize(
    "value", values(__file__, "values_that_are_no_data.txt", globals()), ids=lambda value: type(value).__name__
)
def test_what_is_not_data_is_refused(value):
    with pytest.raises(Unserialisable):
        encode(value, LIMIT)
    with pytest.raises(Unserialisable):
        encode([value], LIMIT)


FORGED = values(__file__, "forged_values.txt", NAMES)


@pytest.mark.parametrize("text", FORGED, ids=lambda text: text[:40])
def test_forged_text_is_refused(text):
    data = text.encode("utf-8", "surrogatepass")
    if text.startswith("1e4"):
        assert decode(data) == math.inf
        return
    with pytest.raises(NotDataError):
        decode(data)


@pytest.mark.parametrize("tag", ["set", "frozenset", "dict"])
def test_keys_made_to_collide_are_refused(tag):
    modulus = (1 << 61) - 1
    keys = [str(modulus * k) for k in range(1, 40_000)]
    items = [part for key in keys for part in (key, "0")] if tag == "dict" else keys
    with pytest.raises(NotDataError, match="colliding"):
        decode(f'{{"{tag}":[{",".join(items)}]}}'.encode())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("opening", "piece"), values(__file__, "values_of_quotes_and_escapes.txt", {}), ids=lambda text: repr(text)
)
def test_a_megabyte_of_quotes_and_escapes_is_refused_in_one_pass(opening, piece):
    """Were a string that does not end tried again from each of its quotes, one of these would take hours."""
    with pytest.raises(NotDataError):
        decode(opening + piece * (LIMIT // len(piece)))


@pytest.mark.parametrize(
    "text", ['a\\"', '\\\\"', "[" * 1000, "9" * 9000, '"' + "[" * 1000, "\\" + "9" * 9000, '\\"' * 3000]
)
def test_brackets_digits_and_escapes_in_a_string_are_only_text(text):
    value = [text, [text], {text: text}]
    assert through(value) == value


def test_what_collides_by_accident_is_data():
    grid = set(itertools.product(range(-2, 3), repeat=4))  # sixteen of its tuples have one hash
    powers = {1 << bits for bits in range(2000)}  # as have 33 of these
    assert through([grid, powers, frozenset({1 << bits for bits in range(1000)})])[:2] == [grid, powers]


def test_frozensets_of_frozensets_made_to_collide_are_refused():
    """Each level multiplies the cost of comparing the one below; no single set holds many keys of one hash."""
    ours = [key * ((1 << 61) - 1) for key in range(60)]
    leaves = [json.dumps([*ours[:at], *ours[at + 1 :]]) for at in range(12)]
    items = ",".join(f'{{"frozenset":{leaf}}}' for leaf in leaves)
    with pytest.raises(NotDataError, match="colliding"):
        decode(f'{{"set":[{items}]}}'.encode())


def test_few_long_keys_made_to_collide_are_refused():
    keys = [[-1 - (key >> bit & 1) for bit in range(5)] for key in range(17)]  # the hash of -1 is that of -2
    items = ",".join('{"tuple":[' + ",".join(map(str, [-1] * 600 + key)) + "]}" for key in keys)
    with pytest.raises(NotDataError, match="colliding"):
        decode(f'{{"set":[{items}]}}'.encode())


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters()) | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)


@given(PLAIN)
@settings(max_examples=sample(200), deadline=None)
def test_round_trip(value):
    assert through(value) == value


@given(st.binary(max_size=200) | st.text(alphabet='[]{}",:0123456789.eE-tuplesdicarnNI', max_size=200).map(str.encode))
@settings(max_examples=sample(500), deadline=None)
def test_any_bytes_are_a_value_or_refused(data):
    with contextlib.suppress(NotDataError):
        decode(data)


@given(st.sampled_from([text for text in FORGED if len(text) < 200]), st.integers(0, 200), st.binary(max_size=4))
@settings(max_examples=sample(300), deadline=None)
def test_damaged_text_is_a_value_or_refused(text, at, patch):
    data = text.encode("utf-8", "surrogatepass")
    with contextlib.suppress(NotDataError):
        decode(data[:at] + patch + data[at + 1 :])
