"""Dialogues a second on local Ray nodes against as many plain processes, without the time that either takes to start.

Both play the same tasks with both seats on the slow server of ``concurrency.py``, on processes or nodes that each have
a sandbox of their own, and grade every answer. The clock runs from the moment at which all of them are ready to the
last dialogue. Needs the extra ray.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from concurrency import server_at, task_file
from harness import Measured, print_table, take_turns, write_json

from colbench_gym.evaluation.rollout import Workers
from colbench_gym.evaluation.run import EvalConfig, evaluate
from colbench_gym.integrations.ray import RayWorkers

ENV = "ColBench-Backend-v0"
ANSWER = "I WANT TO ANSWER:\ndef f(x):\n    return x"


def config(out: Path, tasks: Path, url: str, concurrency: int, sandbox: str) -> EvalConfig:
    """Return the settings of a run with models on both seats."""
    spec = f"openai:m@{url}"
    return EvalConfig(
        ENV, out, agent=spec, human=spec, tasks=str(tasks), concurrency=concurrency, sandbox=sandbox, leaks="refuse"
    )


class _Together(Workers):
    """Threads of this process that begin when all other processes are ready."""

    def __init__(self, ready: Any) -> None:  # Any: a multiprocessing barrier
        self._ready = ready
        self.began = 0.0

    def collect(self, *arguments: Any) -> None:  # Any: those of Workers.collect
        self._ready.wait()
        self.began = time.monotonic()
        super().collect(*arguments)


class _OnNodes(RayWorkers):
    """Ray workers that note when all nodes are ready."""

    began = 0.0

    def _assign(self, *arguments: Any) -> Iterator[Any]:  # Any: as in RayWorkers
        self.began = self.began or time.monotonic()
        return super()._assign(*arguments)


def play_part(settings: EvalConfig, ready: Any, spans: Any) -> None:  # Any: a barrier and a queue
    """Play the tasks of one process; put its begin and end."""
    workers = _Together(ready)
    ended: list[float] = []
    result = evaluate(settings, lambda done, total: ended.append(time.monotonic()), workers=workers)
    assert result.summary.counted == result.planned, result.summary
    spans.put((workers.began, ended[-1]))


def plain(folder: Path, url: str, sizes: argparse.Namespace, sandbox: str) -> float:
    """Return dialogues a second of plain processes."""
    lines = (folder / "tasks.jsonl").read_text().splitlines(keepends=True)
    context = multiprocessing.get_context("spawn")
    ready, spans = context.Barrier(sizes.workers), context.Queue()
    processes = []
    for worker in range(sizes.workers):
        part = folder / f"tasks-{worker}.jsonl"
        part.write_text("".join(lines[worker :: sizes.workers]))
        settings = config(folder / f"plain-{worker}", part, url, sizes.concurrency, sandbox)
        processes.append(context.Process(target=play_part, args=(settings, ready, spans)))
        processes[-1].start()
    began, ended = zip(*[spans.get(timeout=1800) for _ in processes], strict=True)
    for process in processes:
        process.join()
    return sizes.dialogues / (max(ended) - min(began))


def on_ray(folder: Path, url: str, sizes: argparse.Namespace, sandbox: str) -> float:
    """Return dialogues a second of nodes in one cluster on this machine."""
    import ray
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": 80_000_000}
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(sizes.workers - 1):
            cluster.add_node(**node)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
        settings = config(folder / "ray", folder / "tasks.jsonl", url, sizes.concurrency, sandbox)
        ended: list[float] = []
        with _OnNodes(settings, note=print) as workers:
            result = evaluate(settings, lambda done, total: ended.append(time.monotonic()), workers=workers)
            assert result.summary.counted == result.planned, result.summary
            return sizes.dialogues / (ended[-1] - workers.began)
    finally:
        ray.shutdown()
        cluster.shutdown()


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=10)
    parser.add_argument("--dialogues", type=int, default=400)
    parser.add_argument("--concurrency", type=int, default=8, help="dialogues at once in each worker")
    parser.add_argument("--scale", type=float, default=1.0, help="of the server's latencies")
    parser.add_argument("--sandbox", nargs="+", default=["process"], help="process, docker, or both")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    places = count()

    def measured(way: Any, sandbox: str) -> float:  # Any: plain or on_ray
        with tempfile.TemporaryDirectory(prefix=f"ray-{next(places)}-") as name:
            folder = Path(name)
            task_file(folder, chosen.dialogues)
            with server_at(chosen.scale, ANSWER) as url:
                return float(way(folder, url, chosen, sandbox))

    found: list[Measured] = []
    for sandbox in chosen.sandbox:
        ways = {
            f"plain processes, {sandbox}": lambda sandbox=sandbox: measured(plain, sandbox),
            f"Ray nodes, {sandbox}": lambda sandbox=sandbox: measured(on_ray, sandbox),
        }
        base, ray_way = take_turns(ways, chosen.rounds, "dialogues/s").values()
        print_table(f"{chosen.workers} workers", [base, ray_way], [base])
        found += [base, ray_way]
    write_json(chosen.json, "ray_throughput", found, **{k: v for k, v in vars(chosen).items() if k != "json"})


if __name__ == "__main__":
    main()
