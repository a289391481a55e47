"""Table 2 with runs beside it: what stands in it, how it is written, and what is said to differ."""

import csv
import io
from dataclasses import replace

import pytest
from support.command import colbench_here
from support.json_lines import write_rows
from support.tables import cases

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.evaluation.statistics.intervals import interval, similarity_interval
from colbench_gym.report.figure import curves
from colbench_gym.report.formats import FORMATS, heads, notes
from colbench_gym.report.published import published_table
from colbench_gym.report.table import result_table
from colbench_gym.scenario.paper import differences

TABLE_2 = published_table(2)[1]
COMPARABLE = cases(__file__, "comparable")


def backend(name="a", value=1.0, count=4, **settings):
    ids = [str(n) for n in range(count)]
    return ScoredRun(
        name, "backend", "pass_rate", scores=dict.fromkeys(ids, (value,)),
        successes={task: (float(value == 1),) for task in ids}, turns=dict.fromkeys(ids, (3.0,)),
        settings=COMPARABLE | settings,
    )  # fmt: skip


def frontend(name="f", value=0.5, tasks=4, **settings):
    return ScoredRun(
        name, "frontend", "layout-2", {str(n): (value,) for n in range(tasks)}, {}, settings=settings | {"agent": name}
    )


def test_a_method_has_the_numbers_of_its_runs_of_both_tracks():
    (row,) = result_table({"m": [backend(value=0.5), frontend()]}, frontend("base", 0.4)).methods
    assert (row.tests_passed.mean, row.success.mean, row.similarity.mean, row.win_rate.mean) == (0.5, 0.0, 0.5, 1.0)
    assert row.turns == {"backend": 3.0}
    assert row.runs == 2


def test_runs_of_one_method_are_training_seeds_whose_differences_widen_the_interval():
    alike = result_table({"m": [backend(value=0.5, count=40), backend(value=0.5, count=40)]}).methods[0]
    unlike = result_table({"m": [backend(value=0.3, count=40), backend(value=0.7, count=40)]}).methods[0]
    assert alike.tests_passed.mean == unlike.tests_passed.mean == 0.5
    assert unlike.tests_passed.low < alike.tests_passed.low
    assert unlike.tests_passed.high > alike.tests_passed.high


def test_one_run_has_the_same_interval_as_in_its_own_summary():
    values = {str(n): (n / 10,) for n in range(10)}
    assert interval(values) == interval(values, {})
    assert similarity_interval(values, {}) == similarity_interval(values)


def test_the_paper_s_rows_are_those_of_table_2():
    text = FORMATS["txt"](result_table({"m": [backend()]}))
    for row in TABLE_2:
        line = next(line for line in text.splitlines() if line.startswith(row.method + " "))
        assert [f"{100 * x:.1f}" for x in row.numbers.values()] == line.split()[-5:-1]


def test_a_run_like_the_paper_s_is_not_marked():
    table = result_table({"m": [backend()]})
    assert table.methods[0].comparable
    assert "differs" not in " ".join(notes(table))
    assert differences("backend", COMPARABLE) == ()


@pytest.mark.parametrize(("changed", "said"), cases(__file__, "each_difference_from_the_paper_is_said"))
def test_each_difference_from_the_paper_is_said(changed, said):
    (found,) = differences("backend", COMPARABLE | changed)
    assert said in found
    assert said in "\n".join(notes(result_table({"m": [backend(**changed)]})))


def test_a_file_that_says_nothing_of_how_it_was_played_is_not_comparable():
    assert differences("backend", {}) == ("the file does not say how it was played",)
    assert differences("backend", COMPARABLE | {"agent": "openai:gpt-4o"}) == ()  # its own server, as in the paper


def test_what_cannot_be_put_side_by_side_is_refused():
    with pytest.raises(UsageError, match="expected at least one"):
        result_table({})
    with pytest.raises(UsageError, match="expected a frontend run as the baseline"):
        result_table({"m": [backend()]}, backend())
    with pytest.raises(UsageError, match="expected one grading"):
        result_table({"m": [backend()], "n": [backend(grading="strict")]})


@pytest.mark.parametrize("ending", FORMATS)
def test_a_hostile_name_stays_text(ending):
    name = "<script>x</script> & 100% |a_b|\x1b[31m\u202e"
    text = FORMATS[ending](result_table({name: [backend(n=3)]}))
    assert "\x1b" not in text
    assert "\u202e" not in text
    if ending == "html":
        assert "<script>" not in text
    if ending == "tex":
        assert r"100\% |a\_b|" in text
    if ending == "md":
        assert {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("|")} == {7}


def test_csv_holds_each_number_with_its_ends():
    rows = list(csv.DictReader(io.StringIO(FORMATS["csv"](result_table({"m": [backend(value=0.5)]})))))
    ours = [row for row in rows if row["source"] == "run"]
    assert [(row["metric"], row["mean"]) for row in ours] == [
        ("tests passed", "0.5"),
        ("success", "0.0"),
        ("backend turns", "3.0"),
    ]
    assert len(rows) - len(ours) == 4 * len(TABLE_2)
    assert float(ours[0]["low"]) < 0.5 < float(ours[0]["high"])


def test_the_command_prints_and_writes_it(tmp_path):
    file = write_rows(
        tmp_path / "graded.jsonl", [{"task_id": str(n), "pass_rate": 0.5, "success": False} for n in range(3)]
    )
    for ending in FORMATS:
        out = tmp_path / f"table.{ending}"
        done = colbench_here("table", f"mine={file}", "--out", out, cwd=tmp_path)
        assert "mine *" in done.stdout
        assert all(
            head.partition(",")[0] in out.read_text(encoding="utf-8")
            for head in heads(result_table({"m": [backend()]}))[:2]
        )


@pytest.mark.parametrize(("arguments", "said"), cases(__file__, "wrong_usage_says_what_to_do", tuples=True))
def test_wrong_usage_says_what_to_do(arguments, said, tmp_path):
    done = colbench_here("table", *arguments, cwd=tmp_path, status=2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("number", "rows"), cases(__file__, "tables_3_and_4_are_whole"))
def test_tables_3_and_4_are_whole(number, rows):
    shown = {row.method: " ".join(f"{100 * x:.1f}" for x in row.numbers.values()) for row in published_table(number)[1]}
    assert shown == rows


def test_published_rows_have_the_interval_of_their_tasks_and_their_protocol():
    table = result_table({}, published=True)
    rows = {row.method: row for row in table.paper}
    gpt, base = rows["GPT-4o"], rows["Llama-3.1-8B-Instruct"]
    assert [round(100 * (x.high - x.low) / 2, 1) for x in (gpt.success, gpt.win_rate)] == [3.0, 4.4]
    assert (gpt.success.mean, gpt.tests_passed, base.win_rate.mean) == (0.404, 0.546, 0.338)
    said = "\n".join(notes(table))
    for part in ("arXiv 2503.15478 (2025-03-19)", "500 pages", "Qwen2-VL-72B", "its prompt was not released"):
        assert part in said
    assert FORMATS["html"](table).count('class="apart"') == FORMATS["tex"](table).count("textcolor{gray}") // 6 == 11
    plain = result_table({"m": [backend()]})
    assert 'class="apart"' not in FORMATS["html"](plain)
    assert "2025-03-19" not in "\n".join(notes(plain))


def test_runs_over_unlike_tasks_are_not_seeds_of_one_method():
    with pytest.raises(UsageError, match=r"a \(4 tasks\) and b \(3 tasks\).*not of the same tasks"):
        result_table({"m": [backend("a"), backend("b", count=3)]})
    with pytest.raises(UsageError, match="not of the same tasks"):
        curves({"m@2": [backend("a"), backend("b", count=3)]})
    failed = [backend("a", tasks_hash="x"), backend("b", count=3, tasks_hash="x")]  # a dialogue was lost
    assert result_table({"m": failed}).methods[0].runs == 2
    other = [replace(backend(name), task_hashes={"0": name}) for name in "ab"]
    with pytest.raises(UsageError, match="not of the same tasks"):
        result_table({"m": other})


def test_the_command_shows_all_published_numbers(tmp_path):
    done = colbench_here("table", "--published", cwd=tmp_path)
    for part in ("Table 2", "Table 3", "Table 4", "Figure 3 (a)", "Figure 3 (b)", "40.4 [37.4, 43.5]", "41.6 %"):
        assert part in done.stdout
    assert "*" not in done.stdout
    one = colbench_here("table", "--published", "--table", 4, "--out", "t.csv", cwd=tmp_path)
    assert "Table 3" not in one.stdout
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 1 + 2 * 4
