"""Waits of processes for each other: SWEET-RL by several of them, candidates from a server with a heavy tail.

python benchmarks/barriers.py [--dialogues 1000] [--processes 2] [--candidates 4] [--tail 1.2] [--json FILE]

The server is a stub on this machine, whose latencies are drawn from a Pareto distribution, from 20 ms to 20 s. A tiny
critic, on the processors, is trained for a step and scores what the server sent. Every wait at a barrier is recorded
by its stage, and so is every call: a request for the candidates of one turn, or the scores of one turn.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from harness import Measured, print_table, write_json

from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.trajectory import write_trajectories

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from support.openai_server import Behaviour, OpenAIServer, Request, answer
from support.tiny import make_model, make_tokenizer, offline_dialogues

LEAST_S, MOST_S = 0.02, 20.0  # latencies of the server


def respond(request: Request, tail: float, tokens: ChatTokens) -> Behaviour:
    """Answer with candidates, as vLLM does, after a latency that depends on the turn alone."""
    drawn = random.Random(request.body["seed"])
    latency_s = min(MOST_S, LEAST_S * drawn.paretovariate(tail))
    choices = []
    for at in range(request.body["n"]):
        text = f"Is x {drawn.randrange(100)}?"
        parts = [{"token": f"token_id:{i}", "logprob": -1.0, "top_logprobs": []} for i in tokens.turn_ids(text)]
        message = {"role": "assistant", "content": text}
        choices.append({"index": at, "finish_reason": "stop", "message": message, "logprobs": {"content": parts}})
    sent = answer({"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": choices})

    def behave(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(latency_s)
        sent(handler)

    return behave


def child(records: Path, words: list[str]) -> None:
    """Run the command line, recording waits and calls."""
    from accelerate import PartialState

    from colbench_gym.baselines import sweet_rl
    from colbench_gym.cli import main as colbench
    from colbench_gym.models import candidates, judges

    stage = ["start"]
    lock = threading.Lock()

    def timed(kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                seconds = time.perf_counter() - started
                with lock, records.with_suffix(f".{os.environ['RANK']}").open("a") as out:
                    out.write(json.dumps({"kind": kind, "stage": stage[0], "seconds": seconds}) + "\n")

        return call

    def staged(name: str) -> None:
        function = getattr(sweet_rl.Sweet, name)

        def run(self: Any) -> Any:
            before, stage[0] = stage[0], name  # the actor calls for the pairs
            try:
                return function(self)
            finally:
                stage[0] = before

        setattr(sweet_rl.Sweet, name, run)

    for name in sweet_rl.STAGES:
        staged(name)
    PartialState.wait_for_everyone = timed("wait", PartialState.wait_for_everyone)
    candidates.ServerCandidates.sample = timed("call", candidates.ServerCandidates.sample)
    judges.AdvantageJudge.scores = timed("call", judges.AdvantageJudge.scores)
    colbench(words)


def run(options: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Run all stages by as many processes; return what was recorded."""
    tokenizer = make_tokenizer()
    tokenizer.save_pretrained(folder / "model")
    make_model(tokenizer).save_pretrained(folder / "model")
    dialogues = offline_dialogues(-(-options.dialogues // 3))[: options.dialogues]
    write_trajectories(folder / "data.jsonl", dialogues, official=True)
    launcher = ["-m", "torch.distributed.run", f"--nproc_per_node={options.processes}", "--standalone", __file__]
    tokens = ChatTokens(tokenizer)
    with OpenAIServer(lambda request: respond(request, options.tail, tokens)) as server:
        settings = {
            "data": folder / "data.jsonl", "model": folder / "model", "out": folder / "out", "actor-share": 1,
            "sampler": f"openai:m@{server.url}", "candidates": options.candidates,
            "pairs-per-turn": 1, "max-steps": 1, "critic-max-steps": 1,
        }  # fmt: skip
        words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
        command = [sys.executable, *launcher, "--child", str(folder / "records"), "train", "sweet", *words, "--cpu"]
        subprocess.run(command, check=True)
    files = sorted(folder.glob("records.*"))
    return [json.loads(row) for file in files for row in file.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("dialogues", 1000), ("processes", 2), ("candidates", 4)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--tail", type=float, default=1.2, help="the Pareto distribution's exponent")
    parser.add_argument("--json", type=Path, help="a file for all waits and calls")
    parser.add_argument("--child", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(Path(options.child[0]), options.child[1:])
        return
    with tempfile.TemporaryDirectory() as folder:
        records = run(options, Path(folder))
    measured = []
    for stage in dict.fromkeys(record["stage"] for record in records):
        for kind in ("call", "wait"):
            seconds = [r["seconds"] for r in records if (r["stage"], r["kind"]) == (stage, kind)]
            if seconds:
                measured.append(Measured(f"{stage}: {kind}, {len(seconds)} times", "s", tuple(seconds)))
    print_table(f"{options.dialogues} dialogues, {options.processes} processes", measured)
    write_json(options.json, "barriers", measured, **vars(options))


if __name__ == "__main__":
    main()
