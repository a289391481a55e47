"""Put a reply together: each question of a message answered in its order, nothing said twice, within the limit."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from colbench_gym.humans.asking import PATTERNS, Question
from colbench_gym.humans.asking.kinds import SPECIAL_CASES
from colbench_gym.humans.facts import NO_PREFERENCE, Fact, Knowledge
from colbench_gym.humans.ranking import NOT_FOUND, OPEN, FactIndex, Ranker
from colbench_gym.humans.replies import Part
from colbench_gym.rules import Track

REMINDER = "As I said: "  # before what was said before
BESIDES = "Besides: "  # before what is told beside it
UNKNOWN = "I don't know."
NOT_CLEAR = "I'm not sure what you mean."
NOTHING_ADDED = "I have nothing to add about that."
NOTHING_MORE = "Nothing more comes to mind; ask me about a particular case."
ONE_MORE = "One more thing: "  # before what an agent gets that asks for anything else
MOST_MORE = 2  # such facts in a dialogue
CLOSE_AUTHORED = 1.0  # the same of facts that the author wrote, each of which decides one matter
SAME = 2.0  # in the score: how much better than all else a fact fits that answers another question of the message
FITS = 6.0  # what was said before and has a lower score is not said again
TOGETHER = 3.0  # a second fact whose score is so near the best one's is told with it
AGAIN = 0.1  # share of a fact's words that may be new where it says nothing new
SURELY = 0.5  # in the score: how much more than the best fact must fit that a matter is decided nowhere
MAX_CHARS = 370  # of an answer to one question
SEVERAL_CHARS: Mapping[Track, int] = {"backend": 260, "frontend": MAX_CHARS}  # of the facts that are told together
BAND: Mapping[str, str] = {"cap": "floor", "floor": "cap"}  # both ends are told together
ASKED_FOR = ("argument", "invalid value", "zero", "counts")  # told beside other facts only where it is asked for
_QUOTED = re.compile(r"(?<!\w)(['\"]).{0,200}?\1(?!\w)|“[^“”]*”")
_DENIES = re.compile(r"\W*(?:no|none|nothing|there (?:is|are) no|don't|never)\b", re.I)  # tells that nothing is done
_SAME_CHARS = len("Same as (1).")
_OWN_WORDS = 2  # words about the matter up to which a question about everything is broad


@dataclass(frozen=True)
class Composer:
    """Answers the questions of one message.

    Attributes:
        knowledge: what is known of the task.
        index: its facts.
        ranker: scores them.
        earlier: stems of each question that was asked before in the dialogue.
        most: facts told for one question.
        close: in the score; facts further behind the best one are not told with it.
    """

    knowledge: Knowledge
    index: FactIndex
    ranker: Ranker
    earlier: Collection[frozenset[str]] = ()
    most: int = 3
    close: float = TOGETHER

    def parts(self, questions: Sequence[Question], before: str, max_chars: int) -> list[Part]:
        """Return the parts of the reply.

        Args:
            questions: of the message, in their order.
            before: what the human has said so far.
            max_chars: that the reply may have.
        """
        answers: list[list[Part]] = []
        for question in questions:
            answers.append(self._answer(question, before, [parts[0].text for parts in answers], MAX_CHARS))
        texts = [parts[0].text for parts in answers]
        needs = [len(text) if texts.index(text) == place else _SAME_CHARS for place, text in enumerate(texts)]
        rooms = shares(needs, max_chars - sum(len(f" {question.label}. ") for question in questions))
        for place, question in enumerate(questions):
            if needs[place] > rooms[place]:
                told = [parts[0].text for parts in (*answers[:place], *answers[place + 1 :])]
                answers[place] = self._answer(question, before, told, rooms[place])
        for parts, question in zip(answers, questions, strict=True):
            if len(answers) > 1 and parts[0].topic == "outline" and not question.label:
                parts.clear()  # what leans on another question brings no list of topics
        return within(answers, questions, max_chars) or [Part(self.knowledge.outline, "hint", 0, "outline")]

    def _answer(self, question: Question, before: str, told: Sequence[str], room: int) -> list[Part]:
        """Return the answer to one question; ``told`` answers others of its message, a part has ``room`` characters."""
        if question.further:
            return [self._further(question, before, room)]
        short = len(question.own_stems) <= _OWN_WORDS and "return" not in question.stem_list
        if (
            (short and PATTERNS["about_all"].search(question.lower))
            or not (question.stems or question.kinds or question.literals)
        ) and not question.names:
            return [self._outline(question, room)]
        if question.special:
            first = frozenset(question.stem_list) not in self.earlier
            case = self._untold(SPECIAL_CASES, question, before, told, room) if first else None
            return [case or self._hint(question, before, room)]
        verdict = self.knowledge.decide(question)
        text = next((t for t in (verdict.text, verdict.short) if 0 < len(t) <= room), "") if verdict else ""
        if verdict is None or not text:
            return self._facts(question, before, told, room)
        part = Part(text, "answer", question.place, verdict.topic, verdict.reveals)
        if verdict.final:
            return [part]
        more = self._facts(question, before, (*told, verdict.text), MAX_CHARS - len(verdict.text))
        return [part, *(replace(one, kind="reason") for one in more[: self.most - 1] if one.kind == "answer")]

    def _facts(self, question: Question, before: str, told: Sequence[str], room: int) -> list[Part]:
        """Return the best fact, and close ones that are told where there is room."""
        facts = self.index.facts
        ranked = self.ranker.scores(self.index, question)
        scores = [score - SURELY * (fact.kind == OPEN) for (score, _), fact in zip(ranked, facts, strict=True)]
        tied = [*question.kinds] == ["ties"]
        order = [
            place
            for place in sorted(range(len(facts)), key=lambda p: (tied and facts[p].kind != "ties", -scores[p]))
            if scores[place] > NOT_FOUND and not any(facts[place].text.lower() in text.lower() for text in told)
        ]
        texts = {place: clipped(facts[place].text, room) for place in order}
        short = [place for place in order if texts[place]]
        top = max(range(len(facts)), key=scores.__getitem__, default=0)
        same = [text for text in told if facts and facts[top].text.lower() in text.lower()]
        fits = scores[top] >= FITS or question.track != "backend"
        if same and (not short or (fits and scores[top] - scores[short[0]] >= SAME)):
            return [replace(_part(facts[top], question), text=same[0])]
        if not short:
            undecided = question.kinds and not {fact.kind for fact in facts} & question.kinds.keys()
            unknown = Part(NO_PREFERENCE, "unknown", question.place, "open")
            return [unknown if undecided else self._outline(question, room)]
        best = short[0]
        answer = replace(_part(facts[best], question), text=texts[best])
        close = CLOSE_AUTHORED if facts[best].source == "author" else self.close
        unsaid = [
            place
            for place in order
            if place != best and facts[place].text not in (facts[best].text, NO_PREFERENCE)
            if facts[place].text not in before
        ]
        if answer.text in before and answer.text != NO_PREFERENCE and facts[best].kind != OPEN:
            left = [place for place in unsaid if len(facts[place].text) <= room]
            return self._again(question, best, answer, left, ranked)
        if frozenset(question.stem_list) in self.earlier or (tied and facts[best].kind == "ties"):
            return [answer]
        found, backend = [facts[best]], question.track == "backend"
        other = BAND.get(found[0].kind, "")
        unsaid.sort(key=lambda place: facts[place].kind != other or facts[place].source != "author")
        for place in unsaid:
            fact = facts[place]
            far = scores[best] - scores[place] >= close and facts[best].kind != OPEN
            if len(found) == self.most or (far and fact.kind != other):
                break
            if any(fact.text[:-1].lower() in one.text.lower() for one in found):  # as a part of a calculation
                continue
            if fact.kind == OPEN or (backend and self._says_again(place, [facts.index(one) for one in found])):
                continue
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

    def _says_again(self, place: int, told: Sequence[int]) -> bool:
        """Return whether nearly all words of a fact stand in those that are told."""
        own = self.index.contents[place]
        said = frozenset[str]().union(*(self.index.contents[one] for one in told))
        return len(own - said) <= AGAIN * len(own)

    def _again(
        self, question: Question, best: int, answer: Part, left: Sequence[int], ranked: Sequence[tuple[float, bool]]
    ) -> list[Part]:
        """Return what was said before with something new: what is asked for, else what comes nearest."""
        facts, kinds, score = self.index.facts, question.kinds, ranked[best][0]
        again = replace(answer, text=f"{REMINDER}{answer.text}", kind="reason")
        if frozenset(question.stem_list) in self.earlier:
            return [again]
        authored = facts[best].kind if facts[best].source == "author" else ""  # who says it better than the code
        fits = [place for place in left if (facts[place].source, facts[place].kind) != ("code", authored)]
        fits = [place for place in fits if facts[place].reveals or facts[place].absent]
        asked = [p for p in fits if kinds.get(facts[p].kind, 0.0) >= 1 and score - ranked[p][0] < self.close]
        if asked:
            return [_part(facts[max(asked, key=lambda p: kinds[facts[p].kind])], question), again]
        near = [p for p in fits if facts[p].source == ("author" if authored else "code") and not facts[p].absent]
        near = [p for p in near if authored or ranked[p][1]]
        if kinds and not {fact.kind for fact in facts} & kinds.keys() and not any(ranked[p][1] for p in near):
            return [Part(NO_PREFERENCE, "unknown", question.place, "open")]
        new = [_part(facts[p], question) for p in near[:1]]
        if score < FITS and kinds.get(facts[best].kind, 0.0) < 0.5 and question.track == "backend":
            return new or [Part(NOTHING_ADDED, "unknown", question.place, "more")]
        return [again, *(replace(part, text=f"{BESIDES}{part.text}") for part in new)]

    def _outline(self, question: Question, room: int) -> Part:
        text = self.knowledge.outline
        return Part(text if len(text) <= room else NOT_CLEAR, "hint", question.place, "outline")

    def _further(self, question: Question, before: str, room: int) -> Part:
        """Tell what matters most of what was not told yet; name what can be asked about where nothing was said."""
        if before.count(ONE_MORE) < MOST_MORE and before:
            kinds = tuple(fact.kind for fact in self.index.facts if fact.source == "author") or SPECIAL_CASES
            if more := self._untold(kinds, question, before, (), room - len(ONE_MORE)):
                return replace(more, text=f"{ONE_MORE}{more.text}")
        return self._hint(question, before, room)

    def _hint(self, question: Question, before: str, room: int) -> Part:
        """Name what can be asked about, and nothing once anything was said."""
        outline = self.knowledge.outline
        return Part(NOTHING_MORE if before or len(outline) > room else outline, "hint", question.place, "more")

    def _untold(
        self, kinds: Sequence[str], question: Question, before: str, told: Sequence[str], room: int
    ) -> Part | None:
        """Return the first fact of some kinds that was not told, the author's first and what is denied last."""
        untold = [
            (fact.source != "author", _DENIES.match(fact.text) is not None, kinds.index(fact.kind), place)
            for place, fact in enumerate(self.index.facts)
            if fact.kind in kinds and fact.reveals and not fact.absent and clipped(fact.text, room)
            if fact.text.lower() not in before.lower() and fact.text not in told
        ]
        told_first = [self.index.facts[found[-1]] for found in sorted(untold)[:1]]
        return next((replace(_part(fact, question), text=clipped(fact.text, room)) for fact in told_first), None)


def _part(fact: Fact, question: Question) -> Part:
    return Part(
        fact.text,
        "unknown" if fact.kind == OPEN else "answer",
        question.place,
        fact.key or fact.slot or fact.kind,
        fact.reveals,
    )


def clipped(text: str, room: int) -> str:
    """Return a text that fits, or the whole sentences at its start that do; empty where there are none."""
    if len(text) <= room:
        return text
    told = _QUOTED.sub(lambda match: "_" * len(match[0]), text)  # a sentence does not end inside a quotation
    return text[: told.rfind(". ", 0, room) + 1]


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
    said: dict[str, str] = {}  # with the number under which it is said
    for rank in range(max(map(len, answers), default=0)):
        for parts, own, label in zip(answers, chosen, labels, strict=True):
            if rank >= len(parts):
                continue
            part, again = parts[rank], said.get(parts[rank].text) if parts[rank].kind != "unknown" else None
            if again and label and not rank:
                part, again = replace(part, text=f"Same as {again}."), None
            if not again and len(part.text) < left:
                own.append(part)
                said.setdefault(part.text, f"({label[:-2]})" if label else "before")
                left -= len(part.text) + 1
    for label, own in zip(labels, chosen, strict=True):
        own[:1] = [replace(part, text=f"{label}{part.text}") for part in own[:1]]
    return [part for own in chosen for part in own]
