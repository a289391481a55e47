"""Two runs side by side: means, paired difference, win rate; and what must not be compared."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import colbench, colbench_here
from support.json_lines import write_rows
from support.samples import sample
from support.tables import cases, values

from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.evaluation.compare_runs import compare
from colbench_gym.evaluation.scored_runs import ScoredRun, read_run

TASK = {
    "problem_description": "Double it. The signature of the function is: def double(x)",
    "ground_truth": "def double(x):\n    return 2 * x",
    "test_cases": {f"test{n}": f"double({n})" for n in range(10)},
}
PAGE = {"problem_description": "A page for my bakery.", "ground_truth": "<html><body><h1>Rye</h1></body></html>"}


def run(scores, track="frontend", metric="layout-2", name="run", **more):
    tasks = {task: tuple(np.atleast_1d(value).tolist()) for task, value in scores.items()}
    successes = {task: tuple(float(v == 1) for v in values) for task, values in tasks.items()}
    return ScoredRun(name, track, metric, tasks, successes if track == "backend" else {}, **more)


def official(index, reward, task=TASK):
    history = [{"role": "user", "content": "Please."}, {"role": "assistant", "content": "I WANT TO ANSWER: x"}]
    return {"task": {**task, "index": index}, "dialogue_history": history, "answer": "x", "reward": reward}


def test_wins_ties_and_losses():
    a = run({"1": 0.9, "2": [0.1, 0.5], "3": 0.5, "4": 0.2, "only a": 1.0})
    b = run({"4": 0.8, "3": 0.5, "2": 0.3, "1": 0.2, "x": 0.0, "y": 0.0}, not_counted=3)
    found = compare(a, b)
    assert (found.wins, found.ties, found.losses, found.tasks) == (1, 2, 1, 4)
    assert (found.only_a, found.only_b, found.not_counted_a, found.not_counted_b) == (1, 2, 0, 3)
    assert found.win_rate.mean == 0.5
    assert found.success is None
    assert found.score.difference.mean == pytest.approx((0.9 + 0.3 + 0.5 + 0.2 - 0.2 - 0.3 - 0.5 - 0.8) / 4)


def test_a_run_against_itself_is_half_and_no_difference():
    found = compare(run({str(n): n / 40 for n in range(40)}), run({str(n): n / 40 for n in range(40)}))
    assert (found.win_rate.mean, found.ties) == (0.5, 40)
    difference = found.score.difference
    assert difference.mean == 0.0
    assert -0.02 < difference.low <= 0.0 <= difference.high < 0.02


def test_everything_won_does_not_collapse_to_a_point():
    found = compare(run({str(n): 1.0 for n in range(50)}, "backend"), run({str(n): 0.0 for n in range(50)}, "backend"))
    assert found.success.difference.mean == found.success.difference.high == 1.0
    assert 0.85 < found.success.difference.low < 1.0
    assert 0.9 < found.win_rate.low < 1.0


def test_a_small_loss_on_every_page_has_a_small_interval():
    found = compare(run({str(n): 0.7 - 0.004 for n in range(15)}), run({str(n): 0.7 for n in range(15)}))
    difference = found.score.difference
    assert difference.mean == pytest.approx(-0.004)
    assert -0.02 < difference.low < difference.mean < difference.high < 0.02


def test_pairing_narrows_the_interval():
    rng = np.random.default_rng(0)
    hard = rng.uniform(0.1, 0.8, 60)
    noise = rng.uniform(-0.02, 0.02, 60)
    a, b = dict(enumerate(hard + 0.1 + noise)), dict(enumerate(hard))
    paired = compare(run(a), run(b)).score.difference
    shuffled = compare(run(a), run(dict(enumerate(rng.permutation(hard))))).score.difference
    assert paired.mean == pytest.approx(shuffled.mean)
    assert paired.high - paired.low < 0.3 * (shuffled.high - shuffled.low)
    assert 0 < paired.low < 0.1 < paired.high


def test_coverage_of_the_true_difference_is_near_95_percent():
    rng = np.random.default_rng(1)
    hits = 0
    rounds = sample(1000)
    for _ in range(rounds):
        skill = rng.beta(1, 2, size=60)  # 1/3 on average; A is better by a fifth of what is left
        a = rng.random(60) < skill + (1 - skill) / 5
        b = rng.random(60) < skill
        found = compare(run(dict(enumerate(a * 1.0)), "backend"), run(dict(enumerate(b * 1.0)), "backend"))
        hits += found.success.difference.low <= (2 / 3) / 5 <= found.success.difference.high
    assert 0.93 <= hits / rounds <= 0.975


scores = st.dictionaries(st.sampled_from("abcdefg"), st.lists(st.floats(0, 1), min_size=1, max_size=3), min_size=1)


@settings(deadline=None)  # scipy is imported in the first one
@given(scores, scores)
def test_it_is_ordered_bounded_and_turns_its_sign(a, b):
    if not a.keys() & b.keys():
        return
    one, other = compare(run(a), run(b)), compare(run(b), run(a))
    difference = one.score.difference
    assert -1 <= difference.low <= difference.mean <= difference.high <= 1
    assert difference.mean == pytest.approx(-other.score.difference.mean)
    assert difference.low == pytest.approx(-other.score.difference.high)
    assert one.win_rate.mean == pytest.approx(1 - other.win_rate.mean)
    assert (one.wins, one.ties) == (other.losses, other.ties)


@pytest.mark.parametrize(("other", "says"), values(__file__, "compare_runs_refused.txt", globals()))
def test_refused(other, says):
    with pytest.raises(UsageError, match=says):
        compare(run({"1": 0.5}, name="a", task_hashes={"1": "this"}), other)


def test_gradings_that_differ_are_refused():
    strict = run({"1": 0.5}, "backend", "pass_rate", "a", settings={"grading": "strict"})
    paper = replace(strict, name="b", settings={"grading": "paper"})
    with pytest.raises(UsageError, match=r"a was graded 'strict', b 'paper'"):
        compare(strict, paper)
    compare(strict, replace(paper, settings={}))


def test_what_is_read(tmp_path):
    rows = [official(0, 0.5), official(1, 1.0), official(1, None)]
    found = read_run(write_rows(tmp_path / "official.jsonl", rows))
    assert (found.track, found.metric, found.not_counted) == ("backend", "pass_rate", 1)
    assert found.scores == {"0": (0.5,), "1": (1.0,)}
    assert found.successes == {"0": (0.0,), "1": (1.0,)}
    graded = [row | {"pass_rate": 0.1, "success": False, "reward": 0.0} for row in rows[:2]]
    assert read_run(write_rows(tmp_path / "graded.jsonl", graded)).scores == {"0": (0.1,), "1": (0.1,)}
    answers = [{"task_id": "p", "answer": "", "similarity": 0.25, "metric": "layout-2", "success": False}]
    found = read_run(write_rows(tmp_path / "pages.jsonl", answers))
    assert (found.track, found.metric, found.scores, found.successes) == ("frontend", "layout-2", {"p": (0.25,)}, {})


@pytest.mark.parametrize(("rows", "says"), values(__file__, "compare_runs_broken_files.txt", globals()))
def test_broken_files(tmp_path, rows, says):
    with pytest.raises(InputFileError, match=says):
        read_run(write_rows(tmp_path / "run.jsonl", rows))


def test_a_run_that_is_not_finished_or_no_run(tmp_path):
    write_rows(tmp_path / "trajectories.jsonl", [official(0, 0.5)])
    (tmp_path / "run.json").write_text(json.dumps({"status": "interrupted", "configuration": {}}))
    with pytest.raises(InputFileError, match=r"interrupted.*--resume"):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text("[]")
    with pytest.raises(InputFileError, match="no run of colbench-gym"):
        read_run(tmp_path)


def test_the_command(tmp_path):
    for questions in (0, 9):
        args = ("--agent", f"asker:{questions}", "-n", 6, "--concurrency", 2, "--out", f"asker{questions}")
        colbench("eval", "ColBench-Backend-v0", *args, cwd=tmp_path)
    done = colbench("compare", "asker9", "asker0", "--out", "found.json", cwd=tmp_path)
    assert "win rate of A over B: 100.0 % [" in done.stdout
    assert "6 wins, 0 ties (half a win each), 0 losses" in done.stdout
    assert "settings differ: agent is asker:9 in A, asker:0 in B" in done.stdout
    found = json.loads((tmp_path / "found.json").read_text())
    assert (found["wins"], found["win_rate"]["mean"], found["success"]["difference"]["mean"]) == (6, 1.0, 1.0)
    assert found["settings"] == {"agent": ["asker:9", "asker:0"]}


def test_what_is_left_out_is_said(tmp_path):
    write_rows(tmp_path / "a.jsonl", [official(0, 0.5), official(1, 0.5), official(2, None)])
    write_rows(tmp_path / "b.jsonl", [official(0, 0.5)])
    printed = colbench_here("compare", "a.jsonl", "b.jsonl", cwd=tmp_path).stdout
    assert "left out: 1 tasks that only A has, 0 that only B has" in printed
    assert "left out: dialogues that failed on our side: 1 of A, 0 of B" in printed


@pytest.mark.parametrize(("args", "says"), cases(__file__, "bad_usage", tuples=True))
def test_bad_usage(tmp_path, args, says):
    for name, index in {"a": 0, "b": 1, "c": 0}.items():
        write_rows(tmp_path / f"{name}.jsonl", [official(index, 0.5)])
    assert says in colbench_here("compare", *args, cwd=tmp_path, status=2).stderr


def test_a_run_that_is_not_there_is_told_from_python_too(tmp_path):
    with pytest.raises(InputFileError, match="nowhere: no such run; expected a folder of colbench eval"):
        read_run(tmp_path / "nowhere")
    with pytest.raises(InputFileError, match="no run in it"):
        read_run(tmp_path)
