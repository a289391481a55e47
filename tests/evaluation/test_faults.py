"""Runs with a server that fails and a process that is killed: the file is that of an undisturbed run, row by row."""

import json
import random
import signal
import subprocess
import threading
import time

import pytest
from support.command import arguments, colbench, environment
from support.openai_server import MALFORMED, OpenAIServer, refuse, say
from support.scaled_tasks import write_scaled_tasks

pytestmark = pytest.mark.usefixtures("no_model_settings")

KILLS = 10
FACTORS = range(3, 13)


def speak(request):
    """An agent that asks twice and is right on even factors, and a human who tells."""
    factor = next(factor for factor in FACTORS if f"# {factor}." in request.text)
    if request.body["messages"][0]["role"] == "user":
        return say(f"It multiplies by {factor} and adds one.")
    said = sum(message["role"] == "assistant" for message in request.body["messages"])
    added = 1 if factor % 2 == 0 else 2
    answer = f"I WANT TO ANSWER:\ndef scaled(x):\n    return {factor} * x + {added}"
    return say(answer if said == 2 else f"What is done to x ({said})?")


class Faulty:
    """One reply in five is refused with 429 or 500, one in fifty is malformed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.faults = 0

    def __call__(self, request):
        with self.lock:
            drawn = self.random.random()
            self.faults += drawn < 0.22
        if drawn < 0.2:
            return refuse(429 if drawn < 0.1 else 500)
        return MALFORMED if drawn < 0.22 else speak(request)


def command(server, tasks, out, *more):
    spec = f"openai:m@{server.url}"
    # fmt: off
    return (
        "eval", "ColBench-Backend-v0", "--agent", spec, "--human", spec, "--tasks", tasks, "--repeats", 2,
        "--concurrency", 6, "--no-report", "--out", out, *more,
    )
    # fmt: on


@pytest.mark.full
def test_failing_servers_and_kills_change_no_row(tmp_path, monkeypatch):
    monkeypatch.setenv("COLBENCH_CHAT_RETRIES", "12")  # of 100 calls with 22 % faults none has so many in a row
    tasks = write_scaled_tasks(tmp_path, FACTORS)
    with OpenAIServer(speak) as server:
        whole = colbench(*command(server, tasks, tmp_path / "whole"))
    assert "success 50.0 %" in " ".join(whole.stdout.split())
    faulty, moments = Faulty(1), random.Random(2)
    kills = 0
    with OpenAIServer(faulty) as server:
        while True:
            run = command(server, tasks, tmp_path / "run", "--resume")
            process = subprocess.Popen(arguments(*run), env=environment(), stderr=subprocess.PIPE, text=True)
            if kills < KILLS:
                _wait(process, server, after=moments.randrange(2, 12))
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
                    kills += 1
            _, errors = process.communicate(timeout=200)
            if process.returncode != -signal.SIGKILL:
                break
    assert process.returncode == 0, errors
    assert (tmp_path / "run/trajectories.jsonl").read_bytes() == (tmp_path / "whole/trajectories.jsonl").read_bytes()
    assert faulty.faults > 10
    assert kills >= 1
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert (run["status"], run["coverage"]["share"], run["coverage"]["not_counted"]) == ("finished", 1.0, {})


def _wait(process, server, after):
    """Wait until the process has sent so many requests, or has ended."""
    before = len(server.requests)
    while len(server.requests) < before + after and process.poll() is None:
        time.sleep(0.005)


def test_a_server_that_is_down_for_a_while_is_no_failure(tmp_path, monkeypatch):
    monkeypatch.setenv("COLBENCH_CHAT_RETRIES", "20")
    tasks = write_scaled_tasks(tmp_path, FACTORS[:3])
    down = threading.Event()

    def script(request):
        count = len(server.requests)
        if count == 8:
            down.set()
            threading.Timer(0.5, down.clear).start()
        return refuse(503, retry_after="0.1") if down.is_set() else speak(request)

    with OpenAIServer(script) as server:
        colbench(*command(server, tasks, tmp_path / "run"))
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["coverage"]["outcomes"] == {"answered": 6}
    assert run["used"]["agent"]["retries"] + run["used"]["human"]["retries"] > 0
