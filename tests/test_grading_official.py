"""The official grader's scores of 3,420 answers: reproduced under ``paper``, and corrected under ``strict``."""

import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import load_tasks

RIGHT = ("identical", "fenced", "fenced_plain", "prose_fenced", "unparsed", "helper", "top_import", "names_sys")
WRONG = ("syntax", "prose", "empty", "raises")
# Changed references on which strict grading and the official grader disagree, and why the official one is wrong.
KNOWN_DISAGREEMENTS = {
    ("456", "mut_str"): "the official grader refuses the word 'sudo', which is part of the wanted text: 5 tests pass",
    ("456", "mut_bool"): "the same; the change touches a default that no test leaves out: 10 tests pass",
    ("741", "mut_num"): "two tests want NaN, which the official grader never matches: 6 tests pass, not 4",
}


@pytest.fixture(scope="module")
def rows(official_data):
    lines = (official_data / "official_grades.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def grade_all(official_data: Path, rows, grading: str):
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    with open_sandbox() as sandbox, ThreadPoolExecutor(8) as threads:
        grader = UnitTestGrader(sandbox, grading)
        return list(threads.map(lambda row: grader.grade(tasks.get(row["index"]), row["answer"]), rows))


def test_paper_equals_the_official_score_on_every_row(official_data, rows):
    grades = grade_all(official_data, rows, "paper")
    assert len(rows) == 3420
    assert [(row, grade) for row, grade in zip(rows, grades, strict=True) if grade.score != row["official"]] == []


def test_strict_is_right_on_every_row(official_data, rows):
    grades = grade_all(official_data, rows, "strict")
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
    assert disagreements == set(KNOWN_DISAGREEMENTS)


def other_pythons() -> list[str]:
    """Interpreters of other versions that have what the base install needs (COLBENCH_PYTHONS names more)."""
    found = os.environ.get("COLBENCH_PYTHONS", "").split(os.pathsep)
    found += [path for path in map(shutil.which, ("python3.10", "python3.12", "python3.13")) if path]
    ours = sys.version_info[:2]
    probe = "import sys, numpy, bs4, gymnasium; print(sys.version_info[:2])"
    usable = {}
    for python in filter(None, found):
        run = subprocess.run([python, "-c", probe], capture_output=True, text=True, check=False)
        if run.returncode == 0 and run.stdout.strip() != str(tuple(ours)):
            usable[run.stdout.strip()] = python
    return list(usable.values())


ON_ANOTHER_PYTHON = """
import json, sys
from test_grading_official import grade_all
from pathlib import Path
folder = Path(sys.argv[1])
rows = [json.loads(line) for line in (folder / "official_grades.jsonl").read_text(encoding="utf-8").splitlines()][::7]
grades = grade_all(folder, rows, "paper")
print(len(rows), sum(grade.score != row["official"] for row, grade in zip(rows, grades)))
"""


def test_paper_equals_the_official_score_on_other_pythons(official_data):
    pythons = other_pythons()
    if not pythons:
        pytest.skip("no other Python with numpy, bs4 and gymnasium; name some in COLBENCH_PYTHONS")
    here = Path(__file__).parent
    for python in pythons:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(here.parent), str(here)))}
        run = subprocess.run(
            [python, "-c", ON_ANOTHER_PYTHON, str(official_data)],
            env=environment, capture_output=True, text=True, timeout=250, check=False,
        )  # fmt: skip
        assert run.stdout.split() == ["489", "0"], f"{python}: {run.stdout}{run.stderr}"
