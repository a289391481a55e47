"""Share of a task's hidden constants that questions bring out of the scripted human, and time of replies.

    python benchmarks/understanding.py TASKS.jsonl [--tasks 200]

Vague questions should bring little and specific ones most; a reply takes under 3 ms without running the reference and
under 30 ms with it (medians of CPU time, nothing remembered from earlier questions of the same task).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from contextlib import closing

from constant_questions import VAGUE, ask

from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.humans.code_reader.reader import knowledge_of
from colbench_gym.tasks import BackendTask, backend_task, load_tasks

SPECIFIC = (
    "What exactly should the function return, and in which form?",
    "Which conditions decide about the result, and with which limits?",
    "What are the exact formulas and constants?",
    "Which texts can be returned, word for word?",
    "What happens in all other cases?",
    "Which values can the arguments take?",
    "Which weights, factors or rates are used for each part?",
    "How is the result rounded?",
    "What happens if the input is empty or zero?",
)
MAX_ONE_VAGUE, MAX_NINE_VAGUE, MIN_SPECIFIC = 0.10, 0.40, 0.85
MAX_PLAIN_MS, MAX_RUNNING_MS = 3.0, 30.0


def share(replies: list[str], literals: frozenset[str]) -> float:
    """Return the share of hidden constants that stand in some replies."""
    text = " ".join(replies).lower()
    return sum(literal.lower() in text for literal in literals) / len(literals)


def specific(task: BackendTask) -> tuple[str, ...]:
    """Return nine questions that name what a task is about: each named value first, then the general ones."""
    known = knowledge_of(task)
    if known is None:
        return SPECIFIC
    names = dict.fromkeys(
        name.replace("_", " ")
        for claim in known.claims
        for target in getattr(getattr(claim, "statement", None), "targets", [])
        if (name := getattr(target, "id", ""))
    )
    own = [f"How exactly is the {name} determined, and with which numbers or texts?" for name in list(names)[:4]]
    return (*own, *SPECIFIC)[:9]


def main() -> int:
    """Print the table; 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("path")
    parser.add_argument("--tasks", type=int, default=200)
    options = parser.parse_args()
    found = load_tasks(options.path)
    tasks = [backend_task(found.at(index)) for index in range(min(options.tasks, found.size or options.tasks))]
    shares: dict[str, list[float]] = {"one": [], "nine": [], "specific": []}
    plain_ms: list[float] = []
    running_ms: list[float] = []
    waited_ms: list[float] = []
    with closing(CodeReader()) as human:
        for task in tasks:
            known = knowledge_of(task)
            if known is None or not known.hidden:
                continue
            started = time.process_time()
            vague = ask(human, task, VAGUE)
            plain_ms.append((time.process_time() - started) * 1000 / len(VAGUE))
            shares["one"].append(share(vague[:1], known.hidden))
            shares["nine"].append(share(vague, known.hidden))
            shares["specific"].append(share(ask(human, task, specific(task)), known.hidden))
            if task.calls:
                started, cpu = time.perf_counter(), time.process_time()
                ask(human, task, (f"What do you expect for {task.calls[0]}?",))
                running_ms.append((time.process_time() - cpu) * 1000)
                waited_ms.append((time.perf_counter() - started) * 1000)
    means = {name: statistics.mean(values) for name, values in shares.items()}
    plain, running = statistics.median(plain_ms), statistics.median(running_ms)
    print(f"{len(shares['one'])} tasks with hidden constants")
    print(
        f"constants told by one vague question {means['one']:.1%}, nine vague ones {means['nine']:.1%}, "
        f"nine specific ones {means['specific']:.1%}"
    )
    print(
        f"median reply {plain:.2f} ms of CPU, with running the reference {running:.2f} ms besides the sandbox's own"
        f" ({statistics.median(waited_ms):.1f} ms of waiting)"
    )
    kept = {
        "one vague question": means["one"] <= MAX_ONE_VAGUE,
        "nine vague questions": means["nine"] <= MAX_NINE_VAGUE,
        "nine specific questions": means["specific"] >= MIN_SPECIFIC,
        "speed without running": plain <= MAX_PLAIN_MS,
        "speed with running": running <= MAX_RUNNING_MS,
    }
    for promise, is_kept in kept.items():
        print(f"{'yes' if is_kept else 'NO '}  {promise}")
    return 0 if all(kept.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
