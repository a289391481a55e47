"""Sandbox workers by themselves: started over a descriptor, and given programs."""

import contextlib
import socket
import subprocess
import sys

from colbench_gym.sandboxes import CallOutcome, Program
from colbench_gym.sandboxes.local_worker import WORKER
from colbench_gym.sandboxes.protocol import exchange, request_bytes
from colbench_gym.testing.sandbox import HONEST, HONEST_CALLS

PROGRAM = Program(HONEST, tuple(HONEST_CALLS))
OUTCOMES = [CallOutcome("returned", value) for value in HONEST_CALLS.values()]


def worker(*arguments, python=sys.executable, **options):
    command = [python, "-s", "-S", WORKER, *map(str, arguments)]
    return subprocess.Popen(command, env={"PYTHONHASHSEED": "0"}, **options)


def converse(connection, program):
    with connection:
        request = request_bytes(program, program.calls, program.limits)
        result = exchange(connection, request, len(program.calls), program.limits)
    assert result is not None
    return result


@contextlib.contextmanager
def over_descriptor(*arguments, python=sys.executable):
    """A function that gives connections of a worker."""
    control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with (
        control,
        theirs,
        worker("--fd", theirs.fileno(), *arguments, python=python, pass_fds=[theirs.fileno()]) as process,
    ):
        theirs.close()
        assert control.recv(1000).startswith(b"ready ")

        def connect():
            ours, given = socket.socketpair()
            with given:
                socket.send_fds(control, [b"c"], [given.fileno()])
            return ours

        yield connect
        control.close()
        assert process.wait(10) == 0
