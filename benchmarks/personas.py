"""The scripted personas: what can be got from each, that each says only what is true, and what they cost three agents.

Every fact that the cooperative human tells in nine questions has to be got from each persona in at most 14 turns; all
that a persona says has to be small talk or a part of what the cooperative human says; texts of two personas on one
question have to differ. The matrix plays agents against personas with the usual ten turns.

Exit status 1 when a fact was not got, something else was said, or texts are alike too often.

    python benchmarks/personas.py [--tasks 295] [--official TASKS.jsonl] [--played 100]

The official tasks are those of the folder that COLBENCH_OFFICIAL_DATA names, unless a file is given.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from constant_questions import TURNS
from rich.console import Console
from rich.table import Table

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.evaluation.summary import summarise
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans.composing import REMINDER
from colbench_gym.humans.personas import MIXED, VOICES, PersonaHuman, voices
from colbench_gym.humans.personas import plain_words as plain
from colbench_gym.humans.replies import Part
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.policies import make_policy
from colbench_gym.policies.asker import Asker
from colbench_gym.rules import BACKEND
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import BackendTask, backend_task, load_tasks
from colbench_gym.trajectory import Trajectory

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

MAX_TURNS = 14
MIN_DIFFERENT = 0.90
AGENTS = ("asker:2", "asker:4", "asker:9")
_SMALL_TALK = sorted(
    (
        REMINDER,
        *(text for texts in (*vars(voices).values(), plain._FRAMES) if isinstance(texts, tuple) for text in texts),
    ),
    key=len,
    reverse=True,
)
_WORD = re.compile(r"[\w.%'-]*\w|-?\d")


@dataclass
class Tally:
    """Findings about one persona.

    Attributes:
        facts: how many facts the cooperative human told.
        missed: of them those that were not got.
        turns: how many turns it took, over all tasks.
        strange: words that were neither small talk nor part of a true reply, each with its reply.
        missed_examples: (task, question, fact, replies) of missed facts.
    """

    facts: int = 0
    missed: int = 0
    turns: list[int] = field(default_factory=list)
    strange: list[tuple[str, str]] = field(default_factory=list)
    missed_examples: list[tuple[str, str, str, str]] = field(default_factory=list)


def facts_of(human: FunctionHuman, task: BackendTask, questions: Sequence[str]) -> dict[str, list[Part]]:
    """Return what the cooperative human answers to some questions of one dialogue."""
    turns = [Turn("human", task.description)]
    facts: dict[str, list[Part]] = {}
    for question in questions:
        turns.append(Turn("agent", question))
        reply = human.compose(task, Dialogue(tuple(turns)))
        text = reply.text()
        told = [
            part
            for part in reply.parts
            if part.kind == "answer" and part.text in text and not part.text.startswith(REMINDER)
        ]
        facts[question] = told
        turns.append(Turn("human", text))
    return facts


def questions_for(human: FunctionHuman, task: BackendTask) -> list[str]:
    """Return nine questions about a task: those of the scripted agent, or specific ones."""
    asker, turns = Asker(TURNS), [Turn("human", task.description)]
    for _ in range(TURNS):
        text = asker.act(Dialogue(tuple(turns)).messages("agent"))
        if BACKEND.answer_marker in text:
            break
        turns += [Turn("agent", text)]
        turns += [Turn("human", human.reply(task, Dialogue(tuple(turns))))]
    asked = [turn.content for turn in turns[1::2]]
    return list(dict.fromkeys(asked if task.decisions else SPECIFIC))


def check(human: FunctionHuman, persona: str, task: BackendTask, facts: dict[str, list[Part]], tally: Tally) -> None:
    """Ask a persona until every fact was got, at most 14 times, and look at each word that it says."""
    speaker = PersonaHuman(human, persona)
    turns = [Turn("human", task.description)]
    waiting = [question for question, parts in facts.items() if parts]
    replies: list[str] = []
    true_parts = [part for parts in facts.values() for part in parts]
    true_parts += [Part(fact.text) for fact in human.knowledge(task)[1].facts]
    while waiting and len(replies) < MAX_TURNS:
        question = waiting[0]
        turns.append(Turn("agent", question))
        true_parts += human.compose(task, Dialogue(tuple(turns))).parts
        replies.append(speaker.reply(task, Dialogue(tuple(turns))))
        turns.append(Turn("human", replies[-1]))
        rest = leftover(replies[-1], true_parts)
        if rest:
            tally.strange.append((rest, replies[-1]))
        heard = " ".join(replies)
        waiting = [q for q in waiting if any(not is_in(part.text, heard) for part in facts[q])]
        if waiting and waiting[0] == question and len(replies) % 2:  # who puts it off gets the next question meanwhile
            waiting.append(waiting.pop(0))
    tally.turns.append(len(replies))
    tally.facts += sum(map(len, facts.values()))
    for question in waiting:
        missed = [part.text for part in facts[question] if not is_in(part.text, " ".join(replies))]
        tally.missed += len(missed)
        tally.missed_examples += [(task.task_id, question, fact, " | ".join(replies)) for fact in missed]


def is_in(fact: str, text: str) -> bool:
    """Return whether a text holds a fact in any persona's manner, its clauses in one sentence or in several."""
    heard = normal(text)
    return any(version in heard for version in versions(fact)) or (
        "; " in fact and all(is_in(clause, text) for clause in fact.split("; "))
    )


@lru_cache(maxsize=65536)
def versions(fact: str) -> tuple[str, ...]:
    """Return how personas may say a fact, as plain words between blanks."""
    fact = fact.removeprefix(REMINDER)
    return tuple({normal(fact): None, normal(voices._clipped(fact)): None})


@lru_cache(maxsize=65536)
def normal(text: str) -> str:
    """Return the words of a text, technical ones replaced, in lower case, between blanks."""
    return f" {' '.join(_WORD.findall(plain.plainly(text).lower()))} "


def leftover(reply: str, parts: Sequence[Part]) -> str:
    """Return the words of a reply that are neither small talk nor part of a true reply."""
    for talk in _SMALL_TALK:
        reply = reply.replace(talk, " ").replace(talk.lower(), " ")
    rest = normal(reply)
    for version in sorted({v for part in parts for v in versions(part.text)}, key=len, reverse=True):
        rest = rest.replace(version, "  ")
    return rest.strip()


def share_alike(human: FunctionHuman, tasks: Sequence[BackendTask], questions: dict[str, list[str]]) -> float:
    """Return in which share of the cases two personas answer a first question in the same words."""
    same = total = 0
    for task in tasks:
        asked = Dialogue((Turn("human", task.description), Turn("agent", questions[task.task_id][0])))
        texts = [PersonaHuman(human, persona).reply(task, asked) for persona in VOICES]
        pairs = list(combinations(texts, 2))
        same += sum(one == other for one, other in pairs)
        total += len(pairs)
    return same / total


def tasks_of(generated: int, official: str | None) -> Iterator[BackendTask]:
    """Yield generated tasks of the test split, then official ones."""
    task_set = load_tasks("generated:test")
    yield from (backend_task(task_set.at(index)) for index in range(generated))
    if official:
        rows = load_tasks(official)
        yield from (backend_task(rows.at(index)) for index in range(rows.size or 0))


def official_tasks() -> str | None:
    """Return the file of official tasks in the folder that COLBENCH_OFFICIAL_DATA names, if there is one."""
    path = Path(os.environ.get("COLBENCH_OFFICIAL_DATA", "")) / "backend_tasks.jsonl"
    return str(path) if path.is_file() else None


def matrix(played: int, sandbox: str) -> Table:
    """Play each agent against each persona."""
    table = Table("persona", *AGENTS, title=f"success on {played} generated test tasks, 95 % interval")
    jobs = make_jobs(list(tasks_of(played, None)), repeats=1, seed=0)
    with closing(open_sandbox(sandbox)) as opened:
        grader = UnitTestGrader(opened)
        for persona in (*VOICES, MIXED):
            cells = []
            with open_scenario("backend", grading=grader, human=f"scripted:{persona}") as scenario:
                for agent in AGENTS:
                    rows: list[Trajectory] = []
                    collect(jobs, make_policy(agent), scenario, rows.append, ConcurrencyLimits(dialogues=2))
                    success = summarise(rows).success
                    cells.append(success.percent() if success else "-")
            table.add_row(persona, *cells)
    return table


def main() -> int:
    """Print what was found; 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tasks", type=int, default=295, help="generated tasks of the test split")
    parser.add_argument(
        "--official",
        default=official_tasks(),
        help="a file of official tasks, all asked beside the generated ones; by default that of COLBENCH_OFFICIAL_DATA",
    )
    parser.add_argument(
        "--played", type=int, default=100, help="tasks that each agent plays with each persona; 0: none"
    )
    parser.add_argument("--sandbox", default="process")
    options = parser.parse_args()
    tasks = list(tasks_of(options.tasks, options.official))
    tallies = {persona: Tally() for persona in VOICES}
    with closing(FunctionHuman(options.sandbox)) as human:
        questions = {task.task_id: questions_for(human, task) for task in tasks}
        for task in tasks:
            facts = facts_of(human, task, questions[task.task_id])
            for persona, tally in tallies.items():
                check(human, persona, task, facts, tally)
        alike = share_alike(human, tasks, questions)
    table = Table("persona", "facts", "not got in 14 turns", "turns, most", "mean", "untrue or strange replies")
    for persona, tally in tallies.items():
        mean = sum(tally.turns) / len(tally.turns)
        cells = (tally.facts, tally.missed, max(tally.turns), f"{mean:.1f}", len(tally.strange))
        table.add_row(persona, *map(str, cells))
    Console(width=120).print(f"{len(tasks)} tasks", table)
    for persona, tally in tallies.items():
        for example in tally.missed_examples[:2]:
            print(f"{persona} did not tell: {example}")
        for rest, reply in tally.strange[:2]:
            print(f"{persona} said {rest!r} in {reply!r}")
    different = 1 - alike
    print(f"two personas answer a question in other words in {different:.1%} of the cases")
    if options.played:
        Console(width=120).print(matrix(options.played, options.sandbox))
    faults = Counter(
        missed=sum(t.missed for t in tallies.values()), strange=sum(len(t.strange) for t in tallies.values())
    )
    return 0 if not any(faults.values()) and different >= MIN_DIFFERENT else 1


if __name__ == "__main__":
    sys.exit(main())
