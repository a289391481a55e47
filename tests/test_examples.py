"""The examples, and the launch configurations; most need PyTorch."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

from colbench_gym.learning.options import SmallTable2
from colbench_gym.models.loading import load_causal_model, load_chat_tokens
from colbench_gym.models.scoring import said_logprobs

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.train
def test_online_reinforce_improves():
    curve = runpy.run_path(str(EXAMPLES / "online_reinforce.py"))["train"](iterations=40, seed=0)
    assert np.mean(curve[-8:]) > np.mean(curve[:8]) + 0.1


@pytest.mark.train
def test_ppo_learns_on_the_menu():
    train = runpy.run_path(str(EXAMPLES / "menu_ppo.py"))["train"]
    solved = train(4096, seed=0, tasks="generated:train:easy", pool=4, questions=3)
    assert np.mean(solved[-200:]) > np.mean(solved[:100]) + 0.15


ALGORITHMS = EXAMPLES / "small_table2" / "algorithms.py"
FEW = SmallTable2(
    train_tasks=4, validation_tasks=3, test_tasks=3, unseen_tasks=2, first_test=0, online_turns=40, other_tasks=200
)


@pytest.mark.train
def test_algorithms_of_the_leaderboard_write_their_rows_once(tmp_path):
    learn = runpy.run_path(str(ALGORITHMS))["learn"]
    out = tmp_path / "new" / "folder"
    for methods in (["bandit"], ["bandit", "REINFORCE", "in_order", "constant"]):
        learn(methods, 1, out, FEW)
    rows = [json.loads(line) for line in (out / "algorithms.jsonl").read_text().splitlines()]
    splits = (("test", 3), ("test_domains", 2))
    wanted = [("bandit", *split) for split in splits] + [("REINFORCE", *split) for split in splits]
    wanted += [(name, *split) for name in ("menu, in order", "menu, constant order") for split in splits]
    assert [(row["method"], row["split"], len(row["success"])) for row in rows] == wanted
    assert all(row["questions"] == 5 * len(row["success"]) for row in rows if row["method"] != "REINFORCE")
    curves = [json.loads(line) for line in (out / "curves.jsonl").read_text().splitlines()]
    assert [row["method"] for row in curves] == ["bandit"] * 11 + ["REINFORCE"] * 11 + [row[0] for row in wanted[4::2]]
    assert curves[10]["turns"] >= 40 > curves[0]["turns"] == 0


@pytest.mark.train
def test_the_test_is_played_by_what_did_best_on_validation_tasks(tmp_path):
    module = runpy.run_path(str(ALGORITHMS))
    table = module["open_table"]("backend", {"tasks": "generated:validation:habits"})

    curve = module["Curve"](table, 20, tmp_path / "curves.jsonl", {"method": "one", "seed": 0})
    silent = module["by_scores"](lambda env: np.full(len(env.keys) - 1, -np.inf))
    better = module["Fixed"](SmallTable2()).player("constant", 0)
    for turns, player in enumerate((silent, better, better, silent)):
        curve.point(turns, player)
    success, turns, player = curve.best
    assert (success > 0, turns, player) == (True, 1, better)
    table.scenario.close()


@pytest.mark.train
def test_curves_of_many_methods_are_drawn_and_missing_ones_named(tmp_path):
    draw = runpy.run_path(str(ALGORITHMS))["draw"]
    with pytest.raises(SystemExit, match=r"curves.jsonl, expected the curves"):
        draw(tmp_path)
    methods = ["one", "two", "three", "four", "menu, random"]
    rows = [{"method": m, "seed": s, "turns": t, "success": 0.1} for m in methods for s in (1, 3) for t in (0, 9)]
    (tmp_path / "curves.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    draw(tmp_path)
    assert (tmp_path / "menu_curves.png").stat().st_size > 10_000


@pytest.mark.train
def test_tables_of_a_page_are_replaced_where_they_stand(tmp_path):
    module = runpy.run_path(str(EXAMPLES / "small_table2" / "rerun.py"))
    with pytest.raises(SystemExit, match=r"results.jsonl, .*curves.jsonl, expected the parts main and algorithms"):
        module["write_pages"](tmp_path)
    into = module["tables_into"]
    page = "# Page\n\n| a |\n\n## One\n\n| b |\n| c |\n\nwords\n\n| d |\n\n## Two\n\n| e |\n"
    assert into(page, "One", ["| x |", "| y |"]) == page.replace("| b |\n| c |", "| x |").replace("| d |", "| y |")
    assert into(page, "Two", ["| z |"]) == page.replace("| e |", "| z |")
    with pytest.raises(SystemExit, match="got 2 tables under 'One', expected 1"):
        into(page, "One", ["| x |"])


@pytest.mark.train
def test_a_tiny_language_model_is_made_and_learns_as_the_small_table_2(tmp_path):
    script = runpy.run_path(str(EXAMPLES / "small_table2" / "language_model.py"))
    small = {"train_tasks": 24, "validation_tasks": 16, "test_tasks": 4, "other_tasks": 150, "read": 400, "passes": 1}
    script["WriterExperiment"](script["Options"](tmp_path, 1, steps=5, regularisation=(1e-3,), **small)).run()
    lines = script["read_lines"](tmp_path / "results.jsonl")["test"]
    assert [line.method for line in lines[:4]] == ["zero-shot", "filtered BC", "multi-turn DPO", "SWEET-RL"]
    name = str(tmp_path / "tiny-0")  # a model like any other
    tokens, model = load_chat_tokens(name), load_causal_model(name, "float32").eval()
    writer = script["Writer"](model, tokens, ["cap", "letter case", "fixed amount"])
    some = ["Write a function for my shop.", "What is a fee? Please help me with a short function for it."]
    for request, likely in zip(some, writer.likely(some).tolist(), strict=True):
        alone = said_logprobs(model, script["prompt_of"](tokens, request), writer.names, share=False)
        assert likely == pytest.approx([sum(row) for row in alone], abs=1e-4)


@pytest.mark.train
@pytest.mark.parametrize("name", ["fsdp", "deepspeed_zero2", "deepspeed_zero3"])
def test_accelerate_reads_the_configurations(name):
    from accelerate.commands.config.config_args import load_config_from_file

    config = load_config_from_file(str(EXAMPLES / "accelerate" / f"{name}.yaml"))
    assert config.distributed_type.value == name.partition("_")[0].upper()
    assert config.mixed_precision == "bf16"
