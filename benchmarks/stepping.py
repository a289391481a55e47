"""Environment steps per second with the scripted human, and where the time goes, as ratios within one run.

    python benchmarks/stepping.py [--episodes 100] [--questions 4] [--envs 8] [--rounds 3] [--json FILE]
    python benchmarks/stepping.py --asyncio 200 [--tasks generated]   # seconds of CPU of episodes in one scenario

One core is enough. Each episode asks some questions and then answers with the reference. Wrapped environments
(``gymnasium.make``) and bare ones (``BackendEnv``) take turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
from harness import Measured, print_table, take_turns, write_json

from colbench_gym import BACKEND, Dialogue, Episode, Grade, Grader, HumanSimulator, load_tasks, open_scenario
from colbench_gym.envs.backend import BackendEnv
from colbench_gym.envs.registration import BACKEND_ID
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.leaks import measure_reply
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import Task, TaskSet

QUESTIONS = (
    "What are the parameters and their types?",
    "What is returned, and in which form?",
    "What should happen with empty input?",
    "Are there limits or thresholds that matter?",
    "How is the result rounded or ordered?",
    "Are there any special cases?",
)
ASYNCIO_QUESTIONS = (
    "What should be returned for an empty list?",
    "How is the result rounded?",
    "Is there a limit or a threshold?",
)
SLOW_REPLY_S = 0.02  # of the comparison in which replies take time, as a model's do


class Timed:
    """A human and a grader that note how long they took."""

    def __init__(self, human: HumanSimulator, grader: Grader, pause_s: float = 0.0) -> None:
        self._human, self._grader, self._pause_s = human, grader, pause_s
        self.reset()

    def reset(self) -> None:
        self.human_cpu_s = self.grading_s = self.grading_cpu_s = 0.0

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        if self._pause_s:
            time.sleep(self._pause_s)
        cpu_s = time.thread_time()
        reply = self._human.reply(task, dialogue, shown)
        self.human_cpu_s += time.thread_time() - cpu_s
        return reply

    def grade(self, task: Task, answer: str) -> Grade:
        start, cpu_s = time.perf_counter(), time.thread_time()
        grade = self._grader.grade(task, answer)
        self.grading_s += time.perf_counter() - start
        self.grading_cpu_s += time.thread_time() - cpu_s
        return grade

    def close(self) -> None:
        pass


@dataclass
class Spent:
    """Seconds and steps of one kind of environment. CPU is that of the thread that steps.

    Attributes:
        question_cpu_s: of the steps that ask, which grade nothing.
    """

    seconds: float = 0.0
    cpu_s: float = 0.0
    steps: int = 0
    question_cpu_s: float = 0.0
    questions: int = 0


def play(env: gymnasium.Env[dict[str, str], str], task: Task, questions: Sequence[str], spent: Spent) -> None:
    start, cpu_s = time.perf_counter(), time.thread_time()
    env.reset(options={"task_id": task.task_id})
    asking_cpu_s = time.thread_time()
    for text in questions:
        env.step(text)
    spent.question_cpu_s += time.thread_time() - asking_cpu_s
    spent.questions += len(questions)
    env.step(f"{BACKEND.answer_marker}\n{task.reference}")
    spent.seconds += time.perf_counter() - start
    spent.cpu_s += time.thread_time() - cpu_s
    spent.steps += len(questions) + 1


def seconds_of(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    start = clock()
    work()
    return clock() - start


def dialogues(tasks: Sequence[Task], questions: Sequence[str], human: HumanSimulator) -> list[tuple[Task, Dialogue]]:
    played = []
    for task in tasks:
        episode = Episode(BACKEND, task.description)
        for text in questions:
            episode.say("agent", text)
            episode.say("human", human.reply(task, episode.dialogue))
        episode.say("agent", f"{BACKEND.answer_marker}\n{task.reference}")
        played.append((task, episode.dialogue))
    return played


def replay_episodes(played: Sequence[tuple[Task, Dialogue]]) -> None:
    for task, dialogue in played:
        episode = Episode(BACKEND, task.description)
        for turn in dialogue.turns[1:]:
            episode.say(turn.seat, turn.content)


def replay_leaks(played: Sequence[tuple[Task, Dialogue]]) -> None:
    for task, dialogue in played:
        for at in range(2, len(dialogue.turns) - 1, 2):
            before = Dialogue(dialogue.turns[:at]).transcript()
            measure_reply(task, dialogue.turns[at - 1].content, dialogue.turns[at].content, said_before=before)


def vector_steps_per_s(mode: str | None, envs: int, episodes: int, questions: Sequence[str], kwargs: Any) -> float:
    vector = gymnasium.make_vec(BACKEND_ID, num_envs=envs, vectorization_mode=mode, **kwargs)
    try:
        vector.reset(seed=0)
        texts = [*questions, f"{BACKEND.answer_marker} def f(): pass"]
        rounds = max(1, episodes // envs)

        def work() -> None:
            for _ in range(rounds):
                for text in texts:
                    vector.step((text,) * envs)
                vector.step(("",) * envs)  # the reset of NextStep

        return rounds * len(texts) * envs / seconds_of(work)
    finally:
        vector.close()


def cpu_s(whose: int) -> float:
    """Return the seconds of CPU that a process, or its ended children, have used."""
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def asyncio_episodes(spec: str, count: int) -> None:
    """Play the first tasks of a set all at once on one event loop, and print the seconds that it took."""
    own_s, children_s = cpu_s(resource.RUSAGE_SELF), cpu_s(resource.RUSAGE_CHILDREN)
    with open_scenario("backend", tasks=spec) as scenario:

        async def play_one(number: int) -> None:
            episode = scenario.episode(task_id=f"test-{number}")
            for question in ASYNCIO_QUESTIONS:
                await episode.asay(question)
            await episode.asay(f"{BACKEND.answer_marker}\n{episode.task.reference}")

        async def play_all() -> None:
            await asyncio.gather(*map(play_one, range(count)))

        began = time.perf_counter()
        asyncio.run(play_all())
        wall_s = time.perf_counter() - began
    own_s, children_s = cpu_s(resource.RUSAGE_SELF) - own_s, cpu_s(resource.RUSAGE_CHILDREN) - children_s
    print(
        f"{count} asyncio episodes of {spec}: {own_s:.2f} s of CPU, {own_s + children_s:.2f} s with the workers, "
        f"{wall_s:.2f} s from the first message to the last grade"
    )


def report(title: str, rows: Sequence[tuple[str, float]], total: float) -> None:
    print(title)
    for name, seconds in rows:
        print(f"  {name:<44} {100 * seconds / total:5.1f} %")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=100)
    parser.add_argument("--questions", type=int, default=4)
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--tasks", default="generated")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="a file for all rounds")
    parser.add_argument("--asyncio", type=int, metavar="N", help="play N generated episodes in one scenario, only that")
    options = parser.parse_args()
    if options.asyncio:
        asyncio_episodes(options.tasks, options.asyncio)
        return
    questions = [QUESTIONS[at % len(QUESTIONS)] for at in range(min(options.questions, BACKEND.max_turns - 1))]
    task_set: TaskSet = load_tasks(options.tasks)
    count = options.episodes if task_set.size is None else min(options.episodes, task_set.size)
    tasks = [task_set.at(at) for at in range(count)]
    sandbox = open_sandbox("process")
    try:
        measure(
            tasks,
            task_set,
            questions,
            options.envs,
            FunctionHuman(),
            UnitTestGrader(sandbox),
            options.rounds,
            options.json,
        )
    finally:
        sandbox.close()


def measure(
    tasks: Sequence[Task],
    task_set: TaskSet,
    questions: Sequence[str],
    envs: int,
    human: HumanSimulator,
    grader: Grader,
    rounds: int,
    json: Path | None,
) -> None:
    clock, bare_clock = Timed(human, grader), Timed(human, grader)
    wrapped = gymnasium.make(BACKEND_ID, tasks=task_set, human=clock, grading=clock)
    bare = BackendEnv(tasks=task_set, human=bare_clock, grading=bare_clock)
    for task in tasks:  # references are run and read once per task; that is measured by benchmarks/grading.py
        play(bare, task, questions, Spent())
    bare_clock.reset()
    in_wrapped, in_bare = Spent(), Spent()
    for task in tasks:
        play(wrapped, task, questions, in_wrapped)
        play(bare, task, questions, in_bare)
    played = dialogues(tasks, questions, human)
    episode_s = seconds_of(lambda: replay_episodes(played), time.thread_time)
    leak_s = seconds_of(lambda: replay_leaks(played), time.thread_time)
    ours_s = in_bare.cpu_s - bare_clock.human_cpu_s - bare_clock.grading_cpu_s
    wrappers_s = in_wrapped.cpu_s - clock.human_cpu_s - clock.grading_cpu_s - ours_s
    total_s = clock.human_cpu_s + clock.grading_s + ours_s + wrappers_s
    print(f"{len(tasks)} episodes of {len(questions)} questions and an answer, scripted human, strict grading\n")
    print(f"gymnasium.make: {in_wrapped.steps / in_wrapped.seconds:.0f} steps per second, one at a time")
    print(f"BackendEnv:     {in_bare.steps / in_bare.seconds:.0f} steps per second")
    asked = in_wrapped.questions / in_wrapped.question_cpu_s
    print(f"gymnasium.make: {asked:.0f} steps per second of CPU that ask (no grading; references were read before)\n")
    report(
        "Where the time of gymnasium.make goes (CPU time of the stepping thread; grading: wall time):",
        [
            ("human (reads the reference, replies)", clock.human_cpu_s),
            ("grading (sandbox included)", clock.grading_s),
            ("ours: Episode alone", episode_s),
            ("ours: measuring leaks", leak_s),
            ("ours: observations, infos, the rest of step", ours_s - episode_s - leak_s),
            ("gymnasium's wrapper (order)", wrappers_s),
        ],
        total_s,
    )
    print(f"  {'ours together':<44} {100 * ours_s / total_s:5.1f} %\n")
    everything = [
        Measured("gymnasium.make", "steps/s", (in_wrapped.steps / in_wrapped.seconds,)),
        Measured("BackendEnv", "steps/s", (in_bare.steps / in_bare.seconds,)),
        Measured("gymnasium.make, questions", "steps/s of CPU", (asked,)),
    ]
    for title, pause_s in (("scripted human", 0.0), (f"human that takes {1000 * SLOW_REPLY_S:.0f} ms", SLOW_REPLY_S)):
        slow = Timed(human, grader, pause_s)
        seats = {"tasks": task_set, "human": slow, "grading": slow}
        ways = {
            f"{name}, {title}": lambda mode=mode, seats=seats: vector_steps_per_s(
                mode, envs, len(tasks), questions, seats
            )
            for name, mode in (("SyncVectorEnv", "sync"), ("BackendVectorEnv", None))
        }
        measured = take_turns(ways, rounds, "steps/s")
        base, *_ = measured.values()
        print_table(f"{envs} episodes at once, {title}", list(measured.values()), [base])
        everything += measured.values()
    write_json(json, "stepping", everything, episodes=len(tasks), questions=len(questions), envs=envs)


if __name__ == "__main__":
    main()
