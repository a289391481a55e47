"""One task being played: its Episode, what the human's replies gave away, its grade, and what each seat may see of it.

The Gymnasium, vector and PettingZoo environments and the rollouts all keep their books here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, Literal

from colbench_gym.dialogue import ChatMessage, Seat
from colbench_gym.episode import Episode
from colbench_gym.errors import HumanError, TaskError, UnknownNameError, UsageError
from colbench_gym.graders import Grade, Grader
from colbench_gym.humans import NOTHING_SHOWN, HumanSimulator, Shown
from colbench_gym.humans.leaks import Leak, measure_reply
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import RenderedPage, Renderer
from colbench_gym.rules import Rules, Track
from colbench_gym.tasks import BackendTask, Task

RewardKind = Literal["success", "pass_rate", "similarity"]
REWARD_KINDS: Mapping[Track, tuple[RewardKind, ...]] = {  # the first of each track is its default
    "backend": ("success", "pass_rate"),
    "frontend": ("similarity",),
}
_DIALOGUE_FOLLOWS = "(It follows.)"  # stands in a brief where the dialogue would, because it is observed beside it
_REFERENCE_FOLLOWS = "\n\nThe page you have in mind, as HTML:\n"  # in the brief of a seat that is played from outside


class Game:
    """One dialogue about one task.

    Args:
        task: what is to be built; only the human's seat ever sees its hidden fields.
        rules: the rules of the task's track.
        prompts: the wording of both briefs.
        renderer: frontend: makes the pictures that the human is shown.

    Raises:
        TaskError: the task is of another track than the rules, or its description or hidden information is longer than
            a message may be.
        UsageError: a frontend game without a renderer.
    """

    def __init__(self, task: Task, rules: Rules, prompts: Prompts, renderer: Renderer | None = None) -> None:
        if task.track != rules.track:
            raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a {rules.track} task")
        if task.track == "frontend" and renderer is None:
            raise UsageError(
                "a frontend game without a renderer was asked for, so the human could not see any page; give it one, "
                "such as open_renderer('chromium')"
            )
        longest = max(len(task.description), len(_hidden(task)))
        if longest > rules.max_message_chars:
            raise TaskError(
                f"task {task.task_id!r} has a description or hidden information of {longest} characters; expected at "
                f"most {rules.max_message_chars}; shorten it, or leave the task out"
            )
        self.task = task
        self.prompts = prompts
        self.renderer = renderer
        self.episode = Episode(rules, task.description)
        self.leak = Leak()
        self.grade: Grade | None = None
        self._briefs: dict[Seat, str] = {}
        self._rendered: dict[str, RenderedPage] = {}  # by HTML: the reference and the last page that was looked at

    def copy(self) -> Game:
        """The same game, to be played on by itself: what fails on the copy leaves the original as it was."""
        twin = copy(self)
        twin.episode = self.episode.copy()
        return twin

    def say(self, seat: str, text: str, input: Iterable[ChatMessage] | None = None) -> None:
        """Add one message, as :meth:`Episode.say`; what a human's message gives away is added to :attr:`leak`."""
        before = self.episode.dialogue
        self.episode.say(seat, text, input=input)
        if seat == "human":
            asked, said = before.turns[-1].content, self.episode.dialogue.turns[-1].content
            self.leak = self.leak + measure_reply(self.task, asked, said, said_before=before.transcript())

    def ask(self, human: HumanSimulator) -> None:
        """Let a simulated human say the next message; on the frontend track it is :meth:`shown` both pages.

        Raises:
            HumanError: it could not reply, or what it gave is no message.
            RendererError: the browser failed; whose failure it was stays visible.
            AssetError: a page links an asset that has not been fetched.
            TaskError: the reference cannot be rendered.
        """
        reply = human.reply(self.task, self.episode.dialogue, self.shown())
        try:
            self.say("human", reply)
        except UsageError as e:
            raise HumanError(f"the human's reply to task {self.task.task_id!r} cannot be used: {e}") from e

    def step(self, text: str, human: HumanSimulator, grader: Grader) -> None:
        """One move of the agent and what follows from it: the human's reply, or the grade."""
        self.say("agent", text)
        if self.episode.over:
            self.judge(grader)
        else:
            self.ask(human)

    def judge(self, grader: Grader) -> None:
        """Grade the answer of a finished dialogue.

        Raises:
            GraderError: the grader itself failed.
            UsageError: the dialogue is not over.
        """
        if self.episode.answer is None:
            raise UsageError("the dialogue is not over, so there is no answer to grade; look at Episode.over first")
        self.grade = grader.grade(self.task, self.episode.answer)

    def shown(self) -> Shown:
        """Return the pages that the human compares; nothing on the backend track. Raises as :meth:`ask`."""
        if self.renderer is None or self.task.track == "backend":
            return NOTHING_SHOWN
        reference = self._render(self.renderer, self.task.reference)
        if reference.status != "rendered":
            raise TaskError(
                f"the reference of task {self.task.task_id!r} cannot be rendered ({reference.status}); expected a page "
                "that can be; leave the task out"
            )
        return Shown(self.shown_page(), reference)

    def shown_page(self) -> RenderedPage | None:
        """Return the agent's last proposal, also one that could not be rendered; None before there is one."""
        if self.renderer is None or not self.episode.page:
            return None
        return self._render(self.renderer, self.episode.page)

    def _render(self, renderer: Renderer, html: str) -> RenderedPage:
        """Render a page once, however many look at it."""
        if html not in self._rendered:
            current = {self.task.reference, self.episode.page}
            kept = {known: page for known, page in self._rendered.items() if known in current}
            self._rendered = {**kept, html: renderer.render(html)}  # a new dict: copies share the old one
        return self._rendered[html]

    def reward(self, kind: RewardKind | None = None) -> float:
        """What the environment pays now: 0.0 until graded; by default what the track pays by default."""
        if self.grade is None:
            return 0.0
        return float(self.grade.success) if check_reward_kind(kind, self.task.track) == "success" else self.grade.score

    def brief(self, seat: Seat) -> str:
        """The seat's instructions; the human's hold the hidden reference."""
        if seat not in self._briefs:
            self._briefs[seat] = (
                self.prompts.agent_brief(self.episode.rules) if seat == "agent" else self._human_brief()
            )
        return self._briefs[seat]

    def _human_brief(self) -> str:
        hidden = _hidden(self.task)
        brief = self.prompts.human_brief(self.task.description, hidden, self.episode.rules, _DIALOGUE_FOLLOWS)
        if self.task.track == "frontend" and hidden not in brief:  # the wording is made for who is shown pictures
            brief += _REFERENCE_FOLLOWS + hidden
        return brief

    def messages(self, seat: Seat) -> tuple[ChatMessage, ...]:
        """What the seat has seen, as chat messages: its brief as ``system``, its own words as ``assistant``."""
        return (ChatMessage(role="system", content=self.brief(seat)), *self.episode.dialogue.messages(seat))

    def observation(self, seat: Seat) -> dict[str, str]:
        """What the seat has seen, as the environments return it."""
        return {"instructions": self.brief(seat), "dialogue": self.episode.dialogue.transcript()}

    def info(self, seat: Seat) -> dict[str, Any]:  # Any: one type for each key, see the environments' docstrings
        """The info of the environments: always the same keys and types, new objects each time."""
        grade = self.grade
        score = 0.0 if grade is None else float(grade.score)
        metric = "" if grade is None else grade.metric
        return {
            "task_id": self.task.task_id,
            "turn": self.episode.turn,
            "messages": self.messages(seat),
            "outcome": self.episode.outcome,
            "success": grade is not None and grade.success,
            **({"pass_rate": score} if self.task.track == "backend" else {"similarity": score, "metric": metric}),
            "test_outcomes": () if grade is None else tuple(map(str, grade.test_outcomes)),
            "leak": self.leak.as_info(),
        }

    def text(self, since_turn: int = 0) -> str:
        """The dialogue for a reader: who said what, and how it stands. Nothing hidden is in it."""
        turns = "\n\n".join(f"{turn.seat}: {turn.content}" for turn in self.episode.dialogue.turns[since_turn:])
        rules = self.episode.rules
        state = f"[task {self.task.task_id}, turn {self.episode.turn} of {rules.max_turns}, {self.episode.outcome}"
        if self.grade is not None:
            state += f", {self.grade.metric} {self.grade.score:.2f}"
        return f"{turns}\n\n{state}]"

    def __repr__(self) -> str:
        return f"Game(task {self.task.task_id!r}, turn {self.episode.turn}, {self.episode.outcome})"


def _hidden(task: Task) -> str:
    return task.hidden_information if isinstance(task, BackendTask) else task.reference


def check_reward_kind(kind: str | None, track: Track = "backend") -> RewardKind:
    """The reward of that name, or the track's default for None.

    Raises:
        UnknownNameError: the track has none of that name.
    """
    if kind is None:
        return REWARD_KINDS[track][0]
    for known in REWARD_KINDS[track]:
        if kind == known:
            return known
    raise UnknownNameError.among(f"{track} reward", str(kind), REWARD_KINDS[track])
