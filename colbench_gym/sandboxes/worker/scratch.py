"""Empty the folder that programs may write, whatever they did to it. Standard library only: the worker uses it too."""

from __future__ import annotations

import os
import time

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_all(folder: str, deadline: float = float("inf")) -> bool:
    """Empty ``folder`` and return True, or return False when something stays.

    Args:
        folder: what to empty.
        deadline: when to give up, by ``time.monotonic()``.

    What lies in a folder is moved up to the top before that folder is removed, so that nothing recurses and no path is
    longer than a name: programs nest folders deeper than a path can say, and take their own rights away.
    """
    try:
        top = os.open(folder, _FOLDER)
    except OSError:
        return False
    try:
        while names := _names(top):
            for name, is_folder in names:
                if is_folder:
                    _lift(top, name, deadline)
                else:
                    _remove_file(top, name, deadline)
        return True
    except OSError:  # TimeoutError is one
        return False
    finally:
        os.close(top)


def _remove_file(folder: int, name: str, deadline: float) -> None:
    if time.monotonic() > deadline:
        raise TimeoutError
    os.unlink(name, dir_fd=folder)


def _lift(top: int, name: str, deadline: float) -> None:
    """Remove the folder ``name``; the folders in it go to the top."""
    if time.monotonic() > deadline:
        raise TimeoutError
    _open_up(top, name)
    folder = os.open(name, _FOLDER, dir_fd=top)
    try:
        for inner, is_folder in _names(folder):
            if is_folder:
                _open_up(folder, inner)  # a folder that may not be written may not be moved either
                unknown = f"{time.time_ns()}-{os.urandom(8).hex()}"  # no program made a file of that name
                os.rename(inner, unknown, src_dir_fd=folder, dst_dir_fd=top)
            else:
                _remove_file(folder, inner, deadline)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _open_up(folder: int, name: str) -> None:
    if os.geteuid():  # root may do without, and must not follow what could be put in its place
        os.chmod(name, 0o700, dir_fd=folder)


def _names(folder: int) -> list[tuple[str, bool]]:
    with os.scandir(folder) as entries:
        return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
