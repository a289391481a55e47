"""Which code of an answer strict grading runs: several fences, a usage example first, prose without a fence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import cases

from colbench_gym.action import MAX_FENCED_BLOCKS, extract_code
from colbench_gym.graders.unit_tests.answer_program import answer_program

CALLS = ("double(2)", "double(3)")
FUNCTION = "def double(x):\n    return 2 * x\n"
USING = "def double(x):\n    return times(x, FACTOR)\n"
HELPER = "FACTOR = 2\n\ndef times(a, b):\n    return a * b\n"


def fenced(*blocks, language="python"):
    return "\n\nThen:\n\n".join(f"```{language}\n{block}```" for block in blocks)


def ran(answer, calls=CALLS):
    """Values of the calls after the chosen program; only the texts of this file come here."""
    scope = {}
    exec(answer_program(answer, calls), scope)
    return [eval(call, scope) for call in calls]


@pytest.mark.parametrize("answer", cases(__file__, "the_function_is_found"))
def test_the_function_is_found(answer):
    assert ran(answer) == [4, 6]


@pytest.mark.parametrize(
    "broken", ["def double(x:\n    return x\n", "import this\nasync  def double (x)\n", "if 1:\n  def double\n"]
)
def test_a_function_that_is_no_program_is_the_answer_before_a_later_one(broken):
    assert answer_program(fenced(broken, FUNCTION), CALLS) == broken
    assert answer_program(fenced(broken, FUNCTION, language=""), CALLS) == broken
    assert answer_program(fenced(broken.replace("double", "doubles"), FUNCTION), CALLS) == FUNCTION


def test_a_block_that_is_not_needed_is_not_run():
    assert "raise" not in answer_program(fenced(FUNCTION, "raise ValueError\n"), CALLS)
    assert answer_program(fenced(FUNCTION, HELPER), CALLS) == FUNCTION


def test_blocks_are_joined_in_their_order_and_each_once():
    first, second = "BASE = 2\n", "def times(a, b):\n    return a * b * BASE // 2\nFACTOR = BASE\n"
    assert answer_program(fenced(USING, second, first), CALLS) == "\n".join((second, first, USING))


@pytest.mark.parametrize("answer", ["", "No idea.", "```python\n", "def double(x:", "def of things\nnothing", "\0"])
def test_what_holds_no_program_is_returned_as_it_was(answer):
    assert answer_program(answer, CALLS) == extract_code(answer)
    assert answer_program(answer, ()) == extract_code(answer)


@given(
    st.text()
    | st.lists(st.sampled_from(["```python\n", "```", "\n", "def f():\n", " return 1\n", "x", "~~~"])).map("".join)
)
def test_any_text_has_some_program(text):
    assert isinstance(answer_program(text, CALLS), str)


def test_of_very_many_blocks_the_first_ones_are_read():
    blocks = ["pass\n"] * (MAX_FENCED_BLOCKS - 1)
    assert ran(fenced(*blocks, FUNCTION)) == [4, 6]
    assert answer_program(fenced(*blocks, "pass\n", FUNCTION), CALLS) == "pass\n"
