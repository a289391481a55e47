"""Put a reply together: each question of a message answered in its order, nothing said twice, within the limit."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.kinds import topic
from colbench_gym.humans.facts import Fact, Knowledge
from colbench_gym.humans.ranking import NOT_FOUND, FactIndex, Ranker
from colbench_gym.humans.replies import Part

REMINDER = "As I said: "  # before what was said before
UNKNOWN = "I don't know."
NO_PREFERENCE = "I have no preference about that."
NOTHING_MORE = "Nothing more comes to mind; ask me about a particular case."
CLOSE_AUTHORED = 1.0  # the same of facts that the author wrote, each of which decides one matter
CLOSE = 4.0  # a second fact whose score is so near the best one's is told with it
MAX_CHARS = 370  # of an answer to one question
_ABOUT_ALL = re.compile(
    r"\b(?:more (?:details?|information|context)|requirements?|specification|(?:tell|explain"
    r"|describe) .{0,12}(?:more|it|everything)"
    r"|what (?:do|would) you (?:need|want|like|expect)\b|how (?:should|does|do|must|would|will) (?:it|this|that"
    r"|the function) "
    r"(?:work|behave)|what should (?:it|this|the function) do|what (?:is|are) (?:the|your) (?:goal|purpose|task"
    r"|rules?)\b)",
    re.I,
)
_OWN_WORDS = 2  # words about the matter up to which a question about everything is broad


class Composer:
    """Answers the questions of one message.

    Args:
        knowledge: what is known of the task.
        index: its facts.
        ranker: scores them.
        earlier: stems of each question that was asked before in the dialogue.
        most: facts told for one question.
        close: in the score; facts further behind the best one are not told with it.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        index: FactIndex,
        ranker: Ranker,
        earlier: Collection[frozenset[str]] = (),
        *,
        most: int = 2,
        close: float = CLOSE,
    ) -> None:
        self._most = most
        self._close = close
        self._knowledge = knowledge
        self._index = index
        self._ranker = ranker
        self._earlier = earlier

    def parts(self, questions: Sequence[Question], before: str, max_chars: int) -> list[Part]:
        """Return the parts of the reply.

        Args:
            questions: of the message, in their order.
            before: what the human has said so far.
            max_chars: that the reply may have.
        """
        told: list[str] = []
        answers: list[list[Part]] = []
        for question in questions:
            parts = self._answer(question, before, told, numbered=len(questions) > 2)
            told += [part.text.removeprefix(REMINDER) for part in parts]
            answers.append(parts)
        return within(answers, questions, max_chars) or [Part(self._knowledge.outline, "hint", 0, "outline")]

    def _answer(self, question: Question, before: str, told: Sequence[str], numbered: bool) -> list[Part]:
        if question.further:
            return [self._further(question, before)]
        broad = _ABOUT_ALL.search(question.lower) and len(question.own_stems) <= _OWN_WORDS
        if (broad or not (question.stems or question.kinds or question.literals)) and not question.names:
            return [Part(self._knowledge.outline, "hint", question.place, "outline")]
        if question.special and frozenset(question.stem_list) in self._earlier:
            return [self._further(question, before)]
        if question.special:
            return [self._special(question, before, told)]
        verdict = self._knowledge.decide(question)
        if verdict is None or len(verdict.text) > MAX_CHARS:
            return self._facts(question, before, told, MAX_CHARS, numbered)
        part = Part(verdict.text, "answer", question.place, verdict.topic, verdict.reveals)
        if verdict.final:
            return [part]
        more = self._facts(question, before, (*told, verdict.text), MAX_CHARS - len(verdict.text), True)[
            : self._most - 1
        ]
        return [part, *(replace(one, kind="reason") for one in more if one.kind == "answer")]

    def _facts(self, question: Question, before: str, told: Sequence[str], room: int, numbered: bool) -> list[Part]:
        """Return the best fact, and close ones that there is room for."""
        facts = self._index.facts
        scores = self._ranker.scores(self._index, question)
        order = sorted(range(len(facts)), key=lambda place: -scores[place])
        order = [
            place
            for place in order
            if not any(facts[place].text.strip().lower() in text.lower() for text in told)
            and len(facts[place].text) <= room
        ]
        if not order or scores[order[0]] == NOT_FOUND:
            return [self._ask_back(question, [facts[place] for place in order])]
        best = facts[order[0]]
        again, repeated = best.text in before, frozenset(question.stem_list) in self._earlier
        others = [] if repeated else self._others(order, scores, before, room, numbered)
        if again and others:  # what was said is not said again where there is something new
            return [_part(others[0], question)]
        if again:
            return [replace(_part(best, question), text=f"{REMINDER}{best.text.removeprefix(REMINDER)}", kind="reason")]
        return [_part(best, question), *(replace(_part(fact, question), kind="reason") for fact in others)]

    def _others(
        self, order: Sequence[int], scores: Sequence[float], before: str, room: int, numbered: bool
    ) -> list[Fact]:
        """Return the facts that are told with the best one, or one in its place where that was told before."""
        facts = self._index.facts
        best = facts[order[0]]
        again = best.text in before
        found: list[Fact] = []
        if numbered and not again:
            return found
        for place in order[1:]:
            fact = facts[place]
            if scores[order[0]] - scores[place] >= (CLOSE_AUTHORED if best.source == "author" else self._close):
                break
            slots = {one.slot for one in (best, *found)} - {""}
            same = fact.text.strip() == best.text.strip() or (fact.slot in slots and not again)
            if same or fact.text in before or (best.source == "author" and fact.source != "author"):
                continue  # the author says it better than the code
            if again:
                return [fact]
            if sum(len(one.text) for one in (best, *found)) + len(fact.text) < room:
                found.append(fact)
                if len(found) == self._most - 1:
                    break
        return found

    def _ask_back(self, question: Question, facts: Sequence[Fact]) -> Part:
        """Admit that the matter is open where no fact is of the kind asked for; else name two topics, no values."""
        kinds = {fact.kind for fact in self._index.facts}
        if question.kinds and not kinds & question.kinds.keys():
            return Part(NO_PREFERENCE, "unknown", question.place, "open")
        named = list(dict.fromkeys(name for fact in facts[:6] if (name := topic(fact.kind))))[:2]
        if len(named) < 2 or question.track != "backend":
            return Part(self._knowledge.outline, "hint", question.place, "outline")
        return Part(f"I'm not sure what you mean: {named[0]}, or {named[1]}?", "hint", question.place, "back")

    def _special(self, question: Question, before: str, told: Sequence[str]) -> Part:
        """Tell one special case that was not told yet."""
        kinds = (
            "exception",
            "rule",
            "condition",
            "filter",
            "empty",
            "zero",
            "missing value",
            "malformed input",
            "error",
        )
        for fact in sorted(
            self._index.facts, key=lambda f: (f.source != "author", kinds.index(f.kind) if f.kind in kinds else 99)
        ):
            if (
                fact.kind in kinds
                and not fact.absent
                and fact.reveals
                and fact.text not in before
                and fact.text not in told
            ):
                return _part(fact, question)
        return Part(NOTHING_MORE, "hint", question.place, "more")

    def _further(self, question: Question, before: str) -> Part:
        """Name what can be asked about, and nothing the second time."""
        outline = self._knowledge.outline
        return Part(NOTHING_MORE if outline in before else outline, "hint", question.place, "more")


def _part(fact: Fact, question: Question) -> Part:
    return Part(fact.text.strip(), "answer", question.place, fact.key or fact.slot or fact.kind, fact.reveals)


def within(answers: Sequence[Sequence[Part]], questions: Sequence[Question], max_chars: int) -> list[Part]:
    """Return answers under their numbers; where room is short reasons go first, then the longest answers."""
    chosen = [list(parts) for parts in answers]
    labels = [f"{question.label}. " if len(questions) > 1 and question.label else "" for question in questions]

    def excess() -> int:
        used = sum(len(part.text) + 1 for parts in chosen for part in parts)
        return used + sum(len(label) for label, parts in zip(labels, chosen, strict=True) if parts) - 1 - max_chars

    by_length = sorted(range(len(chosen)), key=lambda place: -sum(len(part.text) for part in chosen[place]))
    for place in by_length:
        if excess() > 0 and len(chosen[place]) > 1:
            chosen[place] = chosen[place][:1]
    for place in by_length:
        if excess() > 0:
            chosen[place] = []
    found: list[Part] = []
    for label, parts in zip(labels, chosen, strict=True):
        found += [replace(part, text=f"{label}{part.text}") if n == 0 else part for n, part in enumerate(parts)]
    return found
