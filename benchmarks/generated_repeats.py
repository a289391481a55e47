"""Find the drafts of generated tasks that are the same program as a task before them in their split. No measurement.

Writes ``repeats.txt``, by which the task set passes them over. Run it whenever the grammar changes: it takes some
minutes. Two drafts are compared at once for each position; later ones are too rare to meet.

    python benchmarks/generated_repeats.py [--tasks 20000]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from importlib import resources
from pathlib import Path

import tyro

from colbench_gym.tasks.generated import SPLITS
from colbench_gym.tasks.generated_backend import repeats
from colbench_gym.tasks.generated_backend.drafts import Draft, draft
from colbench_gym.tasks.generated_backend.probes import probe

ATTEMPTS = 60  # as many as the task set makes
AT_ONCE = 2  # drafts of a position that are compared with those of all others


@dataclass(frozen=True)
class Settings:
    """Settings of the search.

    Attributes:
        tasks: how many of each split shall be different programs.
        difficulty: of which difficulty.
    """

    tasks: int = repeats.DIFFERENT
    difficulty: str = "default"


def drafts(split: str, difficulty: str, index: int) -> Iterator[tuple[int, Draft]]:
    """Yield the attempts at a position that give a draft."""
    for attempt in range(ATTEMPTS):
        drawn = draft(split, difficulty, index, attempt)
        if drawn is not None:
            yield attempt, drawn


def identity(drawn: Draft) -> bytes:
    """Return a short name of a program."""
    return blake2b(repeats.program(drawn).encode(), digest_size=12).digest()


def passed_over(split: str, settings: Settings) -> Iterator[tuple[int, int]]:
    """Yield position and attempt of each draft to pass over, in order."""
    first: dict[int, set[bytes]] = {}
    for index in range(settings.tasks):
        pairs = zip(range(AT_ONCE), drafts(split, settings.difficulty, index), strict=False)
        first[index] = {identity(drawn) for _, (_, drawn) in pairs}
    positions = Counter(name for names in first.values() for name in names)
    taken: set[bytes] = set()
    for index, names in first.items():
        if all(positions[name] == 1 for name in names):
            continue
        for attempt, drawn in drafts(split, settings.difficulty, index):
            name = identity(drawn)
            elsewhere = name in taken or (name not in names and name in positions)
            if elsewhere:
                yield index, attempt
            elif probe(drawn) is not None:
                taken.add(name)
                break


def main(settings: Settings) -> int:
    """Write the file."""
    lines = []
    for split in SPLITS:
        found = [f"{index}/{attempt}" for index, attempt in passed_over(split, settings)]
        print(f"{split}: {len(found)} drafts of {settings.tasks} positions are passed over", flush=True)
        lines.append(" ".join((split, settings.difficulty, *found)))
    path = resources.files("colbench_gym.tasks.generated_backend").joinpath(repeats.FILE)
    Path(str(path)).write_text("\n".join(lines) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Settings, description=__doc__)))
