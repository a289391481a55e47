"""Names of runs in a report."""

import pytest

from colbench_gym.report.run_names import names_apart

URL = "http://localhost:8000/v1"


@pytest.mark.parametrize(
    ("names", "apart"),
    [
        ([f"openai:Qwen/Qwen3-4B@{URL}", f"openai:Qwen/Qwen3-8B@{URL}"], ["Qwen3-4B", "Qwen3-8B"]),
        (["runs/three", "runs/six"], ["three", "six"]),
        (["/x/run/trajectories.jsonl", "/y/run/trajectories.jsonl"], ["x", "y"]),
        (["asker:3", "asker:6"], ["asker:3", "asker:6"]),
        (["runs/a", "runs/a/b"], ["a", "a/b"]),
        (["m/a/1", "m/a/2", "m/b/2"], ["a/1", "a/2", "b/2"]),
        (["alone/in/here"], ["alone/in/here"]),
    ],
)
def test_what_all_share_is_left_out(names, apart):
    assert names_apart(names) == apart
