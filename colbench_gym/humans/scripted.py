"""The scripted human: one engine for both tracks, which answers from the facts that a track supplies."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache

from colbench_gym.dialogue import Dialogue
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.asking import Question, questions_in
from colbench_gym.humans.composing import UNKNOWN, Composer, Earlier
from colbench_gym.humans.facts import Verdict
from colbench_gym.humans.program.deciding import ProgramKnowledge
from colbench_gym.humans.program.drafts import broken_fact, program_in
from colbench_gym.humans.program.laboratory import Laboratory
from colbench_gym.humans.ranking import FactIndex, ranker
from colbench_gym.humans.refusals import is_manipulation
from colbench_gym.humans.replies import Part, Reply
from colbench_gym.rules import BACKEND
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import BackendTask, Task

NO_CODE = "I can't give you any code, but you can ask me how it should behave."
CANNOT_TRY = "I can't try code right now; ask me how it should behave."
UNREADABLE = "Sorry, I don't know the details of that."
MAX_TASKS = 512  # whose facts are remembered
MAX_REPLIES = 4096  # that are remembered
MAX_REMEMBERED_CHARS = 2000  # of a message whose reply is remembered


class FunctionHuman:
    """Human of the backend track: no model and no randomness, at most 400 characters, never code.

    Args:
        sandbox: where references run; opened at the first experiment and let go of by :meth:`close`.
    """

    def __init__(self, sandbox: str | Sandbox = "process") -> None:
        self._lab = Laboratory(sandbox)
        self.knowledge = lru_cache(maxsize=MAX_TASKS)(self._compiled)  # everything that is known of a task
        self._remembered = lru_cache(maxsize=MAX_REPLIES)(self._reply)

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the reply to the agent's last message."""
        return self.compose(task, dialogue, shown).text()

    def compose(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> Reply:  # noqa: ARG002
        """Return the parts of the reply to the agent's last message."""
        message = next((turn.content for turn in reversed(dialogue.turns) if turn.seat == "agent"), "")
        if not isinstance(task, BackendTask):
            return Reply((Part(UNKNOWN, "unknown"),))
        before = "\n".join(turn.content for turn in dialogue.turns[1:] if turn.seat == "human")
        messages = [turn.content for turn in dialogue.turns if turn.seat == "agent"]
        asked = [question for said in messages[:-1] for question in questions_in(said)]
        earlier = frozenset(frozenset(question.stem_list) for question in asked)
        key = (task, message, before, earlier, asked[-1].text if asked else "")
        return (self._reply if len(message) > MAX_REMEMBERED_CHARS else self._remembered)(*key)

    def _compiled(self, task: BackendTask) -> tuple[ProgramKnowledge, FactIndex]:
        program = ProgramKnowledge(task, self._lab)
        return program, FactIndex(program.facts)

    def _reply(self, task: BackendTask, message: str, before: str, earlier: Earlier, last: str) -> Reply:
        questions = honest_questions(message, last)
        if questions is None:
            return Reply((Part(NO_CODE, "refusal"),))
        program, index = self.knowledge(task)
        if program.said is None and not task.decisions:
            return Reply((Part(UNREADABLE, "unknown"),))
        draft: tuple[Part, ...] = ()
        code = program_in(message, program.said.knowledge) if program.said is not None else ""
        if code:
            verdict = self._on_draft(program, code, before)
            questions = [question for question in questions if "?" in question.text]
            draft = (Part(verdict.text, "answer", 0, "code", verdict.reveals),)
        composer = Composer(program, index, ranker("backend"), earlier)
        room = BACKEND.human_chars - sum(len(part.text) + 1 for part in draft)
        return Reply((*draft, *(composer.parts(questions, before, room) if questions or not draft else ())))

    def _on_draft(self, program: ProgramKnowledge, code: str, before: str) -> Verdict:
        """Compare code of the agent with the reference on inputs of the human's own; tell the fact that it breaks."""
        fact = broken_fact(program, code, before)
        if fact == "undecided":
            return Verdict(CANNOT_TRY, "code", reveals=False)
        if fact is None:
            return Verdict("Yes, on the inputs that I tried your code does what I want.", "code", reveals=False)
        return Verdict(f"No, not quite. {fact.text}", "code")

    def close(self) -> None:
        """Let go of the sandbox."""
        self._lab.close()


def honest_questions(message: str, last: str = "") -> Sequence[Question] | None:
    """Return the questions of a message without attempts to get code out; None when there is nothing but those."""
    questions = questions_in(message, last=last)
    honest = [question for question in questions if not is_manipulation(f"{question.context} {question.text}")]
    if len(honest) == len(questions):
        return honest
    asked = [question for question in honest if question.text.rstrip().endswith("?")]
    return asked or None


@lru_cache(maxsize=256)
def known_claims(task: BackendTask) -> str:
    """Return all that the scripted human would say, a line each: for a model that plays the human without the source.

    What nothing in the task suggests is left out.
    """
    with closing(FunctionHuman()) as human:
        _, index = human.knowledge(task)
    claims = dict.fromkeys(fact.text for fact in index.facts if fact.source != "open")
    return "\n".join(f"- {claim}" for claim in claims) or "- Nothing is known beyond the request."
