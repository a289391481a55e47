"""A picture of an episode on the menu: the status of what can be asked, and the dialogue."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from colbench_gym.envs.menu.play import Play, Table, transcript
from colbench_gym.envs.menu.sheets import ABSENT, TOLD, UNKNOWN, WAVED_OFF
from colbench_gym.envs.spaces import text_array

_MARKS = {UNKNOWN: ("?", "unknown"), TOLD: ("+", "told"), WAVED_OFF: ("-", "waved off")}


def picture_of(table: Table, play: Play) -> npt.NDArray[np.uint8]:
    """Return a picture of an episode, in the size of all pictures of the environments.

    Raises:
        MissingExtraError: Pillow is not installed.
    """
    keys = [
        f"{_MARKS[int(status)][0]} {key}"
        for key, status in zip(table.keys, play.status, strict=True)
        if status != ABSENT
    ]
    legend = ", ".join(f"{mark} {name}" for mark, name in _MARKS.values())
    return text_array(f"{transcript(table, play)}\n{'   '.join(keys)}\n({legend})")
