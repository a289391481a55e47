"""Which candidates of a turn are compared."""

import pytest

from colbench_gym.errors import UsageError
from colbench_gym.models.candidates import pair_candidates

KEYS = [(d, t) for d in range(20) for t in range(2)]
TEXTS = {key: [f"text {n}" for n in range(16)] for key in KEYS}
SCORES = {key: [float((n * 7 + key[0]) % 16) for n in range(16)] for key in KEYS}


def test_top_half_against_bottom_half():
    found = pair_candidates(TEXTS, SCORES, seed=3)
    assert found.summary() == {"turns": 40, "pairs": 160, "turns_without_pair": 0, "identical": 0}
    picked = set()
    for key, pairs in found.by_turn.items():
        for pair in pairs:
            assert SCORES[key][pair.chosen] >= 8 > SCORES[key][pair.rejected]
            assert pair.margin == SCORES[key][pair.chosen] - SCORES[key][pair.rejected]
            picked |= {("chosen", SCORES[key][pair.chosen]), ("rejected", SCORES[key][pair.rejected])}
    assert len(picked) == 16  # every rank is drawn somewhere


def test_pairs_are_seeded_and_a_turns_pairs_depend_on_nothing_else():
    assert pair_candidates(TEXTS, SCORES, 3) == pair_candidates(TEXTS, SCORES, 3)
    assert pair_candidates(TEXTS, SCORES, 3) != pair_candidates(TEXTS, SCORES, 4)
    some = pair_candidates({KEYS[5]: TEXTS[KEYS[5]]}, SCORES, 3)
    assert some.by_turn[KEYS[5]] == pair_candidates(TEXTS, SCORES, 3).by_turn[KEYS[5]]


def test_extremes_odd_numbers_and_identical_texts():
    key = (0, 0)
    (pair,) = pair_candidates({key: "abc"}, {key: [0.5, 0.9, 0.1]}, 0, rule="extremes").by_turn[key]
    assert (pair.chosen, pair.rejected) == (1, 2)
    halves = pair_candidates({key: "abc"}, {key: [0.5, 0.9, 0.1]}, 0).by_turn[key]
    assert {(p.chosen, p.rejected) for p in halves} == {(1, 2)}  # the middle one is left out
    mixed = pair_candidates({key: "aab", (0, 1): "bb"}, {key: [3, 2, 1], (0, 1): [1, 2]}, 0)
    assert mixed.identical == 4
    assert mixed.summary()["turns_without_pair"] == 1
    assert pair_candidates({key: "bb"}, {key: [1, 2]}, 0, keep_identical=True).summary()["pairs"] == 4
    with pytest.raises(UsageError, match="no pair of turns"):
        pair_candidates({key: "bb"}, {key: [1, 2]}, 0)


def test_texts_are_ranked_once_and_kinds_are_kept_apart_on_request():
    key = (0, 0)
    texts, scores = ["q1", "q1", "a1", "q2", "a2"], [5.0, 4.0, 3.0, 2.0, 1.0]
    (pair,) = pair_candidates({key: texts}, {key: scores}, 0, rule="extremes", distinct=True).by_turn[key]
    assert (pair.chosen, pair.rejected) == (0, 4)
    pairs = pair_candidates({key: texts}, {key: scores}, 0, distinct=True, kind=lambda text: text[0]).by_turn[key]
    assert {(p.chosen, p.rejected) for p in pairs} == {(0, 3), (2, 4)}
    assert len(pairs) == 4
