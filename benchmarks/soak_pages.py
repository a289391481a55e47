"""Play frontend episodes for a long time while browsers are killed: is anything lost, is any score not the page's own?

    python benchmarks/soak_pages.py -n 2000

First each of the different dialogues is played once with nothing in the way. Then ``-n`` episodes repeat them, and
after every ``--fault-every`` of them, at a random moment, one process of a browser is killed, a whole browser, or all
of them; 0 injects none, for comparing times. (Faults follow progress, not the clock: a page whose browser ends again
and again is itself to blame, and on a busy machine no browser would be given the time to start.) Beside them hostile
pages are rendered, ``--hostile`` of the number of episodes. No page that is shown is known already: each differs from
all others in a comment, which changes nothing that can be seen. Every reply, score and outcome must equal the
undisturbed one. The table has a row for each tenth of the run; the exit status is 1 when an episode was lost or
differs, or something is left, or this process grew: by more than 50 MB from the second tenth to the last, or at any
moment by more than its cache of pages and the pages under way may take.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from harness import counts_in_words, descendants, latency_in_words, memory_bytes, wait_for_none

from colbench_gym.dialogue import ChatMessage
from colbench_gym.evaluation.rollout import ConcurrencyLimits, Job, collect, make_jobs
from colbench_gym.policies.scripted import HoldsNothing
from colbench_gym.rendering import Renderer
from colbench_gym.rendering.chromium import Chromium
from colbench_gym.rules import FRONTEND
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import FrontendTask, load_tasks
from colbench_gym.trajectory import Trajectory

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from support.hostile_pages import ASKING, PAGES

KINDS = ("right", "other", "half", "none")  # the page that an agent shows: the reference, another, half of it, none
ROWS = 10
GROWTH_MB = 50.0  # of this process, from the second tenth to the last
CACHE_BYTES = 16 * 1024**2  # of rendered pages: full within the first tenth, so that later growth is not its filling
MAX_MORE_BYTES = CACHE_BYTES + 256 * 1024**2  # 256 MB for pages under way


def browser_processes() -> list[tuple[int, bool]]:
    """Every process of this process's browsers, and whether it is the browser's first."""
    found = []
    for pid in descendants(os.getpid()):
        with contextlib.suppress(OSError):  # ended meanwhile
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
            program = command.partition(b" ")[0]
            if b"chrom" in program or b"headless_shell" in program:
                found.append((pid, b" --type=" not in command and b"crashpad" not in program))
    return found


class Faults(threading.Thread):
    """Kills browsers as episodes are finished, until it is told to stop."""

    def __init__(self, rng: random.Random, every: int) -> None:
        super().__init__(name="faults")
        self.counts: Counter[str] = Counter()
        self.over = threading.Event()
        self.finished = 0
        self._rng = rng
        self._every = every

    def run(self) -> None:
        due = self._every or math.inf
        while not self.over.wait(self._rng.uniform(0.0, 0.2)):
            if self.finished >= due:
                self.counts[self._inject()] += 1
                due = self.finished + self._every

    def _inject(self) -> str:
        processes = browser_processes()
        first = [pid for pid, is_first in processes if is_first]
        if not first:
            return "no browser was there to be killed"
        kind = self._rng.choices(("one process", "a browser", "all browsers"), (5, 4, 1))[0]
        chosen = {"one process": [pid for pid, _ in processes], "a browser": first, "all browsers": first}[kind]
        for pid in chosen if kind == "all browsers" else [self._rng.choice(chosen)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return f"{kind} killed"


class Hostile(threading.Thread):
    """Renders hostile pages beside the episodes, ``share`` of their number, and watches the memory of this process."""

    def __init__(self, renderer: Renderer, faults: Faults, rng: random.Random, share: float) -> None:
        super().__init__(name="hostile")
        self.rendered: Counter[str] = Counter()
        self.most_bytes = 0
        self._renderer, self._faults, self._rng, self._share = renderer, faults, rng, share

    def run(self) -> None:
        pages = sorted({**PAGES, **ASKING}.values())
        before = memory_bytes()
        while not self._faults.over.wait(0.1):
            self.most_bytes = max(self.most_bytes, memory_bytes() - before)
            if self.rendered.total() < self._share * self._faults.finished:
                html = self._rng.choice(pages)
                self.rendered[self._renderer.render(f"{html}<!-- {self.rendered.total()} -->").status] += 1


@dataclass(frozen=True)
class Showing(HoldsNothing):
    """An agent that shows its page, hears what is wrong with it, and answers with the same page."""

    page: str

    def act(self, messages: Sequence[ChatMessage]) -> str:
        shown = sum(message["role"] == "assistant" for message in messages)
        return f"{FRONTEND.answer_marker} That is it." if shown else f"Like this? {self.page}"


class Agents(HoldsNothing):
    """The agent of each episode knows the reference; which page it shows is in the task's id.

    Attributes:
        began: when each episode asked for its agent, by the task's id.
    """

    def __init__(self) -> None:
        self.began: dict[str, float] = {}

    def for_task(self, task: FrontendTask) -> Showing:
        self.began[task.task_id] = time.monotonic()
        number, kind = str(task.row["number"]), str(task.row["kind"])
        body = task.reference.partition("<body")[2]
        parts = body.split("</")
        pages = {
            "right": task.reference,
            "other": f"<html><!-- {number} --><body style='background:#135'><h1>Something else</h1></body></html>",
            "half": f"<html><!-- {number} --><body{'</'.join(parts[: len(parts) // 2])}</body></html>",
            "none": "I shall describe it in words.",
        }
        return Showing(pages[kind])


def episodes(count: int, tasks: int, start: int = 0) -> Iterator[FrontendTask]:
    """Tasks ``start``, ``start + 1`` ...: the same few over and over; a reference that is shown is no other one's."""
    known = load_tasks("generated:test", track="frontend")
    for number in range(start, start + count):
        task, kind = known.at(number // len(KINDS) % tasks), KINDS[number % len(KINDS)]
        html = task.reference
        if kind == "right":
            html = html.replace("<body", f"<!-- {number} --><body", 1)
        yield FrontendTask(str(number), task.description, html, {"number": number, "kind": kind})


def seen(trajectory: Trajectory) -> tuple[object, ...]:
    """Return what must not depend on faults; the number of the episode, which its pages hold, is left out."""
    replies = tuple(turn.content for turn in trajectory.dialogue.turns if turn.seat == "human")
    return trajectory.outcome, trajectory.similarity, trajectory.metric, replies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("-n", "--episodes", type=int, default=2000)
    parser.add_argument("--tasks", type=int, default=25)
    parser.add_argument("--fault-every", type=int, default=8, help="episodes; 0 injects none")
    parser.add_argument("--hostile", type=float, default=0.02, help="hostile pages, as a share of the episodes")
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    different = options.tasks * len(KINDS)

    began = time.monotonic()
    problems: Counter[str] = Counter()
    scores: Counter[str] = Counter()
    with ExitStack() as stack:
        renderer = stack.enter_context(contextlib.closing(Chromium(cache_bytes=CACHE_BYTES)))
        scenario = stack.enter_context(open_scenario("frontend", renderer=renderer))
        limits = ConcurrencyLimits(options.threads)
        expected: dict[int, tuple[object, ...]] = {}
        agents = Agents()
        episode_s: dict[str, list[float]] = {"undisturbed": [], "mixed": []}
        own_mb: list[float] = []

        def undisturbed(trajectory: Trajectory) -> None:
            expected[int(trajectory.task.task_id)] = seen(trajectory)
            started = agents.began.pop(trajectory.task.task_id)
            if len(expected) > options.threads:  # the first ones waited for the browsers' start
                episode_s["undisturbed"].append(time.monotonic() - started)

        count = min(different, options.episodes)
        first = make_jobs(list(episodes(count, options.tasks)), 1, options.seed)
        collect(first, agents, scenario, undisturbed, limits)
        print(f"{count} dialogues undisturbed: {time.monotonic() - began:.1f} s")
        faults = Faults(random.Random(options.seed), options.fault_every)
        hostile = Hostile(renderer, faults, random.Random(options.seed), options.hostile)
        done: set[str] = set()

        def finished(trajectory: Trajectory) -> None:
            number = int(trajectory.task.task_id)
            kind = KINDS[number % len(KINDS)]
            if seen(trajectory) != expected[number % count]:
                problems[f"{kind}: {seen(trajectory)[:2]}, not {expected[number % count][:2]} {trajectory.error}"] += 1
            if trajectory.similarity == 0.0:
                scores[f"{kind}: scored 0"] += 1
            done.add(trajectory.task.task_id)
            episode_s["mixed"].append(time.monotonic() - agents.began.pop(trajectory.task.task_id))
            faults.finished = len(done)
            if len(done) % max(1, options.episodes // ROWS) == 0:
                seconds, there, faulty = time.monotonic() - began, len(browser_processes()), faults.counts.total()
                own_mb.append(memory_bytes() / 1024**2)
                print(f"{len(done):9} {seconds:8.1f} {own_mb[-1]:7.1f} {there:18} {faulty:7}", flush=True)

        start = math.lcm(count, different)  # so that numbers and their undisturbed dialogue match, and none repeats
        jobs: list[Job] = list(make_jobs(list(episodes(options.episodes, options.tasks, start)), 1, options.seed))
        print(f"{'episodes':>9} {'seconds':>8} {'own MB':>7} {'browser processes':>18} {'faults':>7}")
        faults.start()
        hostile.start()
        try:
            collect(jobs, agents, scenario, finished, limits)
        finally:
            faults.over.set()
            faults.join()
            hostile.join()
    left = wait_for_none(lambda: len(browser_processes()))
    print(f"faults: {counts_in_words(faults.counts)}")
    print(f"hostile pages: {counts_in_words(hostile.rendered)}")
    print(f"memory of this process: at most {hostile.most_bytes / 1024**2:.0f} MB more than before the faults")
    print(f"zeros: {counts_in_words(scores)}")
    for run, seconds in episode_s.items():
        print(f"episodes, {run}: {latency_in_words(seconds)}")
    growth = own_mb[-1] - own_mb[1] if len(own_mb) > 2 else 0.0
    print(f"from the second tenth to the last this process grew by {growth:+.1f} MB")
    told = [f"{count} times {problem}" for problem, count in problems.most_common(5)]
    told += [f"{options.episodes - len(done)} lost"] * (len(done) != options.episodes)
    told += [f"{left} browser processes left"] * (left > 0)
    told += [f"{hostile.most_bytes:,} bytes more in this process"] * (hostile.most_bytes > MAX_MORE_BYTES)
    told += [f"grew by {growth:.1f} MB"] * (growth > GROWTH_MB)
    told += ["no fault was injected"] * (faults.counts.total() == 0 < options.fault_every)
    print("; ".join(told) or f"{len(done)} episodes: nothing lost, every score is the page's own, nothing left")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
