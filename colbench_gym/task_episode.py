"""One task being played: its Episode, what the human's replies gave away, its grade, and what each seat may see of it.

The Gymnasium, vector and PettingZoo environments and the rollouts are all written on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any, Literal

from colbench_gym.action import extract_page
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


class TaskEpisode:
    """One dialogue about one task.

    Args:
        task: what is to be built; only the human's seat ever sees its hidden fields.
        rules: the rules of the task's track.
        prompts: the wording of both briefs.
        human: replies to the agent; None where the human's seat is played from outside.
        grader: grades the answer; None where nothing is graded.
        reward: what :attr:`reward` pays; the track's default when None.
        renderer: frontend: renders the pages that the human is shown.
        keeps_draft: frontend: the human is shown the last page again after a message without one.

    Raises:
        TaskError: the task is of another track than the rules, or its description or hidden information is longer than
            a message may be.
        UsageError: a frontend episode without a renderer.
        UnknownNameError: the track has no such reward.
    """

    def __init__(
        self,
        task: Task,
        rules: Rules,
        prompts: Prompts,
        *,
        human: HumanSimulator | None = None,
        grader: Grader | None = None,
        reward: RewardKind | None = None,
        renderer: Renderer | None = None,
        keeps_draft: bool = True,
    ) -> None:
        if task.track != rules.track:
            raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a {rules.track} task")
        if task.track == "frontend" and renderer is None:
            raise UsageError(
                "got a frontend episode without a renderer, so the human could not see any page; give it one, such as "
                "open_renderer('chromium')"
            )
        longest = max(len(task.description), len(_hidden(task)))
        if longest > rules.max_message_chars:
            raise TaskError(
                f"task {task.task_id!r} has a description or hidden information of {longest} characters; expected at "
                f"most {rules.max_message_chars}; shorten it, or leave the task out"
            )
        self.task = task
        self.prompts = prompts
        self.human = human
        self.grader = grader
        self.reward_kind = check_reward_kind(reward, task.track)
        self.renderer = renderer
        self.keeps_draft = keeps_draft
        self.episode = Episode(rules, task.description)
        self.leak = Leak()
        self.final_grade: Grade | None = None
        self._briefs: dict[Seat, str] = {}
        self._rendered: dict[str, RenderedPage] = {}  # by HTML: the reference and the last page that was looked at

    def fork(self) -> TaskEpisode:
        """Return a copy to be played on by itself: what happens to it leaves this one as it is."""
        copied = copy(self)
        copied.episode = self.episode.copy()
        return copied

    def say(self, text: str, seat: Seat = "agent") -> str | None:
        """Add a message and what follows from it, or nothing if anything fails.

        Args:
            text: the raw message.
            seat: who says it; the human only where that seat is played from outside.

        Returns:
            The human's reply; None when there is none, because the dialogue is over or the seat is played from outside.

        Raises:
            UsageError: as :meth:`Episode.say`.
            HumanError, GraderError, RendererError, AssetError, TaskError: as :meth:`respond`.
        """
        after = self.fork()
        after.speak(seat, text)
        reply = after.respond()
        self.__dict__.update(after.__dict__)  # only here: all went well
        return reply

    async def asay(self, text: str, seat: Seat = "agent") -> str | None:
        """Do as :meth:`say` in a thread of its own, so that the event loop goes on."""
        return await asyncio.to_thread(self.say, text, seat)

    def speak(self, seat: str, text: str, input: Iterable[ChatMessage] | None = None) -> None:
        """Add one message and nothing else, as :meth:`Episode.say`; a human's is measured for :attr:`leak`."""
        before = self.episode.dialogue
        self.episode.say(seat, text, input=input)
        if seat == "human":
            asked, said = before.turns[-1].content, self.episode.dialogue.turns[-1].content
            self.leak = self.leak + measure_reply(self.task, asked, said, said_before=before.transcript())

    def respond(self) -> str | None:
        """Grade the answer of a finished dialogue, or let the simulated human reply when it is its turn.

        Returns:
            The human's reply as both seats see it, or None.

        Raises:
            HumanError: the human could not reply, or what it gave is no message.
            GraderError: the grader itself failed.
            RendererError: the browser failed; whose failure it was stays visible.
            AssetError: a page links an asset that has not been fetched.
            TaskError: the task cannot be graded, or its reference cannot be rendered.
        """
        if self.over:
            self.grade()
        elif self.human is not None and self.episode.next_seat == "human":
            reply = self.human.reply(self.task, self.episode.dialogue, self.shown())
            try:
                self.speak("human", reply)
            except UsageError as e:
                raise HumanError(f"the human's reply to task {self.task.task_id!r} cannot be used: {e}") from e
            return self.episode.dialogue.turns[-1].content
        return None

    def grade(self) -> None:
        """Grade the answer of a finished dialogue into :attr:`final_grade`.

        Raises:
            GraderError: the grader itself failed.
            UsageError: the dialogue is not over, or there is no grader.
        """
        if self.episode.answer is None or self.grader is None:
            missing = "grader" if self.grader is None else "answer, as the dialogue is not over"
            raise UsageError(f"got no {missing}; expected a finished dialogue and a grader; look at .over first")
        self.final_grade = self.grader.grade(self.task, self.episode.answer)

    @property
    def over(self) -> bool:
        """True once the agent has answered or used its last turn."""
        return self.episode.over

    @property
    def reward(self) -> float:
        """Reward that the environment pays now: 0.0 until graded."""
        if self.final_grade is None:
            return 0.0
        return float(self.final_grade.success) if self.reward_kind == "success" else self.final_grade.score

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """Chat messages that the agent has seen; see :meth:`messages_for`."""
        return self.messages_for("agent")

    @property
    def info(self) -> dict[str, Any]:  # Any: as in info_for
        """Info of the agent; see :meth:`info_for`."""
        return self.info_for("agent")

    def shown(self) -> Shown:
        """Return the pages that the human compares; nothing on the backend track. Raises as :meth:`respond`."""
        if self.renderer is None or self.task.track == "backend":
            return NOTHING_SHOWN
        reference = self._render(self.renderer, self.task.reference)
        if reference.status != "rendered":
            raise TaskError(
                f"the reference of task {self.task.task_id!r} cannot be rendered ({reference.status}); expected a page "
                "that can be; leave the task out"
            )
        said = self.episode.dialogue.turns[-1].content
        return Shown(self.shown_page() if self.keeps_draft or extract_page(said) else None, reference)

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
            self._rendered = {**kept, html: renderer.render(html)}  # a new dict: forks share the old one
        return self._rendered[html]

    def brief(self, seat: Seat) -> str:
        """Return the seat's instructions; the human's hold the hidden reference."""
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

    def messages_for(self, seat: Seat) -> tuple[ChatMessage, ...]:
        """Return what the seat has seen as chat messages: its brief as ``system``, its own words as ``assistant``."""
        return (ChatMessage(role="system", content=self.brief(seat)), *self.episode.dialogue.messages(seat))

    def observation_for(self, seat: Seat) -> dict[str, str]:
        """Return what the seat has seen, as the environments return it."""
        return {"instructions": self.brief(seat), "dialogue": self.episode.dialogue.transcript()}

    def info_for(self, seat: Seat) -> dict[str, Any]:  # Any: one type for each key, see the environments' docstrings
        """Return the info of the environments: always the same keys and types, new objects each time."""
        grade = self.final_grade
        score = 0.0 if grade is None else float(grade.score)
        metric = "" if grade is None else grade.metric
        return {
            "task_id": self.task.task_id,
            "turn": self.episode.turn,
            "messages": self.messages_for(seat),
            "outcome": self.episode.outcome,
            "success": grade is not None and grade.success,
            **({"pass_rate": score} if self.task.track == "backend" else {"similarity": score, "metric": metric}),
            "test_outcomes": () if grade is None else tuple(map(str, grade.test_outcomes)),
            "leak": self.leak.as_info(),
        }

    def text(self, since_turn: int = 0) -> str:
        """Return the dialogue for a reader: who said what, and how it stands. Nothing hidden is in it."""
        turns = "\n\n".join(f"{turn.seat}: {turn.content}" for turn in self.episode.dialogue.turns[since_turn:])
        rules = self.episode.rules
        state = f"[task {self.task.task_id}, turn {self.episode.turn} of {rules.max_turns}, {self.episode.outcome}"
        if self.final_grade is not None:
            state += f", {self.final_grade.metric} {self.final_grade.score:.2f}"
        return f"{turns}\n\n{state}]"

    def __repr__(self) -> str:
        return f"TaskEpisode(task {self.task.task_id!r}, turn {self.episode.turn}, {self.episode.outcome})"


def _hidden(task: Task) -> str:
    return task.hidden_information if isinstance(task, BackendTask) else task.reference


def check_reward_kind(kind: str | None, track: Track = "backend") -> RewardKind:
    """Return the reward of that name, or the track's default for None.

    Raises:
        UnknownNameError: the track has none of that name.
    """
    if kind is None:
        return REWARD_KINDS[track][0]
    for known in REWARD_KINDS[track]:
        if kind == known:
            return known
    raise UnknownNameError.among(f"{track} reward", str(kind), REWARD_KINDS[track])
