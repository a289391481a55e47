"""Read the trajectories that a baseline learns from."""

from __future__ import annotations

from dataclasses import dataclass, replace

from colbench_gym.baselines.options import TrainingOptions
from colbench_gym.baselines.training.processes import say
from colbench_gym.errors import UsageError
from colbench_gym.models.tokenized_dialogue import records_prompts
from colbench_gym.prompts import Prompts, load_prompts
from colbench_gym.rules import Track
from colbench_gym.trajectory import Trajectory, read_trajectories


@dataclass(frozen=True)
class OfflineData:
    """Dialogues of one track, and the wording of briefs that they do not record."""

    trajectories: tuple[Trajectory, ...]
    track: Track
    prompts: Prompts | None


def read_offline_data(options: TrainingOptions) -> OfflineData:
    """Read the files that the options name.

    Raises:
        InputFileError: a broken file or row; file, line and field are named.
        UsageError: no dialogue, or dialogues of both tracks.
    """
    named = " ".join(map(str, options.data))
    files = [path / "trajectories.jsonl" if path.is_dir() else path for path in options.data]
    every = [trajectory for file in files for trajectory in read_trajectories(file)]
    task_of = [(trajectory.task.description, trajectory.task.reference) for trajectory in every]
    tasks = set(list(dict.fromkeys(task_of))[: options.first])
    trajectories = tuple(one for one, task in zip(every, task_of, strict=True) if task in tasks)
    tracks = sorted({trajectory.rules.track for trajectory in trajectories})
    if len(tracks) != 1:
        listed = " and ".join(tracks) or "no"
        raise UsageError(f"{named}: got {listed} dialogues; expected dialogues of one track, at least one")
    prompts = None if options.prompts is None else load_prompts(options.prompts, tracks[0])
    recorded = sum(map(records_prompts, trajectories))
    own = "our own wording (--prompts DIR for another)" if prompts is None else f"the wording of {options.prompts}"
    said = f"{recorded} are learned from under the prompts that they record, {len(trajectories) - recorded}"
    say(f"{named}: {len(trajectories)} dialogues of {len(tasks)} tasks; {said} under {own}")
    return OfflineData(trajectories, tracks[0], prompts)


def read_held_out(options: TrainingOptions, track: Track) -> OfflineData | None:
    """Read the held-out dialogues, or return None where no file is named.

    Raises:
        InputFileError: as for :func:`read_offline_data`.
        UsageError: as there, or they are of another track.
    """
    if options.eval_data is None:
        return None
    data = read_offline_data(replace(options, data=(options.eval_data,), first=None))
    if data.track != track:
        raise UsageError(f"{options.eval_data}: got {data.track} dialogues; expected {track}, as in --data")
    return data
