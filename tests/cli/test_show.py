"""``colbench show``: a dialogue as a person reads it, and why one was not graded."""

from __future__ import annotations

from support.command import colbench_here

HUMAN = """
class Lost:
    def reply(self, task, dialogue, shown):
        return {}["topic"]

    def close(self):
        pass
"""


def test_what_failed_is_told_with_its_place(tmp_path):
    (tmp_path / "lost_human.py").write_text(HUMAN)
    command = ("eval", "ColBench-Backend-v0", "--agent", "asker:1", "-n", "1", "--out", "run")
    colbench_here(*command, "--human", "python:lost_human:Lost", cwd=tmp_path)
    shown = colbench_here("show", "run", "test-0", cwd=tmp_path)
    assert "not graded (KeyError: 'topic' (lost_human.py, line 4))" in " ".join(shown.stdout.split())
