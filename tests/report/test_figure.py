"""Figure 3 from labelled runs: where a run's point lies, and what is written and drawn."""

import csv
import io
import json
import subprocess
import sys

import pytest
from support.command import colbench_here
from support.json_lines import write_rows
from support.tables import cases

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.report.figure import curves, draw, paper_points, to_csv, to_text
from colbench_gym.report.published import published_table


def run(successes=(1.0, 0.0), track="backend", differences=(), **settings):
    values = {str(n): (value,) for n, value in enumerate(successes)}
    return ScoredRun("r", track, "pass_rate", values, values, settings=settings, differences=differences)


def test_labels_say_which_curve_and_which_point():
    shown = curves({"sweet@16": [run()], "sweet@2": [run((1.0, 1.0))], "a@b@4": [run(), run((0.0, 0.0))]})
    assert {name: [(p.x, p.success.mean, p.runs) for p in of] for name, of in shown.items()} == {
        "sweet": [(2.0, 1.0, 1), (16.0, 0.5, 1)],
        "a@b": [(4.0, 0.25, 2)],
    }


def test_the_number_of_samples_is_read_from_the_agent_where_the_label_has_none():
    ((name, (point,)),) = curves({"value": [run(agent="best_of:8:runs/value")]}).items()
    assert (name, point.x) == ("value", 8.0)


@pytest.mark.parametrize("label", ["sweet", "@4", "sweet@", "sweet@many", "sweet@0", "sweet@-1", "sweet@inf", "x@nan"])
def test_a_label_without_a_point_is_refused(label):
    with pytest.raises(UsageError, match="expected NAME@X"):
        curves({label: [run(agent="hf:model")]})


def test_runs_that_do_not_fit_are_refused():
    with pytest.raises(UsageError, match="expected backend runs"):
        curves({"sweet@2": [run(track="frontend")]})
    with pytest.raises(UsageError, match="got no run"):
        curves({})


def test_csv_holds_each_point_and_the_paper_s():
    rows = list(csv.DictReader(io.StringIO(to_csv(curves({"m@4": [run(differences=("tasks x",))]})))))
    ours, paper = rows
    assert (ours["curve"], ours["x"], ours["success"], ours["tasks"], ours["comparable"]) == (
        "m", "4", "0.5", "2", "False",
    )  # fmt: skip
    assert 0 <= float(ours["low"]) < 0.5 < float(ours["high"]) <= 1
    assert (paper["source"], paper["curve"], paper["x"], paper["success"]) == ("paper", "SWEET-RL", "32", "0.443")
    points = [tuple(row.split(",")[:4]) for row in to_csv({}, "3b").splitlines()[1:]]
    assert points == cases(__file__, "points_of_figure_3b")


def test_the_table_marks_what_cannot_be_compared_and_says_why():
    text = to_text(curves({"m@4": [run(differences=("tasks x",))], "n@4": [run()]}))
    assert "m *" in text
    assert "n *" not in text
    assert "m@4: tasks x." in text
    assert "differs" not in to_text(curves({"n@4": [run()]}))


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_equal_curves_are_drawn_with_equal_bytes_and_hostile_names_stay_text(ending, tmp_path):
    pytest.importorskip("matplotlib", reason='drawing needs matplotlib: pip install "colbench-gym[report]"')
    shown = curves({"_a$b$ <script>\x1b[31m@4": [run()], "n@32": [run(differences=("x",))]})
    for name in ("first", "second"):
        draw(shown, tmp_path / f"{name}.{ending}")
    first, second = ((tmp_path / f"{name}.{ending}").read_bytes() for name in ("first", "second"))
    assert first == second
    if ending == "svg":
        text = first.decode()
        assert "_a$b$ &lt;script&gt;" in text
        assert "n *" in text
        assert "\x1b" not in text


def test_without_matplotlib_the_pip_line_is_named(tmp_path):
    graded = tmp_path / "graded.jsonl"
    graded.write_text(json.dumps({"task_id": "1", "pass_rate": 1.0, "success": True}) + "\n")
    program = "import sys; sys.modules['matplotlib'] = None; from colbench_gym.cli import main; main(sys.argv[1:])"
    words = ["table", f"m@2={graded}", "--figure", "3", "--out", str(tmp_path / "f.svg")]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert 'pip install "colbench-gym[report]"' in done.stderr


def test_the_command_writes_table_3_and_figure_3(tmp_path):
    for name in ("graded", "mine"):
        rows = [{"task_id": str(n), "pass_rate": 1.0, "success": True} for n in range(4)]
        write_rows(tmp_path / f"{name}.jsonl", rows)
    table = colbench_here("table", "regression=graded.jsonl", "mine=mine.jsonl", "--table", 3, cwd=tmp_path)
    lines = table.stdout.splitlines()
    assert lines[0].split("  ")[0] == "method"
    assert [line.partition(" *")[0] for line in lines[2:4]] == ["critic with a regression head", "mine"]
    for row in published_table(3)[1]:
        numbers = [f"{100 * x:.1f}" for x in row.numbers.values()]
        assert any(line.split()[-3:] == [*numbers, "–"] for line in lines if row.method in line)
    figure = colbench_here("table", "m@2=graded.jsonl", "--figure", 3, "--out", "f.csv", cwd=tmp_path)
    assert "paper: SWEET-RL  32   44.3 %" in figure.stdout
    assert (tmp_path / "f.csv").read_text().count("\n") == 3


@pytest.mark.parametrize(("arguments", "said"), cases(__file__, "wrong_usage_says_what_to_do", tuples=True))
def test_wrong_usage_says_what_to_do(arguments, said, tmp_path):
    (tmp_path / "graded.jsonl").write_text(json.dumps({"task_id": "1", "pass_rate": 1.0, "success": True}) + "\n")
    assert said in colbench_here("table", *arguments, cwd=tmp_path, status=2).stderr


def test_the_rows_that_stand_in_two_tables_are_alike():
    tables = {
        number: {row.method.split(", ")[-1]: row.numbers["success"] for row in published_table(number)[1]}
        for number in (2, 3, 4)
    }
    for method in ("SWEET-RL", "multi-turn DPO", "rejection fine-tuning"):
        assert tables[2][method] == tables[3][method]
    assert tables[2]["Llama-3.1-70B-Instruct"] == tables[4]["zero-shot"]
    ends = {(name, x): y for name, x, y in paper_points("3b")}
    assert {name: ends[name, 15000] for name, _ in ends} == {name: tables[3][name] for name, _ in ends}
