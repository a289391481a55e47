"""The examples of docs/conversation_api.md run."""

import re

import pytest
from support.command import ROOT

PAGE = (ROOT / "docs" / "conversation_api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize("code", BLOCKS, ids=[str(number) for number in range(len(BLOCKS))])
def test_an_example_runs(code, capsys):
    names = {}
    exec(code, names)
    assert "colbench_gym" in names
    if "rewards" in names:
        assert names["rewards"] == [0.0] * 8
    if "replies" in names:
        assert all(isinstance(reply, str) for reply in names["replies"].values())
