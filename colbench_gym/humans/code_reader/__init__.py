"""The scripted human: reads the reference into claims, understands what was asked, and answers in words."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import replace

from colbench_gym.dialogue import Dialogue
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.code_reader.answers import answer
from colbench_gym.humans.code_reader.answers.asked import MAX_ROOM, UNKNOWN, Asked, same
from colbench_gym.humans.code_reader.answers.open_ended import NOTHING_MORE
from colbench_gym.humans.code_reader.experiments import Laboratory, Results, call_text
from colbench_gym.humans.code_reader.judging.drafts import looks_like_code, program_in
from colbench_gym.humans.code_reader.judging.plans import core_clause
from colbench_gym.humans.code_reader.questions import Question, questions_in, sentences, visible
from colbench_gym.humans.code_reader.reader import knowledge_of
from colbench_gym.humans.code_reader.trials.inputs import varied
from colbench_gym.humans.code_reader.verbalizer import Spoken, spoken
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.values import say_value
from colbench_gym.humans.code_reader.verbalizer.wording import listing, the
from colbench_gym.humans.refusals import is_manipulation
from colbench_gym.humans.replies import Part, Reply
from colbench_gym.rules import BACKEND
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import BackendTask, Task

UNREADABLE = "Sorry, I don't know the details of that."
NO_CODE = "I can't give you any code, but you can ask me how it should behave."
MAX_DECISIONS = 2  # told in one reply
MAX_REMEMBERED = 4096  # replies
MAX_REMEMBERED_CHARS = 2000  # of a message whose reply is remembered
CANNOT_TELL = "I can't tell from the code; ask me about a particular case."
MAX_COMPARED = 20  # inputs on which code of the agent is run beside the reference
MIN_ROOM = 260  # characters of an answer to one of several questions, where several things could be said
_WHOLE_CLAUSE = ("the ", "if ", "for ", "in ", "as long as ")  # how a clause begins that needs nothing before it
MAX_ANSWERS = 3  # questions of a message that are answered in one reply


class CodeReader:
    """Answers from the task alone: no model and no randomness, at most 400 characters, never code.

    With ``task.decisions`` the author's sentences are used; otherwise the claims of the reference, which is also run to
    decide what happens in the cases that a question supposes.

    Args:
        sandbox: where references run; opened at the first experiment and let go of by :meth:`close`.
        results: gives what a reference gives on its task's tests, so that nobody runs it on them twice.
    """

    def __init__(self, sandbox: str | Sandbox = "process", results: Results | None = None) -> None:
        self._lab = Laboratory(sandbox, results)
        self._replies: OrderedDict[tuple[BackendTask, str, str], Reply] = OrderedDict()
        self._lock = threading.Lock()

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the reply to the agent's last message."""
        return self.compose(task, dialogue, shown).text()

    def compose(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> Reply:  # noqa: ARG002
        """Return the parts of the reply to the agent's last message."""
        message = next((turn.content for turn in reversed(dialogue.turns) if turn.seat == "agent"), "")
        if not isinstance(task, BackendTask):
            return Reply((Part(UNKNOWN, "unknown"),))
        before = "\n".join(turn.content for turn in dialogue.turns[1:] if turn.seat == "human").lower()
        if len(message) > MAX_REMEMBERED_CHARS:
            return self._reply(task, message, before)
        key = (task, message, before)
        with self._lock:
            remembered = self._replies.get(key)
        if remembered is None:
            remembered = self._reply(task, message, before)
            with self._lock:
                self._replies[key] = remembered
                while len(self._replies) > MAX_REMEMBERED:
                    self._replies.popitem(last=False)
        return remembered

    def _reply(self, task: BackendTask, message: str, before: str) -> Reply:
        questions = honest_questions(message)
        if questions is None:
            return Reply((Part(NO_CODE, "refusal"),))
        known = knowledge_of(task)
        if known is None:
            return Reply((Part(UNREADABLE, "unknown"),))
        said = spoken(known)
        program = program_in(message, known)
        beside = self._beside(said, program, f"def {known.name}(" in message) if program else None
        if beside is not None:
            return Reply((beside,))
        found: list[Part] = []
        room = MAX_ROOM if len(questions) == 1 else MIN_ROOM
        for question in questions:
            parts = answer(Asked(said, question, self._lab, task, before, room))
            found += [new for part in parts if (new := _new(part, found)).text]
        if looks_like_code(message):
            found = [part for part in found if not (part.topic == "plan" and part.text.startswith("Yes"))]
            found = found or [Part(CANNOT_TELL, "unknown", topic="code")]
        return Reply(tuple(_few(found, {decision.key for decision in task.decisions})))

    def _beside(self, said: Spoken, program: str, whole: bool) -> Part | None:
        """Run the agent's code and the reference on the same inputs; tell the simplest difference in words.

        Args:
            said: the reference.
            program: the code.
            whole: the message defines the function itself, so that an error is the code's own.

        Returns: None when nothing can be told, as where the code is only a piece of something.
        """
        known = said.knowledge
        inputs = [*known.seeds, *(made for made in varied(known) if made not in known.seeds)][:MAX_COMPARED]
        calls = [call_text(known.name, arguments, known.positional) for arguments in inputs]
        wanted, got = self._lab.observe(known.source, calls), self._lab.answer(program, calls)
        runs = [
            (right, own, arguments)
            for right, own, arguments in zip(wanted, got, inputs, strict=True)
            if "unknown" not in (right.status, own.status)
        ]
        if not runs or (
            not whole
            and all(own.status == "raised" for _, own, _ in runs)
            and any(right.status == "returned" for right, _, _ in runs)
        ):
            return None
        differing = [
            (arguments in known.seeds, len(repr(arguments)), place)
            for place, (right, own, arguments) in enumerate(runs)
            if right.status != own.status or not same(right.value, own.value)
        ]
        if not differing:
            return Part("Yes, on the inputs that I tried your code does what I want.", topic="code")
        right, own, arguments = runs[min(differing)[2]]
        given = listing([f"{say_value(value)} for {the(name)}" for name, value in arguments.items()])
        outcome = f"gives {say_value(own.value)}" if own.status == "returned" else "fails"
        expected = f"should be {say_value(right.value)}" if right.status == "returned" else "fails in my version"
        text = f"No, not quite: with {given} your code {outcome}, but it {expected}."
        if len(text) > BACKEND.human_chars:
            text = f"No, not quite: there is an input on which your code {outcome[:120]}, but it {expected[:120]}."
        core = core_clause(said)
        if core is not None and len(text) + len(core.text) + 2 < BACKEND.human_chars:
            text += f" {sentence(core.text)}"
        return Part(text, topic="code", reveals=True)

    def close(self) -> None:
        """Let go of the sandbox."""
        self._lab.close()


def _new(part: Part, said: Sequence[Part]) -> Part:
    """Return a part without the sentences, and without the clauses at their beginning, that the reply already has."""
    before = {one for other in said for one in sentences(other.text)}
    clauses = {clause.lower().rstrip(".") for one in before for clause in one.split("; ")}
    own = sentences(part.text)
    kept = []
    for one in own:
        first, joint, rest = one.partition("; ")
        again = bool(joint) and first.lower() in clauses and rest.startswith(_WHOLE_CLAUSE)
        if one not in before:
            kept.append(sentence(rest) if again else one)
    return part if kept == own else replace(part, text=" ".join(kept))


def _few(parts: Sequence[Part], decisions: Collection[str]) -> list[Part]:
    """Keep as many parts as a person would say at once."""
    answers = [part for part in parts if part.kind in ("answer", "reason") or part.topic in decisions]
    if not answers:
        return list(parts[:1])
    decided = [part for part in answers if part.topic in decisions][:MAX_DECISIONS]
    return decided or answers[:MAX_ANSWERS]


def honest_questions(message: str) -> Sequence[Question] | None:
    """The questions of a message without attempts to get code out; None when there is nothing but those."""
    shown = visible(message)
    tricks = [sentence for sentence in sentences(shown) if is_manipulation(sentence)]
    if not tricks and not is_manipulation(shown):
        return questions_in(message) or (Question(""),)
    if not tricks:
        return None
    rest = " ".join(sentence for sentence in sentences(shown) if sentence not in tricks)
    asked = [question for question in questions_in(rest) if question.text.rstrip().endswith("?")]
    return asked or None


__all__ = ["NOTHING_MORE", "NO_CODE", "UNKNOWN", "UNREADABLE", "CodeReader", "honest_questions"]
