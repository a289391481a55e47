"""One task being played: its Episode, what the human's replies gave away, its grade, and what each seat may see of it.

The Gymnasium, vector and PettingZoo environments and the rollouts are all written on it.
"""

from __future__ import annotations

import threading
from collections.abc import Coroutine, Iterable
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any

from colbench_gym.action import extract_page, fenced_blocks
from colbench_gym.concurrency.threads import CallThreads
from colbench_gym.dialogue import ChatMessage, Dialogue, Seat
from colbench_gym.episode import Episode
from colbench_gym.errors import GraderError, HumanError, TaskError, UsageError
from colbench_gym.graders import Grade, Grader
from colbench_gym.graders.rewards import Info, RewardFunction, name_of, paid_for, read_reward
from colbench_gym.humans import NOTHING_SHOWN, HumanSimulator, Shown
from colbench_gym.humans.leaks import Leak, measure_reply
from colbench_gym.humans.leaks.told_values import tests_told
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import RenderedPage, Renderer, render_reference
from colbench_gym.rules import Rules
from colbench_gym.tasks import BackendTask, Task

_DIALOGUE_FOLLOWS = "(It follows.)"  # stands in a brief where the dialogue would, because it is observed beside it
_REFERENCE_FOLLOWS = "\n\nThe page you have in mind, as HTML:\n"  # in the brief of a seat that is played from outside
NO_MORE_QUESTIONS = "I have no time for more questions, please go ahead with what you know."
_TAKING_ITS_PLACE = threading.Lock()  # held for no longer than a comparison and an assignment


class TaskEpisode:
    """One dialogue about one task.

    >>> from colbench_gym import open_scenario
    >>> with open_scenario("backend") as scenario:
    ...     episode = scenario.episode(seed=0)
    ...     reply = episode.say("What should happen with an empty list?")
    ...     other = episode.fork()
    ...     episode.say("I WANT TO ANSWER: def f(): pass")
    >>> episode.over, episode.reward, other.over
    (True, 0.0, False)

    Episodes of one scenario may be played in many threads and tasks at once. One episode is played by one caller at a
    time: a message that is overtaken by another one is refused, and changes nothing. :meth:`fork` gives a second
    caller an episode of its own.

    Args:
        task: what is to be built; only the human's seat ever sees its hidden fields.
        rules: the rules of the task's track.
        prompts: the wording of both briefs.
        human: replies to the agent; None where the human's seat is played from outside.
        grader: grades the answer; None where nothing is graded.
        reward: what :attr:`reward` pays, see :func:`~colbench_gym.graders.rewards.read_reward`.
        renderer: frontend: renders the pages that the human is shown.
        keeps_draft: frontend: the human is shown the last page again after a message without one.
        threads: in which :meth:`asay` waits; its own when None.

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
        reward: str | RewardFunction | None = None,
        renderer: Renderer | None = None,
        keeps_draft: bool = True,
        threads: CallThreads | None = None,
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
        self._pays = read_reward(reward, task.track)
        self.reward_kind = name_of(reward, task.track)
        self.renderer = renderer
        self.keeps_draft = keeps_draft
        self.episode = Episode(rules, task.description)
        self.leak = Leak()
        self.final_grade: Grade | None = None
        self._paid = 0.0
        self._threads = threads or CallThreads("episode")
        self._briefs: dict[Seat, str] = {}
        self._rendered: dict[str, RenderedPage] = {}  # by HTML: the reference and the last page that was looked at

    def fork(self) -> TaskEpisode:
        """Return a copy to be played on by itself: what happens to it leaves this one as it is."""
        copied = copy(self)
        copied.episode = self.episode.copy()
        return copied

    def saved(self) -> dict[str, Any]:  # Any: its attributes
        """Return what was said and came of it without the scenario; ``vars(other).update`` takes it up."""
        return {name: getattr(self, name) for name in ("task", "episode", "leak", "final_grade", "_paid")}

    def __deepcopy__(self, memo: dict[int, Any]) -> TaskEpisode:  # Any: as in copy
        return self.fork()

    def say(self, text: str, seat: Seat = "agent") -> str | None:
        """Add a message and what follows from it, or nothing if anything fails.

        Args:
            text: the raw message.
            seat: who says it; the human only where that seat is played from outside.

        Returns:
            The human's reply; None when there is none, because the dialogue is over or the seat is played from outside.

        Raises:
            UsageError: as :meth:`Episode.say`; or another message was said meanwhile, or the scenario
                is closed.
            HumanError, GraderError, RendererError, AssetError, TaskError: as :meth:`respond`.
        """
        before = self.episode
        after, reply = self._after(text, seat)
        self._become(after, before)
        return reply

    async def asay(self, text: str, seat: Seat = "agent") -> str | None:
        """Do as :meth:`say` in a thread, so that the event loop goes on; a task that is cancelled changes nothing.

        Where many episodes wait for a thread, the one with the most messages goes first.
        """
        before = self.episode
        after, reply = await self._threads.run(partial(self._after, text, seat), len(before.dialogue.turns))
        self._become(after, before)
        return reply

    def _after(self, text: str, seat: Seat) -> tuple[TaskEpisode, str | None]:
        """Return the episode after a message and what follows from it, and the reply. Raises as :meth:`say`."""
        self._threads.check_open()
        after = self.fork()
        after.speak(seat, text)
        return after, after.respond()

    def _become(self, after: TaskEpisode, before: Episode) -> None:
        """Take over what came after ``before``: only here, as all went well.

        Raises:
            UsageError: another message came in between.
        """
        with _TAKING_ITS_PLACE:
            if self.episode is not before:
                raise UsageError(
                    f"got two messages at once for the episode of task {self.task.task_id!r}, expected one after the "
                    "other; the one that was answered later is not said; give each caller a fork() of its own"
                )
            self.__dict__.update(after.__dict__)

    def speak(self, seat: str, text: str, input: Iterable[ChatMessage] | None = None) -> None:
        """Add one message and nothing else, as :meth:`Episode.say`; a human's is measured for :attr:`leak`."""
        before = self.episode.dialogue
        self.episode.say(seat, text, input=input)
        if seat == "human":
            asked, said = before.turns[-1].content, self.episode.dialogue.turns[-1].content
            self.leak = self.leak + measure_reply(self.task, asked, said, said_before=before.transcript())
            expected = getattr(self.grader, "expected", None)  # of the grader that runs tests
            if isinstance(self.task, BackendTask) and expected is not None:
                told = tests_told(self.task, self.episode.dialogue.turns, partial(expected, self.task))
                self.leak = self.leak + Leak(test_values=told)

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
            reply = self._reply_of(self.human)
            try:
                self.speak("human", reply)
            except UsageError as e:
                raise HumanError(f"the human's reply to task {self.task.task_id!r} cannot be used: {e}") from e
            return self.episode.dialogue.turns[-1].content
        return None

    def _reply_of(self, human: HumanSimulator) -> str:
        """Return what a human replies. Raises as :meth:`respond`."""
        who = f"the human {type(human).__name__}, asked about task {self.task.task_id!r},"
        dialogue = self._heard()
        if dialogue is None:
            return NO_MORE_QUESTIONS
        try:
            reply: object = human.reply(self.task, dialogue, self.shown())
        except StopIteration as e:  # next() at the end of its replies; it would end the loop of whoever plays
            raise HumanError(
                f"{who} raised StopIteration, expected a reply; have one for each of up to "
                f"{self.episode.rules.max_turns - 1} questions"
            ) from e
        if isinstance(reply, str):
            if dialogue != self.episode.dialogue:
                room = self.episode.rules.human_chars - len(NO_MORE_QUESTIONS) - 1
                return f"{reply[:room].rstrip()} {NO_MORE_QUESTIONS}"
            return reply
        if isinstance(reply, Coroutine):
            reply.close()
        raise HumanError(
            f"{who} returned an object of type {type(reply).__name__}, expected str; let its reply() return the text"
            f"{', and be no async function' if isinstance(reply, Coroutine) else ''}"
        )

    def _heard(self) -> Dialogue | None:
        """Return the dialogue as the human hears it: its last message without questions beyond the budget of the rules.

        None when the budget was used up before that message. A message that asks nothing counts as one question.
        """
        rules, dialogue = self.episode.rules, self.episode.dialogue
        if rules.max_questions is None:
            return dialogue
        from colbench_gym.humans.asking import questions_in  # reads its vocabulary

        *before, last = [questions_in(turn.content, rules.track) for turn in dialogue.turns if turn.seat == "agent"]
        left = rules.max_questions - sum(max(len(questions), 1) for questions in before)
        if left <= 0 or len(last) <= left:
            return dialogue if left > 0 else None
        said = dialogue.turns[-1]
        kept = " ".join(f"{question.context} {question.text}".strip() for question in last[:left])
        drafts = [f"```\n{block.text}\n```" for block in fenced_blocks(said.content)]  # a question may be about one
        return Dialogue((*dialogue.turns[:-1], replace(said, content="\n".join([kept, *drafts]))))

    def grade(self) -> None:
        """Grade the answer of a finished dialogue into :attr:`final_grade`.

        Raises:
            GraderError: the grader itself failed.
            UsageError: the dialogue is not over, there is no grader, or the reward's function returned no number.
        """
        if self.episode.answer is None or self.grader is None:
            missing = "grader" if self.grader is None else "answer, as the dialogue is not over"
            raise UsageError(f"got no {missing}; expected a finished dialogue and a grader; look at .over first")
        grade: object = self.grader.grade(self.task, self.episode.answer)
        if not isinstance(grade, Grade):
            raise GraderError(
                f"the grader {type(self.grader).__name__} returned an object of type {type(grade).__name__}, expected "
                "a Grade; return Grade(score, success, metric)"
            )
        if not 0 <= grade.score <= 1:
            raise GraderError(
                f"the grader {type(self.grader).__name__} gave a score of {grade.score!r}, expected one from 0 to 1; "
                "scale it"
            )
        self.final_grade = grade
        self._paid = paid_for(grade, self._pays, self.info)

    @property
    def over(self) -> bool:
        """True once the agent has answered or used its last turn."""
        return self.episode.over

    @property
    def reward(self) -> float:
        """Reward that the environment pays now: 0.0 until graded."""
        return self._paid

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """Chat messages that the agent has seen; see :meth:`messages_for`."""
        return self.messages_for("agent")

    @property
    def info(self) -> Info:
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
            page = render_reference(renderer, html) if html == self.task.reference else renderer.render(html)
            self._rendered = {**kept, html: page}  # a new dict: forks share the old one
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

    def info_for(self, seat: Seat) -> Info:
        """Return the info of the environments: always the same keys and types, new objects each time."""
        grade = self.final_grade
        info: Info = {
            "task_id": self.task.task_id,
            "turn": self.episode.turn,
            "messages": self.messages_for(seat),
            "outcome": self.episode.outcome,
            "success": grade is not None and grade.success,
            "test_outcomes": () if grade is None else tuple(map(str, grade.test_outcomes)),
            "leak": self.leak.as_info(),
        }
        score = 0.0 if grade is None else float(grade.score)
        if self.task.track == "backend":
            info["pass_rate"] = score
        else:
            info["similarity"], info["metric"] = score, "" if grade is None else grade.metric
        return info

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
