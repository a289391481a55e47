"""Two small backend tasks as a file, and humans for tests of the bridges."""

from support.doubles import Closeable
from support.json_lines import write_rows

from colbench_gym.errors import HumanError

FACTORS = {"double": 2, "triple": 3}


def write_small_tasks(folder, *names):
    """A file with the tasks "double" and "triple", or those named: one number in, that many times it out."""
    rows = [
        {
            "task_id": name,
            "problem_description": f"Write f(x) for {name}. def f(x):",
            "ground_truth": f"def f(x):\n    return x * {factor}",
            "test_cases": {f"test{i}": f"f({i + 1})" for i in range(10)},
        }
        for name, factor in FACTORS.items()
        if not names or name in names
    ]
    return str(write_rows(folder / "tasks.jsonl", rows))


class Told(Closeable):
    """A human who says the factor, and is out for tasks in ``out_for``."""

    def __init__(self, *out_for):
        self.out_for = out_for

    def reply(self, task, dialogue, shown):
        if task.task_id in self.out_for:
            raise HumanError("the line is dead")
        return f"Multiply it by {FACTORS[task.task_id]}."


def out():
    """A human who is out for the task "triple"; for ``python:support.small_tasks:out``."""
    return Told("triple")
