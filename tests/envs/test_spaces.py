"""UnicodeText as a space, and in the shared memory of vector environments under every start method."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from gymnasium.spaces import Dict, Text, Tuple, flatten, flatten_space, unflatten
from gymnasium.vector.utils import (
    batch_space,
    create_empty_array,
    create_shared_memory,
    read_from_shared_memory,
    write_to_shared_memory,
)
from hypothesis import given
from hypothesis import strategies as st

from colbench_gym.envs.spaces import UnicodeText

TEXTS = ["", "plain", "naïve\n→ 日本 \U0001f600\x00", "\U0010ffff" * 20]
START_METHODS = multiprocessing.get_all_start_methods()


@pytest.mark.parametrize("text", TEXTS)
def test_any_text_belongs_to_it(text):
    assert text in UnicodeText(20)


@pytest.mark.parametrize("value", ["x" * 21, "\ud800", None, 5, b"x", ["x"]])
def test_what_does_not_belong_to_it(value):
    assert value not in UnicodeText(20)


def test_a_least_length():
    assert "" not in UnicodeText(5, min_length=1)
    with pytest.raises((ValueError, AssertionError), match="min_length"):  # AssertionError in older Gymnasium
        UnicodeText(5, min_length=6)


def test_samples_belong_to_it_and_are_seeded():
    for length in (0, 1, 5, 200_000):
        one, other = UnicodeText(length, seed=3), UnicodeText(length, seed=3)
        samples = [one.sample() for _ in range(20)]
        assert samples == [other.sample() for _ in range(20)]
        assert all(sample in one and sample.isascii() and len(sample) <= 80 for sample in samples)
    with pytest.raises(ValueError, match="takes no mask"):
        UnicodeText(5).sample(mask=(3, None))


def test_equality_copies_and_repr():
    space = UnicodeText(20, min_length=1)
    assert space == UnicodeText(20, min_length=1) == copy.deepcopy(space) == pickle.loads(pickle.dumps(space))
    assert space != UnicodeText(20)
    assert space != Text(20)
    assert repr(space) == "UnicodeText(1, 20)"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_flattening_loses_nothing(text):
    space = UnicodeText(20)
    assert flatten(space, text) in flatten_space(space)
    assert unflatten(space, flatten(space, text)) == text


def test_the_character_properties_are_computed():
    space = UnicodeText(5)
    assert len(space.character_set) == len(space.character_list) == 0x110000 - 0x800
    assert "日" in space.character_set
    assert "\ud800" not in space.character_set
    assert space.character_list[space.character_index("\ue000")] == "\ue000"
    assert next(iter(space.character_list)) == "\x00"
    with pytest.raises(ValueError, match="lone surrogate"):
        space.character_index("\ud800")
    with pytest.raises(IndexError):
        space.character_list[0x110000 - 0x800]


def test_it_can_be_batched():
    assert batch_space(UnicodeText(5), 2) == Tuple([UnicodeText(5), UnicodeText(5)])
    assert create_empty_array(UnicodeText(5), 2) == ("", "")


def nested():
    return Dict({"outer": Dict({"text": UnicodeText(20)}), "pair": Tuple([UnicodeText(20), UnicodeText(5)])})


def _write(space, memory):
    for at, text in enumerate(TEXTS):
        write_to_shared_memory(space, at, {"outer": {"text": text}, "pair": (text, text[:5])}, memory)


@pytest.mark.slow
@pytest.mark.parametrize("method", START_METHODS)
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # fork, from Python 3.12 on
def test_another_process_writes_and_this_one_reads(method):
    context = multiprocessing.get_context(method)
    space, n = nested(), len(TEXTS)
    memory = create_shared_memory(space, n=n, ctx=context)
    view = read_from_shared_memory(space, memory, n=n)
    writer = context.Process(target=_write, args=(space, memory))
    writer.start()
    writer.join()
    assert writer.exitcode == 0
    read = copy.deepcopy(view)
    assert read == {"outer": {"text": tuple(TEXTS)}, "pair": (tuple(TEXTS), tuple(text[:5] for text in TEXTS))}
    write_to_shared_memory(space, 0, {"outer": {"text": "new"}, "pair": ("", "")}, memory)
    assert view["outer"]["text"][0] == "new"  # a view shows what is there now
    assert read["outer"]["text"][0] == ""  # a deep copy does not change


def test_the_view_is_a_sequence():
    space = UnicodeText(20)
    memory = create_shared_memory(space, n=4)
    view = read_from_shared_memory(space, memory, n=4)
    for at, text in enumerate(TEXTS):
        write_to_shared_memory(space, at, text, memory)
    assert (len(view), list(view), view[-1], view[1:3]) == (4, TEXTS, TEXTS[3], tuple(TEXTS[1:3]))
    assert view == tuple(TEXTS)
    assert view != ("other",)
    assert "plain" in repr(view)
    with pytest.raises(IndexError):
        view[4]


def test_a_text_that_is_too_long_disturbs_no_neighbour():
    space = UnicodeText(3)
    memory = create_shared_memory(space, n=2)
    write_to_shared_memory(space, 1, "abc", memory)
    with pytest.raises(ValueError, match="expected at most 3"):
        write_to_shared_memory(space, 0, "x" * 20, memory)
    assert tuple(read_from_shared_memory(space, memory, n=2)) == ("", "abc")


def test_sampling_numbers_are_numpys():
    assert isinstance(UnicodeText(5).character_index("a"), np.int32)
