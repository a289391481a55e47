"""The worker by itself, as others embed it: over a descriptor, a socket in a folder, standard streams; any Python."""

import contextlib
import shutil
import socket
import subprocess
import sys
import time

import pytest
from support.tables import values
from support.workers import OUTCOMES, PROGRAM, converse, over_descriptor, worker

from colbench_gym.sandboxes import Limits, Program
from colbench_gym.sandboxes.protocol import Verdict, parse, request_bytes
from colbench_gym.testing.sandbox import HONEST, STALLING


def pythons():
    """The interpreters at hand, by version."""
    found = {}
    for minor in range(8, 16):
        program = shutil.which(f"python3.{minor}")
        if program:
            asked = subprocess.run([program, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True)
            if not asked.returncode:
                found[f"3.{minor}"] = asked.stdout.strip()
    return found or {"this": sys.executable}


def test_every_python_at_hand(tmp_path):
    for version, python in pythons().items():
        check_python(python, tmp_path / version)


def check_python(python, scratch):
    scratch.mkdir()
    with over_descriptor("--scratch", scratch, "--preload", "random,datetime", python=python) as connect:
        assert converse(connect(), PROGRAM).outcomes() == OUTCOMES
        official = Program(HONEST, ("double(21)", "FACTOR", "[FACTOR for _ in 'a']"), scoping="official")
        statuses = [outcome.status for outcome in converse(connect(), official).outcomes()]
        assert statuses[:2] == ["raised", "returned"]
        random = Program("import random, datetime", ("random.random()", "datetime.date(2024, 2, 29)"))
        first, second = (converse(connect(), random).outcomes() for _ in range(2))
        assert first == second
        assert {outcome.status for outcome in first} == {"returned"}


def test_listening_on_a_socket_in_a_folder(tmp_path):
    path = tmp_path / "socket"
    with worker("--listen", path, "--scratch", tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(b"ready ")
        connections = []
        for _ in range(3):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(path))
            connections.append(connection)
        for connection in connections:
            assert converse(connection, PROGRAM).outcomes() == OUTCOMES
        process.kill()


def test_standard_streams(tmp_path):
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with worker("--stdio", "--scratch", tmp_path, **streams) as process:
        assert process.stdout.readline().startswith(b"ready ")
        request = request_bytes(PROGRAM, PROGRAM.calls, PROGRAM.limits)
        answers = []
        for _ in range(2):
            process.stdin.write(request)
            process.stdin.flush()
            answer = b""
            while length := int.from_bytes(process.stdout.read(4), "big"):
                answer += process.stdout.read(length)
            answers.append(answer.partition(b"z")[0])
        assert answers[0] == answers[1] != b""
        process.stdin.close()
        assert process.wait(10) == 0


def test_closing_the_connection_ends_the_program(tmp_path):
    with over_descriptor("--scratch", tmp_path) as connect:
        program = Program(STALLING, ("sleep()",))
        connection = connect()
        connection.send(request_bytes(program, program.calls, program.limits))
        time.sleep(0.2)
        began = time.monotonic()
        connection.close()
        assert converse(connect(), PROGRAM).outcomes() == OUTCOMES
        assert time.monotonic() - began < program.limits.wall_s_per_call


@pytest.mark.parametrize("request_start", [b"", b"x", b"x" * 40, b"\x00" * 400])
def test_what_is_no_request_is_dropped(tmp_path, request_start):
    with over_descriptor("--scratch", tmp_path) as connect:
        with connect() as connection:
            connection.send(request_start)
            connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(ConnectionResetError):
                assert connection.recv(100) == b""
        assert converse(connect(), PROGRAM).outcomes() == OUTCOMES


@pytest.mark.parametrize(("call", "end", "limits"), values(__file__, "worker_verdicts.txt", {"Limits": Limits}))
def test_verdicts(tmp_path, call, end, limits):
    with over_descriptor("--scratch", tmp_path) as connect:
        verdict = converse(connect(), Program(STALLING, ("2", call), limits=limits)).verdict
    assert (verdict.end, verdict.call) == (end, 1)
    assert (verdict.cpu_s >= limits.cpu_s_per_call) == (end == "cpu")


def test_refusals_say_why(tmp_path):
    arguments = ("--isolation", "none", "--preload", "no_such_module")
    with worker("--listen", tmp_path / "socket", *arguments, stdout=subprocess.PIPE) as process:
        line = process.stdout.readline()
    assert line.startswith(b"refused: ")
    assert b"no_such_module" in line
    assert process.returncode == 1


def verdict(words, wall_s=2.0):
    return parse(b"z" + len(words).to_bytes(4, "big") + words, 3, wall_s).verdict


def test_a_verdict_says_nothing_that_cannot_be():
    assert verdict(b"cpu 1 1500 1600 9 1") == Verdict("cpu", 1, 1.5, 9)
    assert verdict(b"cpu 1 1500 1600 9 0") == Verdict("cpu", 1, 1.5, 9, clean=False)
    assert verdict(b"wall 0 4000000000 -4000000000 9 1") == Verdict("wall", 0, 2.0, 9)
    assert verdict(b"wall 0 -99999999999 0 9 1") == Verdict("wall", 0, 0.0, 9)
    for words in values(__file__, "worker_verdicts_that_cannot_be.txt", {"DIGITS": b"9" * 400}):
        assert verdict(words) is None


def test_a_worker_joins_the_control_group_that_it_is_given(tmp_path):
    with over_descriptor("--group", tmp_path / "cgroup.procs", "--scratch", tmp_path) as connect:
        assert (tmp_path / "cgroup.procs").read_text() == "0"  # the kernel takes that for the writer
        assert converse(connect(), PROGRAM).outcomes() == OUTCOMES
