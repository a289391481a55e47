"""``colbench eval-set``: one folder, one table, one report, and going on."""

import json

import pytest
from support.command import colbench
from support.openai_server import OpenAIServer, refuse, say

pytestmark = pytest.mark.usefixtures("no_model_settings")


def test_a_set_is_played_compared_and_grows(tmp_path):
    file = tmp_path / "set.toml"
    file.write_text("agents = ['asker:0', 'oracle']\nn = 3\nseed = 1\n")
    done = colbench("eval-set", file, "--out", tmp_path / "out")
    assert "oracle, backend: 100.0 %" in done.stdout
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {"asker-0-backend", "oracle-backend", "table.md", "report.html"}
    assert "| oracle" in (out / "table.md").read_text()
    assert "No clear difference between oracle and asker:0" in (out / "report.html").read_text("utf-8")
    again = colbench("eval-set", file, "--out", out, status=2)
    assert "--resume, or name another --out" in again.stderr
    assert "overwrite" not in again.stderr
    file.write_text("agents = ['asker:0', 'oracle', 'asker:2']\nn = 4\nseed = 1\n")
    colbench("eval-set", file, "--out", out, "--resume", "--no-report")
    assert json.loads((out / "oracle-backend/run.json").read_text())["coverage"]["played"] == 4
    assert "| asker:2" in (out / "table.md").read_text()


def test_one_budget_and_what_fails_keeps_nobody_else_from_playing(tmp_path):
    def script(request):
        return refuse(404, "no such model") if request.body["model"] == "gone" else say("I WANT TO ANSWER: no")

    with OpenAIServer(script) as server:
        specs = [f"openai:{name}@{server.url}" for name in ("gone", "one", "two")]
        file = tmp_path / "set.toml"
        file.write_text(f"agents = {specs}\nn = 4\nconcurrency = 1\nmax-requests = 6\n")
        done = colbench("eval-set", file, "--out", tmp_path / "out", "--no-report", status=1)
        asked = [request.body["model"] for request in server.requests]
        assert "no such model" in done.stderr
        assert "the budget --max-requests 2 is spent" in done.stderr  # what the others left
        assert (asked.count("one"), asked.count("two")) == (4, 2)
        file.write_text(file.read_text().replace("= 6", "= 60"))
        colbench("eval-set", file, "--out", tmp_path / "out", "--no-report", "--resume", status=1)
        assert [request.body["model"] for request in server.requests].count("two") == 4
    assert "| openai:two *" in (tmp_path / "out/table.md").read_text()
