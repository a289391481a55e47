"""Grade the answers of official_grades.jsonl. As a script (for any Python, pytest or not): how many differ under paper."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from colbench_gym import Grade, load_tasks
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.sandboxes import open_sandbox


def read_rows(folder: Path) -> list[dict]:
    lines = (folder / "official_grades.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def grade_rows(folder: Path, rows: list[dict], grading: str) -> list[Grade]:
    tasks = load_tasks(folder / "backend_tasks.jsonl")
    with open_sandbox() as sandbox, ThreadPoolExecutor(8) as threads:
        grader = UnitTestGrader(sandbox, grading)
        return list(threads.map(lambda row: grader.grade(tasks.get(row["index"]), row["answer"]), rows))


if __name__ == "__main__":
    folder, step = Path(sys.argv[1]), int(sys.argv[2])
    some = read_rows(folder)[::step]
    grades = grade_rows(folder, some, "paper")
    print(len(some), sum(grade.score != row["official"] for row, grade in zip(some, grades, strict=True)))
