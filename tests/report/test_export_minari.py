"""Episodes of a Minari dataset: what the environment gave, read back by Minari, and played again in its environment."""

import os
import sys
from dataclasses import replace

import gymnasium
import pytest
from support.command import colbench_here

from colbench_gym import BACKEND, FRONTEND, BackendTask, Dialogue, EvalConfig, FrontendTask, Turn, evaluate
from colbench_gym.envs.registration import BACKEND_ID, FRONTEND_ID
from colbench_gym.envs.spaces import observation_space
from colbench_gym.errors import InputFileError, MissingExtraError, UsageError
from colbench_gym.report.export import export_minari
from colbench_gym.trajectory import Trajectory, read_trajectories


@pytest.fixture
def minari(tmp_path, monkeypatch):
    minari = pytest.importorskip("minari", reason="Minari is not installed (extra: minari)")
    pytest.importorskip("h5py", reason="h5py is not installed (extra: minari)")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    return minari


def dialogue(task_id="a", reward=1.0, rules=BACKEND):
    task = BackendTask(task_id, "Write a.", "def f(): return 1", ("f()",), ("t1",), "hidden")
    turns = (Turn("human", "Größe? 日本\0"), Turn("agent", "I WANT TO ANSWER: f\ud800"))
    return Trajectory(task, Dialogue(turns), " f", reward, rules, "answered", pass_rate=reward, metric="pass_rate")


def test_a_run_is_played_again_from_its_dataset(minari, tmp_path):
    """The recovered environment, given the recorded actions, returns the recorded observations and rewards."""
    config = EvalConfig(BACKEND_ID, tmp_path / "run", "asker:2", tasks="generated:train", n=2, repeats=2, max_turns=4)
    evaluate(config)
    done = colbench_here("export", "run", "--format", "minari", "--out", "asker-v0", cwd=tmp_path)
    assert done.stderr == ""
    assert "4 of 4 dialogues written to asker-v0" in done.stdout
    trajectories = read_trajectories(tmp_path / "run" / "trajectories.jsonl")

    dataset = minari.load_dataset("asker-v0")
    assert (dataset.total_episodes, dataset.total_steps) == (4, sum(t.dialogue.count("agent") for t in trajectories))
    about = dataset.storage.metadata
    assert about["algorithm_name"] == "asker:2"
    assert about["description"].startswith("4 dialogues about 2 tasks of the backend track of ColBench between agent")
    assert about["requirements"] == [f"colbench-gym=={trajectories[0].versions['colbench_gym']}"]
    assert about["colbench_gym"]["tasks"] == "generated:train"
    metadata = list(dataset.storage.get_episode_metadata(range(4)))
    assert [(row["task_id"], row["repeat"], row["score"]) for row in metadata] == [
        (t.task.task_id, t.repeat, t.score) for t in trajectories
    ]
    env = dataset.recover_environment()
    try:
        for episode, trajectory, row in zip(dataset.iterate_episodes(), trajectories, metadata, strict=True):
            assert list(episode.actions) == [t.output for t in trajectory.dialogue.turns if t.seat == "agent"]
            seen = [env.reset(seed=row["seed"], options=row["options"])]
            seen += [env.step(action) for action in episode.actions]
            for name in ("instructions", "dialogue"):
                assert list(episode.observations[name]) == [step[0][name] for step in seen]
            assert list(episode.rewards) == [step[1] for step in seen[1:]]
            assert list(episode.terminations) == [step[2] for step in seen[1:]]
            assert list(episode.truncations) == [step[3] for step in seen[1:]]
    finally:
        env.close()


def test_official_dialogues_have_spaces_but_no_environment(minari, tmp_path):
    """Characters that HDF5 cannot carry are replaced; an outage is left out, as it is no reward."""
    assert export_minari([dialogue(), dialogue("b", None)], tmp_path / "o-v1", {}) == 1
    dataset = minari.load_dataset("o-v1")
    (episode,) = dataset.iterate_episodes()
    assert list(episode.actions) == ["I WANT TO ANSWER: f?"]
    assert episode.observations["instructions"] == ["", ""]
    assert episode.observations["dialogue"][0] == "user:Größe? 日本?\n\n\n\n"
    assert dataset.spec.env_spec is None
    longest = observation_space(BACKEND)["dialogue"].max_length
    assert dataset.observation_space["dialogue"].max_length == longest
    assert os.environ["MINARI_DATASETS_PATH"] == str(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["o-v1"]


def test_pages_name_their_environment_without_a_browser(minari, tmp_path):
    task, turns = FrontendTask("p", "A page.", "<html>"), (Turn("human", "A page."), Turn("agent", "<html>b</html>"))
    played = Trajectory(task, Dialogue(turns), "", 0.7, FRONTEND, "out_of_turns", similarity=0.7, env_id=FRONTEND_ID)
    settings = {
        "agent": "designer:2", "human": "scripted", "n": 1, "max_turns": 10, "similarity": "clip", "prompts": None,
    }  # fmt: skip
    assert export_minari([played], tmp_path / "pages-v0", settings) == 1
    dataset = minari.load_dataset("pages-v0")
    assert dataset.spec.env_spec.id == FRONTEND_ID
    assert dataset.spec.env_spec.kwargs == {"human": "scripted", "max_turns": 10, "similarity": "clip"}
    assert gymnasium.spec(FRONTEND_ID).kwargs == {}
    (episode,) = dataset.iterate_episodes()
    assert (list(episode.actions), list(episode.rewards)) == (["<html>b</html>"], [0.7])


def test_what_makes_no_dataset_is_refused_and_leaves_nothing(minari, tmp_path):
    (tmp_path / "there-v0").mkdir()
    for name, error, message in (
        ("data", UsageError, "DATASETS/NAME-v0"),
        ("there-v0", InputFileError, "is not overwritten"),
        ("no/x-v0", InputFileError, "does not exist; make it"),
    ):
        with pytest.raises(error, match=message):
            export_minari([dialogue()], tmp_path / name, {})
    with pytest.raises(UsageError, match="none of them graded; finish the run"):
        export_minari([dialogue(reward=None)], tmp_path / "x-v0", {})
    with pytest.raises(UsageError, match="several environments or rules"):
        export_minari([dialogue(), dialogue(rules=replace(BACKEND, max_turns=3))], tmp_path / "x-v0", {})
    assert [path.name for path in tmp_path.iterdir()] == ["there-v0"]


@pytest.mark.parametrize("package", ["minari", "h5py", "PIL"])
def test_without_minari_the_pip_line_is_named(package, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError, match=r'pip install "colbench-gym\[minari\]"'):
        export_minari([dialogue()], tmp_path / "x-v0", {})
