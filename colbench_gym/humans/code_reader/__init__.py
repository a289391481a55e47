"""The scripted human: reads the reference, or what the task's author decided, and answers what was asked in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colbench_gym.dialogue import Dialogue
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.code_reader.decisions import answer_from_decisions
from colbench_gym.humans.code_reader.facts import Fact
from colbench_gym.humans.code_reader.matching import facts_for
from colbench_gym.humans.code_reader.questions import Question, questions_in, sentences, understand, visible
from colbench_gym.humans.code_reader.reader import Reading, read_task
from colbench_gym.humans.refusals import is_manipulation
from colbench_gym.humans.replies import Reply, reply_of
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import BackendTask, Task

UNKNOWN = "I don't know."
UNREADABLE = "Sorry, I don't know the details of that."
NO_CODE = "I can't give you any code, but you can ask me how it should behave."
NOTHING_MORE = "No, I don't know of anything else that matters."


class CodeReader:
    """Answers from the task alone: no model, no randomness, no state. At most two sentences and 400 characters.

    With ``task.decisions`` the author's words are used; otherwise the reference is read. Asking again brings the same
    answer; "anything else?" brings what was not said yet. No code is ever quoted.
    """

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:  # noqa: ARG002
        """The reply to the agent's last message."""
        spoken = [turn.content for turn in dialogue.turns if turn.seat == "agent"]
        message = spoken[-1] if spoken else ""
        earlier = _before_first(message, dialogue)
        if not isinstance(task, BackendTask):
            return UNKNOWN
        questions = honest_questions(message)
        if questions is None:
            return NO_CODE
        if task.decisions:
            return answer_from_decisions(task, questions, earlier) or UNKNOWN
        reading = read_task(task)
        if not reading.understood:
            return UNREADABLE
        return answer(reading, questions, earlier)

    def compose(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> Reply:
        """Return the reply as parts. Raises as :meth:`reply`."""
        return reply_of([self.reply(task, dialogue, shown)])

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _before_first(message: str, dialogue: Dialogue) -> str:
    """What the human had said when a message was first sent; a repeated question gets the same answer."""
    said: list[str] = []
    open_ended = any(question.more for question in questions_in(message))
    for turn in dialogue.turns[1:]:
        if turn.seat == "human":
            said.append(turn.content)
        elif turn.content == message and not open_ended:
            break
    return "\n".join(said)


def honest_questions(message: str) -> list[Question] | None:
    """The questions of a message without attempts to get code out; None when there is nothing but those."""
    shown = visible(message)
    tricks = [sentence for sentence in sentences(shown) if is_manipulation(sentence)]
    if not tricks and not is_manipulation(shown):
        return questions_in(message)
    if not tricks:
        return None
    rest = [understand(sentence) for sentence in sentences(shown) if sentence not in tricks]
    asked = [question for question in rest if question.text.rstrip().endswith("?")]
    return [question for question in asked if question.words or question.kinds or question.more] or None


def answer(reading: Reading, questions: Sequence[Question], said: str) -> str:
    """Put the facts that the questions ask for into at most two sentences."""
    told = said.lower()
    chosen: list[list[Fact]] = []
    plain: list[str] = []
    for question in questions:
        facts, remark = facts_for(reading, question, told)
        facts = [fact for fact in facts if all(fact not in group for group in chosen)]
        if facts:
            chosen.append(facts)
        elif remark:
            plain.append(remark)
    if not chosen:
        return f"{_capital(plain[0])}." if plain else UNKNOWN
    first = chosen[0] if len(chosen) == 1 else [fact for group in _turns(chosen) for fact in group]
    return two_sentences([fact.text for fact in first])


def _turns(groups: list[list[Fact]]) -> list[list[Fact]]:
    """The best of each question first, then the second best of each, and so on."""
    longest = max(len(group) for group in groups)
    return [[group[place] for group in groups if place < len(group)] for place in range(longest)]


def two_sentences(clauses: Sequence[str]) -> str:
    """As many clauses as fit, in their order, as one or two sentences."""
    fitting: list[str] = []
    for clause in clauses:
        if _reply_length([*fitting, clause]) <= BACKEND.human_chars and _ends([*fitting, clause]) == 0:
            fitting.append(clause)
    if not fitting:
        return UNKNOWN
    half = (len(fitting) + 1) // 2
    parts = [fitting[:half], fitting[half:]]
    return " ".join(f"{_capital('; '.join(part))}." for part in parts if part)


def _reply_length(clauses: Sequence[str]) -> int:
    return sum(len(clause) for clause in clauses) + 2 * len(clauses) + 1


_INNER_END = re.compile(r"[.!?…]\s")


def _ends(clauses: Sequence[str]) -> int:
    """Ends of sentences inside clauses, as in a quoted text; one alone is allowed when it is the only clause."""
    count = sum(len(_INNER_END.findall(clause)) for clause in clauses)
    return 0 if len(clauses) == 1 and count <= 1 else count


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
