"""Environment steps per second with the scripted human, and many episodes at once against Gymnasium's SyncVectorEnv.

    python benchmarks/stepping.py [--episodes 100] [--questions 4] [--envs 8] [--rounds 3] [--json FILE]

One core is enough. Each episode asks some questions and then answers with the reference.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from harness import Measured, print_table, take_turns, write_json

from colbench_gym import BACKEND, Dialogue, HumanSimulator, load_tasks
from colbench_gym.envs.registration import BACKEND_ID
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.policies.scripted import HoldsNothing
from colbench_gym.rules import MENU_IDS
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import Task, TaskSet

QUESTIONS = (
    "What are the parameters and their types?",
    "What is returned, and in which form?",
    "What should happen with empty input?",
    "Are there limits or thresholds that matter?",
)
SLOW_REPLY_S = 0.02  # of the comparison in which replies take time, as a model's do


@dataclass(frozen=True)
class Slow(HoldsNothing):
    """A human whose replies take their time."""

    human: HumanSimulator

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        time.sleep(SLOW_REPLY_S)
        return self.human.reply(task, dialogue, shown)


def play(env: gymnasium.Env[dict[str, str], str], task: Task, questions: Sequence[str]) -> tuple[float, float]:
    """Play an episode; return its seconds, and those of CPU of the steps that ask."""
    start = time.perf_counter()
    env.reset(options={"task_id": task.task_id})
    asking_cpu_s = time.thread_time()
    for text in questions:
        env.step(text)
    asking_cpu_s = time.thread_time() - asking_cpu_s
    env.step(f"{BACKEND.answer_marker}\n{task.reference}")
    return time.perf_counter() - start, asking_cpu_s


def vector_steps_per_s(mode: str | None, envs: int, episodes: int, questions: Sequence[str], kwargs: Any) -> float:
    with closing(gymnasium.make_vec(BACKEND_ID, num_envs=envs, vectorization_mode=mode, **kwargs)) as vector:
        vector.reset(seed=0)
        texts = [*questions, f"{BACKEND.answer_marker} def f(): pass"]
        rounds = max(1, episodes // envs)
        start = time.perf_counter()
        for _ in range(rounds):
            for text in texts:
                vector.step((text,) * envs)
            vector.step(("",) * envs)  # the reset of NextStep
        return rounds * len(texts) * envs / (time.perf_counter() - start)


def menu_steps_per_s(envs: int, steps: int = 20_000) -> float:
    """Return the steps a second of CPU of random questions, at the second time, when replies and grades are kept."""
    rng = np.random.default_rng(0)
    with closing(gymnasium.make_vec(MENU_IDS["backend"], envs, tasks="generated:train:easy", pool=20)) as menu:
        masks = menu.reset(seed=0)[1]["action_mask"]
        for _ in range(2):
            start = time.process_time()
            for _ in range(steps // envs):
                masks = menu.step((masks * rng.random(masks.shape)).argmax(axis=1))[4]["action_mask"]
        return steps // envs * envs / (time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("episodes", 100), ("questions", 4), ("envs", 8), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--tasks", default="generated")
    parser.add_argument("--json", type=Path, help="a file for all rounds")
    options = parser.parse_args()
    questions = [QUESTIONS[at % len(QUESTIONS)] for at in range(min(options.questions, BACKEND.max_turns - 1))]
    task_set: TaskSet = load_tasks(options.tasks)
    count = options.episodes if task_set.size is None else min(options.episodes, task_set.size)
    tasks = [task_set.at(at) for at in range(count)]
    with closing(open_sandbox("process")) as sandbox:
        seats = {"tasks": task_set, "human": FunctionHuman(), "grading": UnitTestGrader(sandbox)}
        measured = [*one_at_a_time(tasks, questions, seats), *at_once(questions, seats, len(tasks), options)]
    write_json(options.json, "stepping", measured, episodes=count, questions=len(questions), envs=options.envs)


def one_at_a_time(tasks: Sequence[Task], questions: Sequence[str], seats: dict[str, Any]) -> list[Measured]:
    """Measure the steps of ``gymnasium.make``; references are run and read before."""
    env = gymnasium.make(BACKEND_ID, **seats)
    for task in tasks:
        play(env, task, questions)
    seconds, asking_cpu_s = map(sum, zip(*(play(env, task, questions) for task in tasks), strict=True))
    steps = len(tasks) * len(questions)
    measured = [
        Measured("gymnasium.make", "steps/s", ((steps + len(tasks)) / seconds,)),
        Measured("gymnasium.make, questions", "steps/s of CPU", (steps / asking_cpu_s,)),
    ]
    print_table(f"{len(tasks)} episodes of {len(questions)} questions and an answer, strict grading", measured)
    return measured


def at_once(questions: Sequence[str], seats: dict[str, Any], episodes: int, options: Any) -> list[Measured]:
    """Measure our vector environment against Gymnasium's, also with a human who takes time."""
    kept = Measured("BackendMenuVectorEnv, random questions", "steps/s of CPU", (menu_steps_per_s(options.envs),))
    print_table(f"{options.envs} episodes at once on the menu, replies kept", [kept])
    everything = [kept]
    slow = {**seats, "human": Slow(seats["human"])}
    for title, given in (("scripted human", seats), (f"human that takes {1000 * SLOW_REPLY_S:.0f} ms", slow)):
        ways = {
            f"{name}, {title}": partial(vector_steps_per_s, mode, options.envs, episodes, questions, given)
            for name, mode in (("SyncVectorEnv", "sync"), ("BackendVectorEnv", None))
        }
        measured = list(take_turns(ways, options.rounds, "steps/s").values())
        print_table(f"{options.envs} episodes at once, {title}", measured, measured[:1])
        everything += measured
    return everything


if __name__ == "__main__":
    main()
