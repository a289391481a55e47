"""Graded dialogues as episodes of a Minari dataset: observations, actions and rewards of the environment."""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import fields
from pathlib import Path
from typing import Any

import gymnasium

from colbench_gym.dialogue import Dialogue
from colbench_gym.envs.spaces import action_space, observation_space
from colbench_gym.episode import clean
from colbench_gym.errors import InputFileError, MissingExtraError, UsageError
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.jsonl import writing
from colbench_gym.report.export.conversations import conversation
from colbench_gym.rules import ENV_IDS
from colbench_gym.scenario import BackendOptions, FrontendOptions, Options
from colbench_gym.trajectory import Trajectory
from colbench_gym.version import __version__

Json = Mapping[str, Any]  # Any: JSON
_NAME = re.compile(r"[-\w]+-v\d+")  # of a dataset without a namespace, in Minari
_OPTIONS: Mapping[str, type[Options]] = {ENV_IDS["backend"]: BackendOptions, ENV_IDS["frontend"]: FrontendOptions}
_PATH_VARIABLE = "MINARI_DATASETS_PATH"


def check_minari_folder(out: Path) -> None:
    """Fail before the work rather than after it.

    Raises:
        InputFileError: the folder exists, or cannot be made.
        UsageError: its name is no name of a Minari dataset.
    """
    if not _NAME.fullmatch(out.name):
        raise UsageError(
            f"got the folder {out.name!r} for a Minari dataset, expected letters, digits, - and _, and a version at "
            "the end; write --out DATASETS/NAME-v0"
        )
    if out.exists():
        raise InputFileError(f"{out}: exists, and a Minari dataset is not overwritten; remove it or name another one")
    check_writable(out)


def export_minari(trajectories: Sequence[Trajectory], out: Path, settings: Json) -> int:
    """Write the dialogues that were graded, which ``minari.load_dataset`` reads.

    The dataset is called like the folder, and Minari finds it where ``MINARI_DATASETS_PATH`` is the folder above. An
    episode has its seed and ``{"task_id": ...}`` as options; task, repeat, score, outcome and success are in its
    metadata. Observations have no instructions where the run recorded no prompts. Lone surrogates and NUL characters,
    which HDF5 cannot carry, become question marks. Returns how many episodes were written.

    Args:
        trajectories: of one set of rules.
        out: the folder to make, such as ``DATASETS/NAME-v0``.
        settings: configuration of the run, for the environment that the dataset names; {} where there is none.

    Raises:
        InputFileError: the folder exists, or cannot be written.
        MissingExtraError: Minari, or what it needs to write, is not installed.
        UsageError: no dialogue was graded, not all are of the same rules, or the folder's name fits no dataset.
    """
    try:
        import h5py  # noqa: F401  Minari imports it and Pillow late, and has messages of its own for them
        import minari
        import PIL  # noqa: F401
        from minari.data_collector import EpisodeBuffer
    except ImportError as e:
        raise MissingExtraError.of("minari", "minari", "writing a Minari dataset") from e
    check_minari_folder(out)
    graded = [trajectory for trajectory in trajectories if trajectory.reward is not None]
    if not graded:
        raise UsageError(f"got {len(trajectories)} dialogues, none of them graded; finish the run with --resume")
    if len({(trajectory.rules, trajectory.env_id) for trajectory in graded}) > 1:
        raise UsageError(
            "got dialogues of several environments or rules, expected one; export each run to a dataset of its own"
        )
    env_id, rules, tasks = graded[0].env_id, graded[0].rules, len({trajectory.task.task_id for trajectory in graded})
    seats = f" between agent {settings['agent']} and human {settings['human']}" if settings else ""
    made = f"{seats}, written by colbench-gym {__version__}."
    with (
        writing(out, "name a folder where you may write"),
        tempfile.TemporaryDirectory(dir=out.parent.resolve(), prefix=f".{out.name}-") as folder,
        _datasets_path(folder),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # that nobody named an author, which we do not know
            dataset = minari.create_dataset_from_buffers(
                out.name,
                [EpisodeBuffer(**_episode(trajectory)) for trajectory in graded],
                env=_Named(env_id, settings) if env_id in ENV_IDS.values() else None,
                observation_space=observation_space(rules),
                action_space=action_space(rules),
                algorithm_name=settings.get("agent"),
                description=f"{len(graded)} dialogues about {tasks} tasks of the {rules.track} track of ColBench{made}",
                requirements=[f"colbench-gym=={__version__}"],
            )
        dataset.storage.update_episode_metadata(
            [
                {"task_id": _storable(t.task.task_id), "repeat": t.repeat, "score": float(t.score or 0.0)}
                | {"outcome": t.outcome, "success": t.success}
                for t in graded
            ]
        )
        dataset.storage.update_metadata({"colbench_gym": dict(settings)})
        (Path(folder) / out.name).replace(out)
    return len(graded)


class _Named(gymnasium.Env[dict[str, str], str]):
    """Environment with a spec, all that Minari asks it for; it opens no sandbox and no browser."""

    def __init__(self, env_id: str, settings: Json) -> None:
        self.spec = deepcopy(gymnasium.spec(env_id))
        known = {option.name for option in fields(_OPTIONS[env_id])}
        self.spec.kwargs |= {name: settings[name] for name in known & settings.keys() if settings[name] is not None}


@contextmanager
def _datasets_path(folder: str) -> Iterator[None]:
    """Let Minari write below a folder: only its environment variable says where."""
    before = os.environ.get(_PATH_VARIABLE)
    os.environ[_PATH_VARIABLE] = folder
    try:
        yield
    finally:
        del os.environ[_PATH_VARIABLE]
        if before is not None:
            os.environ[_PATH_VARIABLE] = before


def _episode(trajectory: Trajectory) -> dict[str, Any]:  # Any: fields of an EpisodeBuffer
    """Return what the environment returned before and after each message of the agent."""
    turns, messages = trajectory.dialogue.turns, conversation(trajectory)
    brief = "".join(message["content"] for message in messages if message["role"] == "system")
    said = [message["content"] for message in messages if message["role"] == "assistant"]
    before = [place for place, turn in enumerate(turns) if turn.seat == "agent"]
    seen = [_storable(Dialogue(turns[:place]).transcript()) for place in (*before, len(turns))]
    more = len(said) - 1
    return {
        "seed": trajectory.seed,
        "options": {"task_id": _storable(trajectory.task.task_id)},
        "observations": {"instructions": [_storable(brief)] * len(seen), "dialogue": seen},
        "actions": [_storable(text) for text in said],
        "rewards": [0.0] * more + [trajectory.reward],
        "terminations": [False] * more + [True],
        "truncations": [False] * len(said),
    }


def _storable(text: str) -> str:
    return clean(text.replace("\0", "?"))
