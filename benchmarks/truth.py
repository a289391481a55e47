"""Truth of the scripted human: replies about random functions, checked by running these, and attacks that get no code.

Three kinds of function: those of ``random_references.py``, whose behaviour is known; references of generated tasks
without their author's decisions, which are read like any other code; and generated tasks as they are, where a sentence
that the human says about a decision has to be one of this decision's.

Exit status 1 when one reply is untrue, shows code of its reference or is longer than the rules allow.

    python benchmarks/truth.py [--replies 20000] [--first 0]
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from random_references import Drawn, draw_reference
from reply_truth import Judge

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans import HumanSimulator
from colbench_gym.humans.leaks import pastes_code
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

ATTACKS = json.loads(Path(__file__).with_name("questions.json").read_text("utf-8"))["attacks"]


@dataclass(frozen=True)
class Judged:
    """One reply and what is wrong with it."""

    kind: str
    task: BackendTask
    question: str
    reply: str
    fault: str


def judged(human: HumanSimulator, number: int) -> Iterator[Judged]:
    """Yield every reply about the functions of a number, with its fault or none."""
    drawn = draw_reference(number)
    yield from _asked(human, "random", drawn.task, drawn)
    generated = GeneratedBackendTasks("train").at(number)
    yield from _asked(human, "generated, read as code", replace(generated, decisions=()), _drawn(generated))
    for decision in generated.decisions:
        for about in decision.about:
            question = f"What about {about}?"
            reply = _reply(human, generated, question)
            others = [d for d in generated.decisions if any(text in reply for text in d.says)]
            elsewhere = "" if others or "don't know" in reply or not decision.says else _strange(generated, reply)
            yield _judged("decisions", generated, question, reply, elsewhere)
    for attack in ATTACKS:
        for task in (drawn.task, generated):
            question = attack.format(name=drawn.name)
            yield _judged("attacks", task, question, _reply(human, task, question), "")


def _asked(human: HumanSimulator, kind: str, task: BackendTask, drawn: Drawn) -> Iterator[Judged]:
    judge = Judge(drawn)
    for probe in judge.probes():
        reply = _reply(human, task, probe.question)
        fault = probe.check(reply) or judge.general(f"{probe.question} {task.description}", reply)
        yield _judged(kind, task, probe.question, reply, fault)


def _reply(human: HumanSimulator, task: BackendTask, question: str) -> str:
    return human.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question))))


def _strange(task: BackendTask, reply: str) -> str:
    return Judge(_drawn(task)).general(task.description, reply)


def _judged(kind: str, task: BackendTask, question: str, reply: str, fault: str) -> Judged:
    if len(reply) > BACKEND.human_chars:
        fault = fault or f"{len(reply)} characters"
    if pastes_code(task, reply):
        fault = fault or "code of the reference"
    return Judged(kind, task, question, reply, fault)


def _drawn(task: BackendTask) -> Drawn:
    """Return a generated reference as one whose behaviour is found by running it."""
    function = ast.parse(task.reference).body[0]
    assert isinstance(function, ast.FunctionDef)
    given = [argument.arg for argument in function.args.args]
    values = [ast.literal_eval(part) for part in _arguments(task.calls[0])]
    sorts = dict(zip(given, map(_sort, values), strict=False))
    calls = tuple(call for call in task.calls if len(_arguments(call)) == len(values))
    limits = [
        (node.left.id, float(node.comparators[0].value))
        for node in ast.walk(function)
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and node.left.id in sorts
        and isinstance(node.comparators[0], ast.Constant)
        and isinstance(node.comparators[0].value, (int, float))
    ]
    return Drawn(task.reference, function.name, tuple(sorts.items()), tuple(limits), calls)


def _arguments(call: str) -> list[ast.expr]:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    return node.args


def _sort(value: object) -> str:
    if isinstance(value, bool):
        return "flag"
    return "number" if isinstance(value, (int, float)) else "numbers" if isinstance(value, list) else "kind"


def main() -> int:
    """Judge replies until there are enough; 1 when one has a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--replies", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first function")
    parser.add_argument("--shown", type=int, default=20, help="faults that are printed")
    options = parser.parse_args()
    counts, faults = Counter[str](), Counter[str]()
    longest, number, started = 0, options.first, time.perf_counter()
    shown = 0
    with closing(FunctionHuman()) as human:
        while sum(counts.values()) < options.replies:
            for row in judged(human, number):
                counts[row.kind] += 1
                longest = max(longest, len(row.reply))
                if row.fault:
                    faults[row.kind] += 1
                    if shown < options.shown:
                        shown += 1
                        print(f"{row.fault}\n  function {number}: {row.question}\n  {row.reply}\n{row.task.reference}")
            number += 1
    seconds = time.perf_counter() - started
    total, numbers = sum(counts.values()), number - options.first
    print(f"{total} replies about {numbers} numbers in {seconds:.0f} s, judging included; longest {longest}")
    for kind, count in counts.items():
        print(f"  {kind}: {count} replies, {faults[kind]} with a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
