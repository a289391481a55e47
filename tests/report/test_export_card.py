"""The card beside an exported data set: what the hub's libraries read of it, and what it says."""

import json
from dataclasses import replace

import pytest
from support.command import colbench_here
from support.tiny import make_tokenizer, make_trajectory, offline_dialogues

from colbench_gym.errors import InputFileError
from colbench_gym.report.export import COLUMNS, card_of, export_conversations, export_pairs, export_parquet, write_card

EXPORTS = {"trl-sft": export_conversations, "trl-dpo": export_pairs, "parquet": export_parquet}
SETTINGS = {"agent": "openai:small@http://10.0.0.1:8000/v1", "human": "scripted", "tasks": "official:train", "seed": 0}


@pytest.mark.parametrize("export_format", EXPORTS)
def test_a_folder_with_the_card_as_readme_is_a_data_set(export_format, tmp_path):
    """``load_dataset`` finds the file by the card's front matter; the other file in the folder is none of its data."""
    datasets = pytest.importorskip("datasets", reason="datasets is not installed (extra: hub)")
    folder = tmp_path / "data"
    folder.mkdir()
    out, played = folder / ("größer 1" + (".parquet" if export_format == "parquet" else ".jsonl")), offline_dialogues()
    written = EXPORTS[export_format](played, out)
    (folder / "other.jsonl").write_text('{"x": 1}\n')
    write_card(folder / "README.md", out, export_format, written, played, [{}])
    rows = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache"))
    assert (rows.num_rows, rows.column_names) == (written, list(COLUMNS[export_format]))


def test_the_front_matter_is_what_the_hub_knows(tmp_path):
    hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed (extra: hub)")
    out, card = tmp_path / "rows.jsonl", tmp_path / "rows.md"
    write_card(card, out, "trl-sft", 2, [make_trajectory(["I WANT TO ANSWER: 1"])], [SETTINGS])
    about = hub.DatasetCard.load(card).data
    assert about.pretty_name == "rows"
    assert about.to_dict()["configs"] == [{"config_name": "default", "data_files": "rows.jsonl"}]


def test_it_says_what_was_played_and_whose_the_tasks_are(tmp_path):
    played = [
        replace(make_trajectory(["I WANT TO ANSWER: 1"], pass_rate=0.5), metric="pass_rate", versions={"numpy": "1"}),
        replace(make_trajectory(["I WANT TO ANSWER: 1"], task="1"), metric="pass_rate", versions={"numpy": "2"}),
        replace(make_trajectory(["I WANT TO ANSWER: 1"], task="2"), pass_rate=None, outcome="human_error"),
    ]
    card = tmp_path / "rows.md"
    write_card(card, tmp_path / "rows.jsonl", "trl-sft", 2, played, [SETTINGS])
    text = card.read_text("utf-8")
    assert "2 rows (`trl-sft`), made of 3 dialogues about 3 tasks" in text
    for line in ("| human_error | 1 |", "| mean pass_rate | 0.7500 of 2 |", "| numpy | 1, 2 |", "| seed | 0 |"):
        assert line in text.splitlines()
    assert "The tasks are Meta's, under their own terms, and so is a data set made of them." in text
    assert "Messages were written by `openai:small`: the terms of these models hold for them." in text
    assert "10.0.0.1" not in text
    for tasks, licence in (("generated:train", "Apache-2.0"), ("websight", "WebSight"), ("my.jsonl", "of `my.jsonl`:")):
        write_card(card, tmp_path / "rows.jsonl", "trl-sft", 2, played, [{"tasks": tasks}])
        assert licence in card.read_text("utf-8").partition("## Licence")[2]


def test_only_a_card_of_the_same_file_is_replaced(tmp_path):
    out = tmp_path / "rows.jsonl"
    card = card_of(out)
    assert card == tmp_path / "rows.md"
    write_card(card, out, "trl-sft", 1, offline_dialogues(), [{}])
    assert card_of(out) == card
    with pytest.raises(InputFileError, match=r"no card of rows\.parquet; move it"):
        card_of(tmp_path / "rows.parquet")
    (tmp_path / "notes.md").write_text("mine")
    with pytest.raises(InputFileError, match=r"no card of notes\.jsonl; move it"):
        card_of(tmp_path / "notes.jsonl")
    with pytest.raises(InputFileError, match="another ending"):
        card_of(tmp_path / "new.md")


@pytest.mark.train
def test_the_command_writes_it_beside_data_sets_alone(tmp_path):
    from colbench_gym.trajectory import write_trajectories

    write_trajectories(tmp_path / "played.jsonl", offline_dialogues())
    colbench_here("export", "played.jsonl", "--format", "trl-dpo", "--out", "pairs.jsonl", cwd=tmp_path)
    pairs = [json.loads(line) for line in (tmp_path / "pairs.jsonl").read_text("utf-8").splitlines()]
    assert f"{len(pairs)} rows (`trl-dpo`)" in (tmp_path / "pairs.md").read_text("utf-8")
    make_tokenizer().save_pretrained(tmp_path / "model")
    named = ("--chat-template", "model", "--out", "o.jsonl")
    colbench_here("export", "played.jsonl", "--format", "official", *named, cwd=tmp_path)
    assert not (tmp_path / "o.md").exists()
