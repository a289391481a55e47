"""Backend tasks of which each multiplies by a factor of its own and adds one, and what is said about them."""

from support.json_lines import write_rows


def write_scaled_tasks(folder, factors):
    rows = [
        {
            "task_id": f"t-{factor}",
            "problem_description": f"Write scaled(x). The signature of the function is: def scaled(x) # {factor}.",
            "ground_truth": f"def scaled(x):\n    return x * {factor} + 1",
            "test_cases": {f"test{i}": f"scaled({i})" for i in range(1, 11)},
        }
        for factor in factors
    ]
    return write_rows(folder / "tasks.jsonl", rows)
