"""Dialogues that people play at a local page: the ending that they are shown, and a study of many people."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from colbench_gym.action import extract_page
from colbench_gym.dialogue import Seat
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.rollout import make_jobs, play
from colbench_gym.evaluation.run import EvalConfig, evaluate, open_seats
from colbench_gym.evaluation.run_folder import RUN_FILE
from colbench_gym.graders import Grader
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.graders.unit_tests.told_tests import told_tests
from colbench_gym.person import Box, Request, page_box
from colbench_gym.person.web import SharedWebPerson
from colbench_gym.rendering import Renderer
from colbench_gym.tasks import BackendTask
from colbench_gym.trajectory import Trajectory

WEB = "web"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_OUTCOMES = {"answered": "An answer was given.", "out_of_turns": "The last turn was reached."}


def ending(trajectory: Trajectory, renderer: Renderer | None = None, grader: Grader | None = None) -> tuple[Box, ...]:
    """Return what both seats may see after the end: the grade, each test and the reference, or both pages.

    Args:
        trajectory: a dialogue that has ended.
        renderer: frontend: draws the graded and the wanted page.
        grader: backend: tells of each test what was wanted, what came, and why nothing did.
    """
    how = _OUTCOMES.get(trajectory.outcome, trajectory.error)
    boxes = [Box("how it ended", f"{how}\n{_grade(trajectory)}")]
    task = trajectory.task
    if isinstance(task, BackendTask):
        tests: Iterable[object] = map("{1:<10}{0}".format, task.calls, trajectory.test_outcomes)
        if isinstance(grader, UnitTestGrader) and trajectory.test_outcomes:
            tests = told_tests(grader, task, trajectory.answer)
        boxes.append(Box("tests", "\n".join(map(str, tests)), code=True))
    elif renderer is not None:
        official = trajectory.rules.official_addresses
        said = (extract_page(turn.content, official) for turn in trajectory.dialogue.turns)
        graded = [page for page in said if page is not None][-1:]
        for name, page in [*(("graded", page) for page in graded), ("wanted", task.reference)]:
            rendered = renderer.render(page)
            boxes.append(page_box(f"the {name} page", name, rendered.status, rendered.png))
    boxes.append(Box("the reference", task.reference, code=True))
    return tuple(box for box in boxes if box.text or box.png)


def _grade(trajectory: Trajectory) -> str:
    if trajectory.score is None:
        return "It was not graded."
    if trajectory.rules.track == "frontend":
        return f"Similarity to the wanted page: {100 * trajectory.score:.1f} % ({trajectory.metric})."
    passed = trajectory.test_outcomes.count("passed")
    return f"{passed} of {len(trajectory.test_outcomes)} tests passed."


def seated(agent: str, human: str) -> tuple[str, str, Seat]:
    """Move the one person of ``console`` to the page; return both specs and the seat.

    Raises:
        UsageError: nobody or everybody is a person.
    """
    at_agent, at_human = agent in ("console", WEB), human in ("console", WEB)
    if at_agent and at_human:
        raise UsageError(
            "got a person at both seats, and a page has one; drop --human console, or name a model or a script "
            "with --agent"
        )
    if not (at_agent or at_human):
        raise UsageError(
            f"got --agent {agent} and --human {human}, so nobody would sit at the page; make one of them console"
        )
    return (WEB, human, "agent") if at_agent else (agent, WEB, "human")


def play_once(config: EvalConfig, task_id: str | None) -> Trajectory:
    """Play one dialogue at a page, show its ending there and return it.

    Raises:
        UsageError: a setting cannot be used.
        MissingExtraError: a page needs packages that are not installed.
    """
    agent, human, seat = seated(config.agent, config.human)
    config = replace(config, agent=agent, human=human)
    # the seats open the page: before them, its address would be told ahead of imports, amid which a Ctrl-C can be lost
    with open_seats(config) as (scenario, policy), SharedWebPerson(seat) as person:
        task = scenario.tasks.at(0) if task_id is None else scenario.tasks.get(task_id)
        trajectory = play(make_jobs([task], repeats=1, seed=config.seed)[0], policy, scenario)
        person.tell(ending(trajectory, scenario.renderer, scenario.grader))
    return trajectory


def play_study(config: EvalConfig) -> None:
    """Let people come to one page in turn, and each play the same tasks, until Ctrl-C.

    A name that comes again goes on where it stopped.

    Args:
        config: of each person's run; ``out`` is the folder of folders.

    Raises:
        UsageError: a setting cannot be used.
        MissingExtraError: a page needs packages that are not installed.
    """
    agent, human, seat = seated(config.agent, config.human)
    config = replace(config, agent=agent, human=human, concurrency=1)
    with SharedWebPerson(seat) as person:
        note = Box("welcome", "Write the name or number that you were given (letters, digits, - and _).")
        while True:
            name = person.ask(Request("your name or number", (note,), opening=True)).strip()
            if not _NAME.fullmatch(name):
                note = Box("welcome", f"Got {name[:60]!r}; write at most 40 letters, digits, - and _.")
                continue
            note = Box("thank you", "All is saved. The next person may write a name or number.")
            out = config.out / name
            evaluate(replace(config, out=out, resume=(out / RUN_FILE).exists()))
