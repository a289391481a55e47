"""The official grader's scores of 3,420 answers: reproduced under ``paper``, and corrected under ``strict``."""

import ast
from collections import defaultdict

import pytest
from support.command import ROOT
from support.official_rows import grade_rows, read_rows
from support.other_pythons import other_pythons, run_on
from support.samples import every
from support.tables import cases

from colbench_gym.tasks import load_tasks

RIGHT = ("identical", "fenced", "fenced_plain", "prose_fenced", "unparsed", "helper", "top_import", "names_sys")
WRONG = ("syntax", "prose", "empty", "raises")
# Changed references on which strict grading and the official grader disagree, and why the official one is wrong.
KNOWN_DISAGREEMENTS = set(cases(__file__, "disagreements", tuples=True))


@pytest.fixture(scope="module")
def rows(official_data):
    return read_rows(official_data)


def test_all_rows_are_there(rows):
    assert len(rows) == 3420
    assert {row["kind"] for row in every(7, rows)} >= {*RIGHT, *WRONG}


def test_paper_equals_the_official_score_on_every_row(official_data, rows):
    rows = every(7, rows)
    grades = grade_rows(official_data, rows, "paper")
    assert [(row, grade) for row, grade in zip(rows, grades, strict=True) if grade.score != row["official"]] == []


def test_strict_is_right_on_every_row(official_data, rows):
    rows = every(7, rows)
    grades = grade_rows(official_data, rows, "strict")
    scores = defaultdict(list)
    disagreements = set()
    for row, grade in zip(rows, grades, strict=True):
        scores[row["kind"]].append(grade.score)
        if row["kind"].startswith("mut_") and grade.score != row["official"]:
            disagreements.add((str(row["index"]), row["kind"]))
    for kind in RIGHT:
        assert set(scores[kind]) == {1.0}, kind
    for kind in WRONG:
        assert set(scores[kind]) == {0.0}, kind
    assert disagreements == KNOWN_DISAGREEMENTS & {(str(row["index"]), row["kind"]) for row in rows}


def test_paper_equals_the_official_score_on_other_pythons(official_data):
    for python in other_pythons():
        run = run_on(python, ROOT / "tests" / "support" / "official_rows.py", official_data, 7)
        assert run.stdout.split() == ["489", "0"], f"{python}: {run.stdout}{run.stderr}"


class Regrouped(ast.NodeTransformer):
    """Regroups sums and products as mathematics allows: a + b + c as a + (b + c), a * b / c as a * (b / c)."""

    def visit_BinOp(self, node):
        node = self.generic_visit(node)
        left, inner = node.left, (ast.Add, ast.Sub) if isinstance(node.op, ast.Add) else (ast.Mult,)
        if not isinstance(node.op, (ast.Add, ast.Mult, ast.Div)) or not isinstance(left, ast.BinOp):
            return node
        if isinstance(node.op, ast.Add) and isinstance(left.op, ast.Sub):  # (a - b) + c is a - (b - c)
            return ast.BinOp(left.left, ast.Sub(), ast.BinOp(left.right, ast.Sub(), node.right))
        if not isinstance(left.op, inner):
            return node
        return ast.BinOp(left.left, left.op, ast.BinOp(left.right, node.op, node.right))


def test_a_regrouped_sum_or_product_is_right_as_well(official_data):
    """Of the 205 tasks; texts are joined by + too, in any grouping. Whole divisions and remainders stay as they are."""
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    rows, left = [], []
    for task in map(tasks.at, range(tasks.size)):
        answer = ast.unparse(ast.fix_missing_locations(Regrouped().visit(ast.parse(task.reference))))
        if answer != ast.unparse(ast.parse(task.reference)):
            rows.append({"index": task.task_id, "answer": answer})
    for row, grade in zip(rows, grade_rows(official_data, rows, "strict"), strict=True):
        if grade.score < 1:
            left.append((row["index"], grade.score))
    assert len(rows) > 20
    assert left == [("3", 0.9), ("909", 0.8)]  # they round, or cut, what lies on the edge: another whole number
