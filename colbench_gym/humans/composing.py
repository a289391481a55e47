"""Put a reply together: each question of a message answered in its order, nothing said twice, within the limit."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from colbench_gym.humans.asking import PATTERNS, Question
from colbench_gym.humans.asking.kinds import SPECIAL_CASES, topic
from colbench_gym.humans.facts import NO_PREFERENCE, Fact, Knowledge
from colbench_gym.humans.ranking import NOT_FOUND, FactIndex, Ranker
from colbench_gym.humans.replies import Part
from colbench_gym.rules import Track

REMINDER = "As I said: "  # before what was said before
UNKNOWN = "I don't know."
NOT_CLEAR = "I'm not sure what you mean."
NOTHING_MORE = "Nothing more comes to mind; ask me about a particular case."
ONE_MORE = "One more thing: "  # before what an agent gets that asks for anything else
MOST_MORE = 2  # such facts in a dialogue
CLOSE_AUTHORED = 1.0  # the same of facts that the author wrote, each of which decides one matter
SHORTER = 6.0  # in the score: what a shorter fact may be behind the best one that there is no room for
CLOSE = 4.0  # a second fact whose score is so near the best one's is told with it
MAX_CHARS = 370  # of an answer to one question
SEVERAL_CHARS: Mapping[Track, int] = {"backend": 220, "frontend": MAX_CHARS}  # of the facts that are told together
BAND: Mapping[str, str] = {"cap": "floor", "floor": "cap"}  # both ends are told together
ASKED_FOR = ("argument", "invalid value", "zero")  # told beside another fact only where the question speaks of it
NEAREST = ("author", "code")  # sources of what is told where all that fits was said before
_DENIES = re.compile(r"\W*(?:no|none|nothing|there (?:is|are) no|don't|never)\b", re.I)  # tells that nothing is done
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
        most: int = 3,
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
        answers: list[list[Part]] = []
        for question in questions:
            answers.append(self._answer(question, before, _firsts(answers), MAX_CHARS))
        rooms = shares([len(parts[0].text) for parts in answers], max_chars - sum(map(_label_chars, questions)))
        for place, question in enumerate(questions):
            if len(answers[place][0].text) > rooms[place]:
                told = _firsts([*answers[:place], *answers[place + 1 :]])
                answers[place] = self._answer(question, before, told, rooms[place])
        return within(answers, questions, max_chars) or [Part(self._knowledge.outline, "hint", 0, "outline")]

    def _answer(self, question: Question, before: str, told: Sequence[str], room: int) -> list[Part]:
        """Return the answer to one question; ``told`` answers others of its message, a part has ``room`` characters."""
        if question.further:
            return [self._further(question, before, room)]
        broad = PATTERNS["about_all"].search(question.lower) and len(question.own_stems) <= _OWN_WORDS
        broad = broad and "return" not in question.stem_list
        if (broad or not (question.stems or question.kinds or question.literals)) and not question.names:
            return [self._outline(question, room)]
        if question.special:
            again = frozenset(question.stem_list) in self._earlier
            return [self._hint(question, before, room) if again else self._special(question, before, told, room)]
        verdict = self._knowledge.decide(question)
        if verdict is None or len(verdict.text) > room:
            return self._facts(question, before, told, room)
        part = Part(verdict.text, "answer", question.place, verdict.topic, verdict.reveals)
        if verdict.final:
            return [part]
        more = self._facts(question, before, (*told, verdict.text), MAX_CHARS - len(verdict.text))
        return [part, *(replace(one, kind="reason") for one in more[: self._most - 1] if one.kind == "answer")]

    def _facts(self, question: Question, before: str, told: Sequence[str], room: int) -> list[Part]:
        """Return the best fact, and close ones that are told where there is room."""
        facts = self._index.facts
        ranked = self._ranker.scores(self._index, question)
        scores = [score for score, _ in ranked]
        order = [
            place
            for place in sorted(range(len(facts)), key=lambda place: -scores[place])
            if scores[place] > NOT_FOUND and not any(facts[place].text.lower() in text.lower() for text in told)
        ]
        texts = {place: clipped(facts[place].text, room) for place in order}
        short = [place for place in order if texts[place] and scores[place] > scores[order[0]] - SHORTER]
        if not short:
            return [self._ask_back(question, [facts[place] for place in order], room)]
        best = short[0]
        answer = replace(_part(facts[best], question), text=texts[best])
        close = CLOSE_AUTHORED if facts[best].source == "author" else self._close
        unsaid = [
            place
            for place in order
            if place != best and facts[place].text not in (facts[best].text, NO_PREFERENCE)
            if facts[place].text not in before
        ]
        if answer.text in before:
            again = Part(f"{REMINDER}{answer.text}", "reason", question.place, answer.topic, answer.reveals)
            if frozenset(question.stem_list) in self._earlier:
                return [again]
            fits = [place for place in unsaid if len(facts[place].text) <= room]
            if facts[best].source == "author":  # who says it better than the code
                fits = [place for place in fits if facts[place].source == "author"]
            bears = (p for p in fits if scores[best] - scores[p] < close or (ranked[p][1] and not facts[p].absent))
            nearest = (p for p in fits if facts[p].source in NEAREST and facts[p].reveals and not facts[p].absent)
            new = next(bears, None)
            if new is None and question.kinds and not {fact.kind for fact in facts} & question.kinds.keys():
                return [Part(NO_PREFERENCE, "unknown", question.place, "open")]
            new = next(nearest, None) if new is None else new
            if new is not None and facts[new].kind in question.kinds and facts[best].kind not in question.kinds:
                return [_part(facts[new], question)]
            return [again] if new is None else [_part(facts[new], question), again]  # nothing is only said again
        if frozenset(question.stem_list) in self._earlier:
            return [answer]
        found = [facts[best]]
        other = BAND.get(found[0].kind, "")
        unsaid.sort(key=lambda place: facts[place].kind != other or facts[place].source != "author")
        for place in unsaid:
            fact = facts[place]
            if len(found) == self._most or (scores[best] - scores[place] >= close and fact.kind != other):
                break
            if fact.kind in ASKED_FOR and fact.source != "author" and fact.kind not in question.kinds:
                continue
            if fact.slot in {one.slot for one in found} - {""} or (
                found[0].source
                == "author"  # the author says it better than the code, and decides other matters besides
                and (fact.source != "author" or not (ranked[place][1] or fact.kind == other))
            ):
                continue
            if sum(len(one.text) for one in found) + len(fact.text) < min(room, SEVERAL_CHARS[question.track]):
                found.append(fact)
        return [answer, *(replace(_part(fact, question), kind="reason") for fact in found[1:])]

    def _ask_back(self, question: Question, facts: Sequence[Fact], room: int) -> Part:
        """Admit that the matter is open where no fact is of the kind asked for; else name two topics, no values."""
        kinds = {fact.kind for fact in self._index.facts}
        if question.kinds and not kinds & question.kinds.keys():
            return Part(NO_PREFERENCE, "unknown", question.place, "open")
        named = list(dict.fromkeys(name for fact in facts[:6] if (name := topic(fact.kind))))[:2]
        if len(named) < 2 or question.track != "backend":
            return self._outline(question, room)
        text = f"I'm not sure what you mean: {named[0]}, or {named[1]}?"
        return Part(text if len(text) <= room else NOT_CLEAR, "hint", question.place, "back")

    def _outline(self, question: Question, room: int) -> Part:
        text = self._knowledge.outline
        return Part(text if len(text) <= room else NOT_CLEAR, "hint", question.place, "outline")

    def _special(self, question: Question, before: str, told: Sequence[str], room: int) -> Part:
        """Tell one special case that was not told yet."""
        return self._untold(SPECIAL_CASES, question, before, told, room) or Part(
            NOTHING_MORE, "hint", question.place, "more"
        )

    def _further(self, question: Question, before: str, room: int) -> Part:
        """Tell what matters most of what was not told yet; name what can be asked about where nothing was said."""
        if before.count(ONE_MORE) < MOST_MORE and before:
            kinds = tuple(fact.kind for fact in self._index.facts if fact.source == "author") or SPECIAL_CASES
            more = self._untold(kinds, question, before, (), room - len(ONE_MORE))
            if more is not None:
                return replace(more, text=f"{ONE_MORE}{more.text}")
        return self._hint(question, before, room)

    def _hint(self, question: Question, before: str, room: int) -> Part:
        """Name what can be asked about, and nothing once anything was said."""
        outline = self._knowledge.outline
        return Part(NOTHING_MORE if before or len(outline) > room else outline, "hint", question.place, "more")

    def _untold(
        self, kinds: Sequence[str], question: Question, before: str, told: Sequence[str], room: int
    ) -> Part | None:
        """Return the first fact of some kinds that was not told, the author's first and what is denied last."""
        untold = [
            fact
            for fact in self._index.facts
            if fact.kind in kinds and fact.reveals and not fact.absent and clipped(fact.text, room)
            if fact.text.lower() not in before.lower() and fact.text not in told
        ]
        if not untold:
            return None

        def rank(fact: Fact) -> tuple[bool, bool, int]:
            return (fact.source != "author", _DENIES.match(fact.text) is not None, kinds.index(fact.kind))

        fact = min(untold, key=rank)
        return replace(_part(fact, question), text=clipped(fact.text, room))


def _part(fact: Fact, question: Question) -> Part:
    return Part(fact.text, "answer", question.place, fact.key or fact.slot or fact.kind, fact.reveals)


def _firsts(answers: Sequence[Sequence[Part]]) -> list[str]:
    return [parts[0].text.removeprefix(REMINDER) for parts in answers]


def _label_chars(question: Question) -> int:
    return len(question.label) + 3 if question.label else 1


def clipped(text: str, room: int) -> str:
    """Return a text that fits, or the whole sentences at its start that do; empty where there are none."""
    if len(text) <= room:
        return text
    return text[: text.rfind(". ", 0, room) + 1]


def shares(lengths: Sequence[int], room: int) -> list[int]:
    """Return how much of the room each of some texts gets: short ones what they need, long ones the same."""
    found = [0] * len(lengths)
    left = room
    for rank, place in enumerate(sorted(range(len(lengths)), key=lambda place: lengths[place])):
        found[place] = min(lengths[place], left // (len(lengths) - rank))
        left -= found[place]
    return found


def within(answers: Sequence[Sequence[Part]], questions: Sequence[Question], max_chars: int) -> list[Part]:
    """Return answers under their numbers: the first part of each, then further ones while there is room."""
    labels = [f"{question.label}. " if len(questions) > 1 and question.label else "" for question in questions]
    left = max_chars + 1 - sum(len(label) for label in labels)
    chosen: list[list[Part]] = [[] for _ in answers]
    said: set[str] = set()
    for rank in range(max(map(len, answers), default=0)):
        for parts, own in zip(answers, chosen, strict=True):
            if rank < len(parts) and parts[rank].text not in said and len(parts[rank].text) < left:
                own.append(parts[rank])
                said.add(parts[rank].text)
                left -= len(parts[rank].text) + 1
    for label, own in zip(labels, chosen, strict=True):
        own.sort(key=lambda part: not part.text.startswith(REMINDER))
        own[:1] = [replace(part, text=f"{label}{part.text}") for part in own[:1]]
    return [part for own in chosen for part in own]
