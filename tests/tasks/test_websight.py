"""WebSight tasks, read by the real ``datasets`` from a copy on disk."""

import importlib.util
import subprocess
import sys

import pytest
from support.command import ROOT
from support.tables import program

from colbench_gym import InputFileError, MissingExtraError, UnknownNameError, load_tasks
from colbench_gym.action import extract_page
from colbench_gym.tasks.websight import HUB_DATASET, PART, load_websight

CARD = program(__file__, "websight_card.txt")
PAGE = (
    "<html><body style=\"background-image: url('https://source.unsplash.com/random/1600x900/?gym')\">"
    '<img src="https://source.unsplash.com/random/300x200/?{n}"><a href="https://example.com/2020/10">{n}</a>'
    "</body></html>"
)
WANTED = (
    "<html><body style=\"background-image: url('https://picsum.photos/id/48/1600/900')\">"
    '<img src="https://picsum.photos/id/48/300/200"><a href="https://example.com/2020/10">{n}</a>'
    "</body></html>"
)


@pytest.fixture
def copy(tmp_path):
    """A dataset like the real one, with seven pages in two files; what is no picture would fail if it were decoded."""
    if importlib.util.find_spec("datasets") is None:
        pytest.skip("needs the package 'datasets'")
    import pyarrow
    import pyarrow.parquet

    folder = tmp_path / "copy"
    (folder / "v0.2").mkdir(parents=True)
    (folder / "README.md").write_text(CARD)
    for number, part in enumerate([range(4), range(4, 7)]):
        columns = {
            "image": [{"bytes": b"no picture", "path": None} for _ in part],
            "text": [PAGE.format(n=n) for n in part],
            "llm_generated_idea": [f"Idea {n}" for n in part],
        }
        name = f"train-{number:05}-of-00002.parquet"
        pyarrow.parquet.write_table(pyarrow.table(columns), folder / "v0.2" / name)
    return folder


@pytest.fixture(autouse=True)
def datasets_of_their_own(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))


@pytest.mark.train
@pytest.mark.filterwarnings("default")  # of other people's packages
def test_the_first_pages_train_and_the_next_ones_test(copy, tmp_path, capsys):
    train = load_websight("train", "frontend", source=copy, folder=tmp_path, part=3)
    test = load_websight("test", "frontend", source=copy, folder=tmp_path, part=3)
    assert "CC BY 4.0" in capsys.readouterr().err
    assert (train.size, test.size, train.spec) == (3, 3, "websight:train")
    assert [train.at(i).description for i in range(3)] == ["Idea 0", "Idea 1", "Idea 2"]
    assert [test.at(i).description for i in range(3)] == ["Idea 3", "Idea 4", "Idea 5"]
    assert test.at(0).reference == WANTED.format(n=3)
    assert test.get("test-2").description == "Idea 5"
    assert extract_page(test.at(0).reference) == test.at(0).reference


@pytest.mark.train
@pytest.mark.filterwarnings("default")
def test_it_is_read_once(copy, tmp_path, capsys):
    first = load_websight("test", "frontend", source=copy, folder=tmp_path, part=2)
    (copy / "v0.2" / "train-00000-of-00002.parquet").unlink()
    capsys.readouterr()
    again = load_websight("test", "frontend", source=copy, folder=tmp_path, part=2)
    assert [again.at(i) for i in range(2)] == [first.at(i) for i in range(2)]
    assert capsys.readouterr().err == ""


@pytest.mark.train
@pytest.mark.filterwarnings("default")
def test_a_dataset_that_is_too_small_or_not_there_is_told(copy, tmp_path):
    with pytest.raises(InputFileError, match="ends after 7 pages; expected 8"):
        load_websight("test", "frontend", source=copy, folder=tmp_path, part=4)
    with pytest.raises(InputFileError, match=r"cannot be read.*pass its path"):
        load_websight("test", "frontend", source=tmp_path / "nowhere", folder=tmp_path, part=2)
    assert not list(tmp_path.glob("*.jsonl*"))


@pytest.mark.train
@pytest.mark.filterwarnings("default")
def test_offline_is_told(tmp_path):
    if importlib.util.find_spec("datasets") is None:
        pytest.skip("needs the package 'datasets'")
    code = "from colbench_gym.tasks import load_tasks; load_tasks('websight', 'frontend')"
    home = str(tmp_path)
    env = {
        "HF_HUB_OFFLINE": "1", "HF_HOME": home, "COLBENCH_CACHE": home, "PATH": "", "HOME": home,
        "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "InputFileError: websight:test" in done.stderr
    assert "check the connection" in done.stderr


def test_without_the_package_the_pip_line_is_told(tmp_path):
    code = "import sys; sys.modules['datasets'] = None\n"  # as if it were not installed
    code += "from colbench_gym.tasks import load_tasks; load_tasks('websight', 'frontend')"
    env = {"COLBENCH_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert MissingExtraError.__name__ in done.stderr
    assert 'pip install "colbench-gym[hub]"' in done.stderr


def test_a_wrong_split_or_track_is_refused():
    with pytest.raises(UnknownNameError, match="test, train"):
        load_tasks("websight:validation", "frontend")
    with pytest.raises(UnknownNameError, match="backend task set 'websight'"):
        load_tasks("websight")
    assert (HUB_DATASET, PART) == ("HuggingFaceM4/WebSight", 10_000)
