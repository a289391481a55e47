"""Names of models: a folder on this machine, or a name on the hub; a missing folder is not looked for there."""

from __future__ import annotations

import re
from pathlib import Path

from colbench_gym.errors import UsageError

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


def check_not_missing(model: str, spec: str, contents: str) -> None:
    """Refuse a path at which nothing is, so that it is not looked for on the hub.

    Args:
        model: the path or the name.
        spec: what the user wrote, for the error message, such as ``the agent 'hf:out'``.
        contents: what the folder holds, for the error message.

    Raises:
        UsageError: it is no folder, and no name that the hub could have: ``NAME``, or ``OWNER/NAME`` where no folder
            OWNER is.
    """
    path = Path(model).expanduser()
    beside = len(path.parts) > 1 and Path(path.parts[0]).is_dir()
    if not path.exists() and (beside or not _HUB_NAME.fullmatch(model)):
        raise UsageError(
            f"got {spec}, but there is no folder {str(path)!r}; expected one with {contents}, or a name on the hub, "
            "NAME or OWNER/NAME; check the path"
        )
