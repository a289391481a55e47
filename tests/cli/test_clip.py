"""The commands with the paper's similarity: a tiny CLIP model, a real browser."""

import json

import pytest
from support.command import colbench_here
from support.tiny_clip import save_model

from colbench_gym.tasks import load_tasks

pytestmark = [pytest.mark.browser, pytest.mark.train, pytest.mark.usefixtures("renderer", "one_thread")]
ENV = "ColBench-Frontend-v0"


def test_eval_and_grade_by_clip_and_compare_with_nothing_else(tmp_path):
    save_model(tmp_path / "clip")
    by_clip = ("--similarity", f"clip:{tmp_path / 'clip'}")
    colbench_here("eval", ENV, "--agent", "oracle", "-n", 2, *by_clip, "--out", "run", cwd=tmp_path)
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["metrics"]["similarity"]["mean"] == pytest.approx(1.0, abs=1e-5)
    assert run["versions"]["metric"].startswith("clip-")
    assert {"torch", "transformers", "pillow", "browser"} <= run["versions"].keys()
    tasks = load_tasks("generated", "frontend")
    rows = [{"task_id": tasks.at(at).task_id, "answer": "<html><p>Hello</p></html>"} for at in range(2)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    args = ("grade", "--answers", "answers.jsonl", "--tasks", "generated", "--track", "frontend")
    colbench_here(*args, *by_clip, "--out", "clip.jsonl", cwd=tmp_path)
    colbench_here(*args, "--out", "layout.jsonl", cwd=tmp_path)
    alike = colbench_here("compare", "run", "clip.jsonl", cwd=tmp_path)
    assert f"similarity ({run['versions']['metric']})" in alike.stdout
    refused = colbench_here("compare", "run", "layout.jsonl", cwd=tmp_path, status=2)
    assert "clip-" in refused.stderr
    assert "layout-2" in refused.stderr
