"""Which dialogues are compared."""

import pytest
from support.tiny import make_trajectory, offline_dialogues

from colbench_gym.baselines.pairs import DialoguePair, pair_dialogues
from colbench_gym.errors import UsageError

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
