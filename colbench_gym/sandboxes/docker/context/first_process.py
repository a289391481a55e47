"""The first process of a container: start the worker, and end everything when the worker or its owner is gone.

Standard input is the owner's hand on the container: it closes when the owner ends, however that happens.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_DUMPABLE = 4


def main(arguments: list[str]) -> None:
    """Run the worker with ``arguments`` until standard input closes."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # nobody in here may look into this process
    signal.signal(signal.SIGCHLD, lambda *_: os._exit(1))
    null = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-s", "-S", *arguments],
        os.environ,
        file_actions=null,
        setsigdef=[signal.SIGCHLD],
    )
    while os.read(0, 4096):
        pass
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
