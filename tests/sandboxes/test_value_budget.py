"""What a program's results cost the host is bounded before anything is made of them: nodes and bytes are counted."""

import ctypes
import json
import resource
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.samples import sample
from support.tables import program

from colbench_gym.sandboxes import Limits
from colbench_gym.sandboxes.protocol import Exchange
from colbench_gym.sandboxes.values import MAX_MEMORY_BYTES, MAX_NODES, Budget, NotDataError, decode
from colbench_gym.sandboxes.worker.values import encode

RESULT_BYTES = Limits().max_result_bytes
SAMPLE_BYTES = 1 << 16
FIXED_BYTES = 1 << 16  # what reading takes however short the text is


@pytest.mark.parametrize("text", program(__file__, "arrays_larger_than_their_text.txt").splitlines())
def test_an_array_that_is_larger_than_its_text_is_refused_and_never_made(text):
    tracemalloc.start()
    with pytest.raises(NotDataError):
        decode(text.encode())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < FIXED_BYTES


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("piece", program(__file__, "value_budget_pieces.txt").splitlines())
def test_a_value_takes_no_more_memory_than_it_was_charged(piece):
    count = SAMPLE_BYTES // (len(piece) + 1)
    text = f"[{','.join([piece] * count)}]".encode()
    budget = Budget()
    tracemalloc.start()
    value = decode(text, budget)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken <= MAX_MEMORY_BYTES - budget.memory_bytes + FIXED_BYTES
    assert MAX_NODES - budget.nodes >= count
    del value


@pytest.mark.slow
def test_ten_results_full_of_deques_do_not_fill_the_host():
    piece = b'{"deque":[]}'
    payload = b"[" + b",".join([piece] * (RESULT_BYTES // 4 // (len(piece) + 1))) + b"]"
    tracemalloc.start()
    outcomes = Exchange(((b"v", payload),) * 10, None, 1.0).outcomes()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {outcome.status for outcome in outcomes} == {"returned", "unserialisable"}
    assert peak < 1.5 * MAX_MEMORY_BYTES


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library")
def test_the_memory_of_large_results_goes_back_to_the_system():
    pieces = (b'{"deque":[]}', b'{"objects":[[1],[1]]}', b"1")
    payloads = [b"[" + b",".join([piece] * ((1 << 20) // (len(piece) + 1))) + b"]" for piece in pieces]

    def read(number):
        Exchange(((b"v", payloads[number % len(payloads)]),) * 3, None, 1.0).outcomes()

    def resident_mb():
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6

    before = resident_mb()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(read, range(12)))
        Exchange(((b"v", b"1"),), None, 1.0).outcomes()
        assert resident_mb() - before < 50


def test_a_large_honest_result_is_data_ten_times():
    primes = [2 * n + 1 for n in range(78_498)]
    payload = encode(primes, RESULT_BYTES)
    outcomes = Exchange(((b"v", payload),) * 10, None, 1.0).outcomes()
    assert [outcome.value == primes for outcome in outcomes] == [True] * 10


def test_a_long_text_of_commas_and_brackets_is_one_node():
    budget = Budget()
    text = ",[{" * 100_000
    assert decode(json.dumps(text).encode(), budget) == text
    assert budget.nodes == MAX_NODES - 1


def test_a_range_whose_length_takes_long_to_find_is_refused():
    ends = ",".join('{"int":"' + digit * 8000 + '"}' for digit in "1f3")
    with pytest.raises(NotDataError, match="range"):
        decode(f'{{"range":[{ends}]}}'.encode())


JSON = st.recursive(
    st.none() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=8)
        | st.dictionaries(
            st.sampled_from(["tuple", "deque", "set", "dict", "array", "int"]), inner, min_size=1, max_size=1
        )
        | st.tuples(
            st.sampled_from(["<U0", "<f8", "|b1", "<U5"]), st.text("0f", max_size=64), st.integers(0, 1 << 40)
        ).map(lambda parts: {"array": list(parts)})
    ),
    max_leaves=60,
)


def nodes_of(value):
    """The nodes of a decoded value; arrays are one, as their items are no objects."""
    if isinstance(value, dict):
        return 1 + sum(nodes_of(key) + nodes_of(item) for key, item in value.items())
    if isinstance(value, np.ndarray):
        return 1
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        return 1
    return 1 + sum(map(nodes_of, value))


@given(JSON)
@settings(max_examples=sample(500), deadline=None)
def test_no_text_makes_more_nodes_than_it_is_charged(tree):
    budget = Budget()
    text = json.dumps(tree).encode()
    try:
        value = decode(text, budget)
    except NotDataError:
        return
    assert nodes_of(value) <= MAX_NODES - budget.nodes <= 5 * len(text)


@given(JSON, st.integers(0, 200), st.integers(0, 20_000))
@settings(max_examples=sample(300), deadline=None)
def test_what_the_budget_does_not_cover_is_refused_and_nothing_is_made(tree, nodes, memory_bytes):
    text = json.dumps(tree).encode()
    free = Budget()
    try:
        decode(text, free)
    except NotDataError:
        return
    needed = MAX_NODES - free.nodes, MAX_MEMORY_BYTES - free.memory_bytes
    if nodes >= needed[0] and memory_bytes >= needed[1]:
        decode(text, Budget(nodes, memory_bytes))
        return
    with pytest.raises(NotDataError, match="too many values"):
        decode(text, Budget(nodes, memory_bytes))
