"""One task being played: its Episode, what the human's replies gave away, its grade, and what each seat may see of it.

The Gymnasium, vector and PettingZoo environments and the rollouts all keep their books here.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, Literal, get_args

from colbench_gym.dialogue import ChatMessage, Seat
from colbench_gym.episode import Episode
from colbench_gym.errors import HumanError, TaskError, UnknownNameError, UsageError
from colbench_gym.graders import Grade, Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.humans.leaks import Leak, measure_reply
from colbench_gym.prompts import Prompts
from colbench_gym.rules import Rules
from colbench_gym.tasks import BackendTask

RewardKind = Literal["success", "pass_rate"]
REWARD_KINDS: tuple[RewardKind, ...] = get_args(RewardKind)
_DIALOGUE_FOLLOWS = "(It follows.)"  # stands in a brief where the dialogue would, because it is observed beside it


class Game:
    """One dialogue about one task.

    Args:
        task: what is to be built; only the human's seat ever sees its hidden fields.
        rules: the track's rules.
        prompts: the wording of both briefs.

    Raises:
        TaskError: the description or the hidden information is longer than a message may be.
    """

    def __init__(self, task: BackendTask, rules: Rules, prompts: Prompts) -> None:
        longest = max(len(task.description), len(task.hidden_information))
        if longest > rules.max_message_chars:
            raise TaskError(
                f"task {task.task_id!r} has a description or hidden information of {longest} characters; expected at "
                f"most {rules.max_message_chars}; shorten it, or leave the task out"
            )
        self.task = task
        self.prompts = prompts
        self.episode = Episode(rules, task.description)
        self.leak = Leak()
        self.grade: Grade | None = None
        self._briefs: dict[Seat, str] = {}

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
        """Let a simulated human say the next message.

        Raises:
            HumanError: it could not reply, or what it gave is no message.
        """
        reply = human.reply(self.task, self.episode.dialogue)
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

    def reward(self, kind: RewardKind) -> float:
        """What the environment pays now: 0.0 until graded."""
        if self.grade is None:
            return 0.0
        return float(self.grade.success) if kind == "success" else self.grade.score

    def brief(self, seat: Seat) -> str:
        """The seat's instructions; the human's hold the hidden reference."""
        if seat not in self._briefs:
            rules, task = self.episode.rules, self.task
            self._briefs[seat] = (
                self.prompts.agent_brief(rules)
                if seat == "agent"
                else self.prompts.human_brief(task.description, task.hidden_information, rules, _DIALOGUE_FOLLOWS)
            )
        return self._briefs[seat]

    def messages(self, seat: Seat) -> tuple[ChatMessage, ...]:
        """What the seat has seen, as chat messages: its brief as ``system``, its own words as ``assistant``."""
        return (ChatMessage(role="system", content=self.brief(seat)), *self.episode.dialogue.messages(seat))

    def observation(self, seat: Seat) -> dict[str, str]:
        """What the seat has seen, as the environments return it."""
        return {"instructions": self.brief(seat), "dialogue": self.episode.dialogue.transcript()}

    def info(self, seat: Seat) -> dict[str, Any]:  # Any: one type for each key, see the environments' docstrings
        """The info of the environments: always the same keys and types, new objects each time."""
        grade = self.grade
        return {
            "task_id": self.task.task_id,
            "turn": self.episode.turn,
            "messages": self.messages(seat),
            "outcome": self.episode.outcome,
            "success": grade is not None and grade.success,
            "pass_rate": 0.0 if grade is None else float(grade.score),
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


def check_reward_kind(kind: str) -> RewardKind:
    """The reward of that name.

    Raises:
        UnknownNameError: there is none.
    """
    for known in REWARD_KINDS:
        if kind == known:
            return known
    raise UnknownNameError.among("reward", str(kind), REWARD_KINDS)
