"""Find the drafts of generated tasks that repeat a task before them in their split, in program or in behaviour.

Writes ``repeats.txt``, by which the task set passes them over. Run it whenever the grammar changes: it generates every
task, which takes some minutes a split. The lines of splits that are not named stay as they are.

    python benchmarks/generated_repeats.py [--tasks 20000] [--splits test train]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import tyro
from generated_tasks import Taken

from colbench_gym.tasks.generated import SPLITS
from colbench_gym.tasks.generated_backend import repeats
from colbench_gym.tasks.generated_backend.drafts import draft
from colbench_gym.tasks.generated_backend.probes import probe
from colbench_gym.tasks.generated_backend.task_set import ATTEMPTS

STEP = 1000  # tasks between two writings of the file


@dataclass(frozen=True)
class Settings:
    """Settings of the search.

    Attributes:
        tasks: how many of each split shall be different.
        splits: which splits are searched.
        difficulty: of which difficulty.
    """

    tasks: int = 20_000
    splits: tuple[str, ...] = SPLITS
    difficulty: str = "default"


def passed_over(split: str, difficulty: str, index: int, taken: Taken) -> Iterator[int]:
    """Yield the attempts at a position that repeat a task; the one that becomes the task is taken then."""
    for attempt in range(ATTEMPTS):
        drawn = draft(split, difficulty, index, attempt)
        if drawn is None:
            continue
        known = taken.has(drawn)
        probed = None if known else probe(drawn)
        if known or (probed is not None and not taken.add(drawn, probed.calls, list(probed.values))):
            yield attempt
        elif probed is not None:
            return
    raise RuntimeError(f"position {index} of {split} ({difficulty}) has no task")


def main(settings: Settings) -> int:
    """Write the file, step by step."""
    path = Path(str(resources.files("colbench_gym.tasks.generated_backend").joinpath(repeats.FILE)))
    lines = {tuple(line.split()[:2]): line for line in path.read_text("utf-8").splitlines()}
    for split in settings.splits:
        taken = Taken()
        found: list[str] = []
        for index in range(settings.tasks):
            found += [f"{index}/{n}" for n in passed_over(split, settings.difficulty, index, taken)]
            if (index + 1) % STEP == 0 or index + 1 == settings.tasks:
                line = " ".join((split, settings.difficulty, str(index + 1), *found))
                lines[split, settings.difficulty] = line
                path.write_text("\n".join(lines[key] for key in sorted(lines)) + "\n", "utf-8")
                print(f"{split}: {len(found)} drafts of {index + 1} positions are passed over", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Settings, description=__doc__)))
