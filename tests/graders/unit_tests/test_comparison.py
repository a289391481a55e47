"""What strict grading calls the same value: decisions by example, laws by hypothesis, hostile data."""

import datetime as dt
import tracemalloc
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import values

from colbench_gym.graders.unit_tests.comparison import same_value
from colbench_gym.graders.unit_tests.paper_rules import official_match
from colbench_gym.sandboxes.values import TypeName

NAN = float("nan")
UTC = dt.timezone.utc

NAMES = {
    "np": np, "dt": dt, "deque": deque, "Decimal": Decimal, "Fraction": Fraction, "NAN": NAN, "UTC": UTC,
    "TypeName": TypeName,
}  # fmt: skip
SAME = values(__file__, "same.txt", NAMES)
DIFFERENT = values(__file__, "different.txt", NAMES)


@pytest.mark.parametrize(("a", "b"), SAME, ids=range(len(SAME)))
def test_the_same(a, b):
    assert same_value(a, b)
    assert same_value(b, a)


@pytest.mark.parametrize(("a", "b"), DIFFERENT, ids=range(len(DIFFERENT)))
def test_different(a, b):
    assert not same_value(a, b)
    assert not same_value(b, a)


PLAIN_ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.builds(lambda quarters: quarters / 4, st.integers(-99, 99))  # never nearly equal
    | st.sampled_from([1e300, float("inf"), -float("inf")])
    | st.text(max_size=4)
    | st.binary(max_size=3)
)
ATOMS = (
    PLAIN_ATOMS
    | st.floats()
    | st.complex_numbers()
    | st.decimals()
    | st.fractions()
    | st.datetimes()
    | st.builds(np.float64, st.floats())
    | st.builds(np.bool_, st.booleans())
    | st.sampled_from([int, str, TypeName("answer", "P"), ...])
    | st.deferred(lambda: ODD_NUMBERS)
    | st.lists(st.floats(), max_size=3).map(np.array)
)
UNITS = st.sampled_from(["Y", "M", "W", "D", "h", "s", "ns", "as"])
COUNTS = st.sampled_from([0, 1, 12, 24, 365, 1 << 62, -(1 << 63)]) | st.integers(-(1 << 63), (1 << 63) - 1)
LONG = st.builds(np.longdouble, st.floats() | st.integers(-9, 9)) | st.just(np.longdouble(2) ** 16_000)
ODD_NUMBERS = (  # numbers and times that ``==`` compares badly, or raises on
    st.builds(np.datetime64, COUNTS, UNITS)
    | st.builds(np.timedelta64, COUNTS, UNITS)
    | st.builds(np.timedelta64, COUNTS)
    | LONG
    | st.builds(lambda *parts: np.array(parts, np.longdouble).view(np.clongdouble)[0], LONG, LONG)
    | st.sampled_from([0, 63, 64, 1000, 16_000, 131_071]).map(lambda bits: 1 << bits)
    | st.sampled_from([64, 16_000]).map(lambda bits: Fraction(1, 1 << bits))
    | st.sampled_from([Decimal(1), Decimal("sNaN"), Decimal("1E+1000000"), Decimal(1 << 16_000)])
    | st.sampled_from([1.0, 1j, complex(NAN, 1), complex(1, NAN), dt.timedelta(1), dt.date(2020, 1, 1)])
    | st.sampled_from([np.uint64(1 << 63), np.array([1 << 63], np.uint64), np.array(1), np.array([1, None], object)])
    | st.lists(st.builds(np.timedelta64, COUNTS, st.just("Y")), max_size=2).map(lambda items: np.array(items, "m8[Y]"))
    | st.lists(st.builds(np.timedelta64, COUNTS, st.just("D")), max_size=2).map(lambda items: np.array(items, "m8[D]"))
    | st.lists(LONG, max_size=2).map(lambda items: np.array(items, np.longdouble))
)


def nested(atoms):
    keys = st.recursive(
        atoms.filter(hashable),
        lambda inner: st.lists(inner, max_size=3).map(tuple) | st.frozensets(inner, max_size=3),
        max_leaves=4,
    )
    return st.recursive(
        atoms,
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.lists(inner, max_size=4).map(tuple)
            | st.dictionaries(keys, inner, max_size=4)
            | st.sets(keys, max_size=4)
        ),
        max_leaves=12,
    )


def hashable(value) -> bool:
    try:
        hash(value)
    except (TypeError, ValueError):  # arrays; a signalling NaN
        return False
    return True


def copied(value):
    """The same value built anew, so that nothing is identical."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return type(value)(map(copied, value))
    if isinstance(value, dict):
        return {copied(key): copied(item) for key, item in value.items()}
    if type(value) is float:
        return float(repr(value))
    return value.copy() if isinstance(value, np.ndarray) else value


@given(nested(ATOMS))
def test_reflexive_also_on_a_copy(value):
    assert same_value(value, value)
    assert same_value(value, copied(value))


@given(nested(ATOMS), nested(ATOMS))
def test_symmetric_and_total(a, b):
    assert same_value(a, b) is same_value(b, a)
    assert official_match(a, b) in (True, False)


@given(ODD_NUMBERS, ODD_NUMBERS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy, of long doubles that no double can hold
def test_symmetric_and_total_on_odd_numbers(a, b):
    verdict = same_value(a, b)
    assert same_value(b, a) is same_value([a], [b]) is same_value({"k": (b,)}, {"k": (a,)}) is verdict
    for pair in ((a, b), (b, a), ([a], [b]), ((b,), (a,)), ({"k": [a]}, {"k": [b]})):
        assert official_match(*pair) in (True, False)
    if hashable(a) and hashable(b):
        assert same_value({a}, {b}) is same_value({b}, {a})
        assert same_value({a: 0}, {b: 0}) is same_value({b: 0}, {a: 0})


@given(nested(PLAIN_ATOMS), nested(PLAIN_ATOMS))
def test_agrees_with_python_on_plain_data(a, b):
    assert same_value(a, b) == (a == b)


def deep(kind, levels, core):
    value = core
    for _ in range(levels):
        value = kind([value])
    return value


@pytest.mark.parametrize("kind", [list, tuple])
def test_deep_values_do_not_recurse(kind):
    assert same_value(deep(kind, 20_000, 1), deep(kind, 20_000, 1))
    assert not same_value(deep(kind, 20_000, 1), deep(kind, 20_000, 2))


def test_deep_dicts_do_not_recurse():
    dicts = [deep(lambda inner: {"a": inner[0]}, 20_000, 1) for _ in range(2)]
    assert same_value(*dicts)


def test_deep_keys_do_not_recurse():
    assert same_value({deep(tuple, 2000, 1)}, {deep(tuple, 2000, 1)})
    assert not same_value({deep(tuple, 2000, 1)}, {deep(tuple, 2000, 2)})
    assert same_value({deep(frozenset, 20, NAN)}, {deep(frozenset, 20, float("nan"))})
    value = {deep(frozenset, 3000, 1)}
    assert same_value(value, value)
    assert same_value(value, {deep(frozenset, 3000, 1)}) is False  # deeper than anything a sandbox hands over


def test_colliding_keys_cost_nothing():
    modulus = 2**61 - 1  # the hash of every multiple is 0
    flood = {n * modulus for n in range(600)}
    assert not same_value(flood, {n * modulus for n in range(600)})
    assert not same_value(dict.fromkeys(flood), dict.fromkeys(set(flood)))
    assert same_value(set(range(100_000)), set(map(float, range(100_000))))


def test_a_decimal_against_a_very_long_int_is_quick():
    assert not same_value(Decimal("1.5"), (1 << 4_000_000) + 1)
    assert same_value(Decimal(1 << 4000), 1 << 4000)


def test_only_data_is_compared():
    class Liar:
        def __eq__(self, other):
            raise RuntimeError

        __hash__ = None

    liar = Liar()
    assert same_value([liar], [liar])
    assert not same_value([liar], [Liar()])
    assert not same_value(1, liar)
    assert not same_value(liar, 1)


class CountedPairs(list):
    """A list that counts how often an item is taken from it."""

    taken = 0

    def __iter__(self):
        for item in super().__iter__():
            CountedPairs.taken += 1
            yield item


@pytest.mark.parametrize("dtype", ["S1", "U4", "M8[D]", "m8[s]", "f8", "c16", "b1"])
def test_large_arrays_are_compared_as_a_whole(dtype):
    """No item of an array becomes an object: a result can hold half a million of them."""
    count = 200_000
    ours, theirs = (np.ones(count, dtype="i8").astype(dtype) for _ in range(2))
    tracemalloc.start()
    assert same_value(ours, theirs)
    theirs[-1] = np.zeros(1, dtype="i8").astype(dtype)[0]
    assert not same_value(ours, theirs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * count  # a list of that many items takes more


def test_arrays_of_times_keep_their_rules():
    days = np.array(["2024-01-01", "NaT"], dtype="M8[D]")
    assert same_value(days, days.astype("M8[s]"))
    assert not same_value(np.array([1], dtype="m8[Y]"), np.array([365], dtype="m8[D]"))
    assert not same_value(np.array([b"a"]), np.array(["a"]))


def test_unequal_lengths_are_seen_without_looking_at_items():
    CountedPairs.taken = 0
    assert not same_value(CountedPairs(range(1000)), CountedPairs(range(999)))
    assert CountedPairs.taken == 0
