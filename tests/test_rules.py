"""The official numbers, and what Rules refuses."""

import dataclasses
from dataclasses import replace

import pytest

from colbench_gym import UsageError, rules
from colbench_gym.rules import BACKEND, FRONTEND, RULES


def test_the_official_numbers():
    assert (BACKEND.max_turns, BACKEND.human_chars) == (10, 400)
    assert (FRONTEND.max_turns, FRONTEND.human_chars) == (10, 1000)
    for track in RULES.values():
        assert (track.thinking_marker, track.answer_marker) == ("OUTPUT:", "I WANT TO ANSWER:")
        assert track.max_message_chars == 200_000
    assert rules.TESTS_PER_TASK == 10
    assert (rules.PAPER_WALL_S_PER_TEST, rules.STRICT_CPU_S_PER_TEST) == (1.0, 1.0)
    assert (rules.STRICT_WALL_S_PER_TEST, rules.STRICT_TOTAL_S) == (5.0, 15.0)
    assert rules.MEMORY_BYTES == 512 * 2**20
    assert (rules.HUMAN_TEMPERATURE, rules.HUMAN_MAX_TOKENS) == (0.0, 4096)


def test_single_turn_is_the_same_rules_over_one_turn():
    single = replace(BACKEND, max_turns=1)
    assert single.max_turns == 1
    assert dataclasses.replace(single, max_turns=10) == BACKEND


@pytest.mark.parametrize("max_turns", [0, -1, 1.5, "10", True, None])
def test_a_number_of_turns_that_cannot_be_played_is_refused(max_turns):
    with pytest.raises(UsageError, match="expected an integer of at least 1"):
        replace(BACKEND, max_turns=max_turns)
