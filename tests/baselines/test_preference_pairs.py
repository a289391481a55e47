"""Which dialogues and which turns are compared."""

import pytest
from support.tiny import make_trajectory, offline_dialogues

from colbench_gym.baselines.pairs import DialoguePair, pair_dialogues
from colbench_gym.errors import UsageError
from colbench_gym.models.candidates import pair_candidates

pytestmark = pytest.mark.train


def scored(*scores, task="0", track="backend"):
    return [
        make_trajectory([f"answer {at} {task}"], pass_rate=s, task=task, track=track) for at, s in enumerate(scores)
    ]


def test_the_first_best_against_every_lower_one_where_one_succeeds():
    found = pair_dialogues([*scored(0.2, 1.0, 1.0, 0.9), *scored(0.9, 0.1, task="1"), *scored(0.0, 1.0, task="2")])
    assert found.pairs == (DialoguePair(1, 0), DialoguePair(1, 3), DialoguePair(7, 6))
    assert found.summary() == {
        "pairs": 3, "tasks": 3, "dialogues": 8, "ungraded": 0, "tasks_without_pair": 1, "identical": 0,
    }  # fmt: skip


def test_frontend_pairs_have_a_gap_of_a_tenth():
    found = pair_dialogues(scored(0.8, 0.7, 0.75, track="frontend"))
    assert found.pairs == (DialoguePair(0, 1),)  # 0.8 - 0.7 is a tenth although floats say less


def test_equal_texts_are_dropped_and_ungraded_dialogues_left_out():
    same = [make_trajectory(["same"], pass_rate=s) for s in (1.0, 0.0, None)]
    found = pair_dialogues([*same, make_trajectory(["other"], pass_rate=0.0)])
    assert found.pairs == (DialoguePair(0, 3),)
    assert (found.identical, found.ungraded) == (1, 1)


def test_no_pair_says_what_was_expected():
    with pytest.raises(UsageError, match=r"no pair of dialogues: got 2 graded.*--repeats"):
        pair_dialogues(scored(0.2, 0.9))


def test_official_rows_without_an_id_are_grouped_by_their_task(tmp_path):
    import json

    from colbench_gym.trajectory import read_trajectories

    file = tmp_path / "official.jsonl"
    rows = [t.to_official_row() for t in offline_dialogues(2)]
    for row in rows:
        row["task"].pop("task_id", None)
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert pair_dialogues(read_trajectories(file)).summary()["tasks"] == 2


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
