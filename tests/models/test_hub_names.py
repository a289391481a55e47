"""A missing folder is not taken for a name on the hub."""

import pytest

from colbench_gym.errors import UsageError
from colbench_gym.models.hub_names import check_not_missing


@pytest.mark.parametrize("model", ["./out", "/no/such/model", "runs/sft", "a/b/c", "../x", "~/nothing-there"])
def test_a_missing_folder_is_refused(model, tmp_path, monkeypatch):
    (tmp_path / "runs").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        UsageError, match=r"got the agent, but there is no folder .*or a name on the hub.*check the path"
    ):
        check_not_missing(model, "the agent", "weights")


@pytest.mark.parametrize("model", ["gpt2", "Qwen/Qwen3-0.6B", "openai/clip-vit-base-patch32", "runs", "runs/sft"])
def test_a_folder_and_a_name_are_taken(model, tmp_path, monkeypatch):
    (tmp_path / "runs" / "sft").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    check_not_missing(model, "the agent", "weights")
