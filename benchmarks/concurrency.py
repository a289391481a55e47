"""Many dialogues at once, both seats on a slow server: wall time against a schedule without overhead, CPU, memory.

The server is a process of its own on loopback. The nth call of a dialogue takes a time that a hash decides: log-normal,
median 1 s, one in a hundred 10 s, times --scale. So the same latencies can be simulated: `greedy` starts a dialogue
whenever one of the places is free, `lock-step` waits for all dialogues of a batch after each turn, as the official code
does. Its time is simulated, not run.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import heapq
import json
import math
import multiprocessing
import re
import resource
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness import Measured, print_table, write_json

from colbench_gym.chat.openai_chat import OpenAIChat
from colbench_gym.dialogue import ChatMessage
from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.graders import Grade
from colbench_gym.policies import make_policy
from colbench_gym.policies.scripted import HoldsNothing
from colbench_gym.scenario import open_scenario

TURNS = 10
CALLS = 2 * TURNS - 1  # of a dialogue: the human does not reply to the answer
SIGMA = math.log(10) / statistics.NormalDist().inv_cdf(0.99)  # median 1 s, one in a hundred 10 s
WORDS = "the list is sorted by name and then by number, with ties as they come, and nothing is left out of it. " * 2
_DIALOGUE = re.compile(r"number (\d+)\.")


def latency_s(dialogue: int, call: int, scale: float) -> float:
    """Return how long the server takes for a call of a dialogue."""
    digest = hashlib.blake2b(f"{dialogue}/{call}".encode(), digest_size=8).digest()
    share = (int.from_bytes(digest, "big") + 0.5) / 2**64
    return scale * math.exp(SIGMA * statistics.NormalDist().inv_cdf(share))


def greedy_s(dialogues: int, places: int, scale: float) -> float:
    """Return the time of a schedule without overhead: a dialogue begins whenever a place is free."""
    free = [0.0] * places
    for dialogue in range(dialogues):
        length = math.fsum(latency_s(dialogue, call, scale) for call in range(CALLS))
        heapq.heapreplace(free, free[0] + length)
    return max(free)


def lock_step_s(dialogues: int, places: int, scale: float) -> float:
    """Return the time of batches in which each call waits for the slowest of its turn."""
    batches = [range(first, min(first + places, dialogues)) for first in range(0, dialogues, places)]
    return math.fsum(max(latency_s(d, call, scale) for d in batch) for batch in batches for call in range(CALLS))


def serve(ready: Any, scale: float, last: str) -> None:  # Any: a multiprocessing queue
    """Serve until the process is ended."""
    asyncio.run(_serve(ready, scale, last))


async def _serve(ready: Any, scale: float, last: str) -> None:  # Any: as above
    made: Counter[int] = Counter()
    usage = {"prompt_tokens": 500, "completion_tokens": 50, "total_tokens": 550}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await answer_one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):  # the client is done
            pass
        writer.close()

    async def answer_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        body = (await reader.readexactly(length)).decode()
        found = _DIALOGUE.search(body)
        said = WORDS
        if found:
            dialogue = int(found[1])
            call = made[dialogue]
            made[dialogue] += 1
            said = last if call % CALLS == CALLS - 1 else WORDS
            await asyncio.sleep(latency_s(dialogue, call % CALLS, scale))
        message = {"role": "assistant", "content": said}
        reply = {"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage}
        data = json.dumps(reply).encode()
        head_of_reply = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        kept = b"connection: close" not in head
        writer.write(head_of_reply.encode() + (b"\r\n" if kept else b"Connection: close\r\n\r\n") + data)
        await writer.drain()
        return kept

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=4096)
    ready.put(server.sockets[0].getsockname()[1])
    await server.serve_forever()


@contextmanager
def server_at(scale: float, last: str = WORDS):
    """Yield the address of a fresh server, which ends each dialogue with ``last``."""
    context = multiprocessing.get_context("spawn")
    ready = context.Queue()
    process = context.Process(target=serve, args=(ready, scale, last), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ready.get(timeout=60)}/v1"
    finally:
        process.terminate()
        process.join()


class NoSandbox(HoldsNothing):
    """A grader that passes everything: the sandbox is measured elsewhere."""

    def grade(self, task: object, answer: str) -> Grade:  # noqa: ARG002  as the protocol has it
        """Return a full grade."""
        return Grade(1.0, True, "pass_rate", ("passed",) * 10)


def task_file(folder: Path, dialogues: int) -> Path:
    """Write tasks that are told apart by a number."""
    rows = (
        {
            "task_id": f"t-{number}",
            "problem_description": f"Write f(x), request number {number}. The signature of the function is: def f(x)",
            "ground_truth": f"def f(x):\n    return x + {number}",
            "test_cases": {f"test{n}": f"f({n})" for n in range(10)},
        }
        for number in range(dialogues)
    )
    file = folder / "tasks.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def play(url: str, tasks: Path, dialogues: int, places: int) -> tuple[float, float, float]:
    """Play dialogues; return wall seconds, CPU seconds a call and peak memory in MB."""
    ended: list[object] = []
    spec = f"openai:m@{url}"
    with open_scenario("backend", tasks=tasks, human=spec, grading=NoSandbox()) as scenario:
        jobs = make_jobs([scenario.tasks.at(index) for index in range(dialogues)], repeats=1, seed=0)
        policy = make_policy(spec)
        began, cpu = time.monotonic(), time.process_time()
        collect(jobs, policy, scenario, lambda played: ended.append(played.outcome), ConcurrencyLimits(*[places] * 4))
        wall, cpu = time.monotonic() - began, time.process_time() - cpu
        policy.close()
    assert set(ended) == {"out_of_turns"}, Counter(ended)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return wall, cpu / (dialogues * CALLS), peak_mb


def client_alone(url: str, calls: int, threads: int) -> float:
    """Return CPU seconds a call of our client with messages as in the middle of a dialogue."""
    chat = OpenAIChat("m", url)
    messages = [ChatMessage(role="user" if turn % 2 else "assistant", content=WORDS) for turn in range(TURNS)]
    return _cpu_a_call(lambda _: chat.complete(messages), calls, threads)


def openai_alone(url: str, calls: int, threads: int) -> float:
    """Return the same of the openai package's client."""
    from openai import OpenAI

    messages = [{"role": "user" if turn % 2 else "assistant", "content": WORDS} for turn in range(TURNS)]
    with OpenAI(base_url=url, api_key="none") as client:
        return _cpu_a_call(lambda _: client.chat.completions.create(model="m", messages=messages), calls, threads)


def _cpu_a_call(call: Callable[[int], object], calls: int, threads: int) -> float:
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(call, range(threads)))  # warm
        began = time.process_time()
        list(pool.map(call, range(calls)))
        return (time.process_time() - began) / calls


def _in_a_process(work: Callable[..., Any], *arguments: object) -> Any:  # Any: what the work returns
    """Do work in a fresh process, so that peak memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


CLIENTS = {"our client alone": client_alone, "openai client alone": openai_alone}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogues", type=int, default=500)
    parser.add_argument("--places", type=int, default=128, help="dialogues at once, each with one call in flight")
    parser.add_argument("--open", type=int, default=2000, help="dialogues that are open at once at the end; 0 for none")
    parser.add_argument("--scale", type=float, default=1.0, help="of latencies; below 0.5 the processor is the limit")
    parser.add_argument("--client-calls", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    numbers: dict[tuple[str, str], list[float]] = {}

    def note(name: str, unit: str, number: float) -> None:
        numbers.setdefault((name, unit), []).append(number)

    def played(name: str, url: str, *size: int) -> None:
        wall, cpu, memory = _in_a_process(play, url, tasks, *size)
        for unit, number in (("s", wall), ("ms of CPU a call", 1000 * cpu), ("MB at most", memory)):
            note(f"{size[0]} dialogues, {name}", unit, number)

    with tempfile.TemporaryDirectory() as folder:
        tasks = task_file(Path(folder), max(chosen.dialogues, chosen.open))
        size = (chosen.dialogues, chosen.places)
        for _ in range(chosen.rounds):
            note("greedy, no overhead", "s, simulated", greedy_s(*size, chosen.scale))
            note("lock-step, no overhead", "s, simulated", lock_step_s(*size, chosen.scale))
            with server_at(chosen.scale) as url:
                for name, alone in CLIENTS.items():
                    note(name, "ms of CPU a call", 1000 * _in_a_process(alone, url, chosen.client_calls, 16))
                played(f"{chosen.places} at once", url, *size)
            if chosen.open:
                least_s = greedy_s(chosen.open, chosen.open, chosen.scale)
                note(f"greedy, no overhead, {chosen.open} open", "s, simulated", least_s)
                with server_at(chosen.scale) as url:
                    played("all open", url, chosen.open, chosen.open)
    measured = [Measured(name, unit, tuple(of)) for (name, unit), of in numbers.items()]
    greedy = next(way for way in measured if way.name == "greedy, no overhead")
    print_table("concurrency", measured)
    for way in measured:
        if way.unit in ("s", "s, simulated") and "open" not in way.name:
            print(f"{way.name} ({way.unit}): {way.ratio_to(greedy):.2f} times the greedy schedule")
    ours = next(way for way in measured if way.name.endswith("at once") and way.unit == "ms of CPU a call")
    for way in measured:
        if way.name in CLIENTS:
            print(f"{ours.name}: {ours.ratio_to(way):.2f} times the CPU a call of {way.name}")
    write_json(chosen.json, "concurrency", measured, **{k: v for k, v in vars(chosen).items() if k != "json"})


if __name__ == "__main__":
    main()
