"""Put a reply together: each question of a message answered in its order, nothing said twice, within the limit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, inf

from colbench_gym.humans.asking import PATTERNS, Question
from colbench_gym.humans.asking.kinds import ODD_INPUT, OVERRIDING, RULES, SPECIAL_CASES
from colbench_gym.humans.asking.lexicon import stems
from colbench_gym.humans.facts import NO_PREFERENCE, NOTHING_LIKE_IT, UNDECIDED, Fact, Knowledge, Verdict
from colbench_gym.humans.ranking import NOT_FOUND, OPEN, FactIndex, Ranker
from colbench_gym.humans.replies import Part, PartKind
from colbench_gym.rules import Track

REMINDER = "As I said: "  # before what was said before
BESIDES = "Besides: "  # before what is told beside it
UNKNOWN = "I don't know."
BY_ITSELF = "Ask me that by itself."  # where there is no room for what is to be told
NOTHING_MORE = "Nothing more comes to mind; ask me about a particular case."
ONE_MORE = "One more thing: "  # before what an agent gets that asks for anything else
MORE = "There is more; ask me about a particular case."
ALL = "No, that is all."
MOST_MORE = 2  # such facts in a dialogue
TOGETHER = 4.0  # a second fact whose score is so near the best one's is told with it
COST = 1 / 62  # of that for each of its characters: a short one may be further behind
AUTHORED = 2.0  # so much further behind it may be in a task whose author decided: such sentences are short
CLOSE_AGAIN = 8.0  # the same beside what was told before
OF_ARGUMENTS = ("argument", "values", "default", "unit")  # kinds of which there is a fact for each argument
SAME_WORDS = 0.8  # share of their words from which two questions are the same
HEARD = 3.0  # off the score of a fact that was told before: it is rarely what another numbered question is after
AGAIN = 0.1  # share of a fact's words that must be new beside others
UNIT_UNKNOWN = 3.0  # on the score of "I don't know" where a unit is asked for, which code seldom tells
SURELY = 0.5  # in the score: how much more than the best fact must fit that a matter is decided nowhere
DENIED = 1.0  # and how much less, where an author has decided all there is and it can be denied
Earlier = frozenset[frozenset[str]]  # stems of each question that was asked before in the dialogue
MAX_CHARS = 370  # of an answer to one question
SEVERAL_CHARS: Mapping[Track, int] = {"backend": 310, "frontend": MAX_CHARS}  # of the facts that are told together
ASKED_FOR = ("argument", "invalid value", "empty", "default")  # told beside other facts only where it is asked for
_DENIES = re.compile(r"\W*(?:no|none|nothing|there (?:is|are) no|don't|never)\b", re.I)  # tells that nothing is done
_SEVERAL = {"odd": ODD_INPUT, "rules": RULES, "overrides": OVERRIDING}  # kinds of which several decisions are told
_LEAD = re.compile(f"^(?:{REMINDER}|{BESIDES}|{ONE_MORE})")
_CASES = re.compile(r"(?<=[.]) (?=With |For example, )")  # between the outcomes of several cases
_SAME_CHARS = len("Same as (1).")
LEAST = 0.03  # chance of settling a question below which a fact is not told for it where there is little room
# in chances: what an outline, what was told before, no answer and the first of several cases are worth
BROAD, REMINDED, UNTOLD, FIRST_CASE = 0.1, 0.5, -0.1, 0.6
DECIDED, BESIDE_DECIDED = 0.75, 0.7  # what an author decided of an odd value, and what comes of others without it
_OWN_WORDS = 2  # words about the matter up to which a question about everything is broad


@dataclass(frozen=True)
class Way:
    """One way to answer a question: its parts, and how likely they settle it."""

    parts: tuple[Part, ...]
    worth: float


@dataclass(frozen=True)
class Composer:
    """Answers the questions of one message.

    Attributes:
        knowledge: what is known of the task.
        index: its facts.
        ranker: scores them.
        earlier: stems of each question that was asked before in the dialogue.
        most: facts told for one question.
        cost: off the score for each character of what is told beside the best fact.
    """

    knowledge: Knowledge
    index: FactIndex
    ranker: Ranker
    earlier: Earlier = frozenset()
    most: int = 3
    cost: float = COST

    def parts(self, questions: Sequence[Question], before: str, max_chars: int) -> list[Part]:
        """Return the parts of the reply to the questions of a message; ``before`` is what the human has said so far."""
        numbers = [f"{question.label}. " if len(questions) > 1 and question.label else "" for question in questions]
        ways = [self._ways(question, before) for question in questions]
        first = [next(found) for found in ways]
        answers = [list(way.parts) for way in first]
        if len(questions) > 1 or sum(len(part.text) + 1 for parts in answers for part in parts) > max_chars + 1:
            answers = best_together([[way, *found] for way, found in zip(first, ways, strict=True)], numbers, max_chars)
        return within(answers, numbers, max_chars) or [Part(self.knowledge.outline, "hint", 0, "outline")]

    def _ways(self, question: Question, before: str) -> Iterator[Way]:
        """Yield ways to answer a question: the full answer first, then its beginnings and single facts."""
        yield from self._answers(question, before)
        if question.label:
            yield Way((Part(BY_ITSELF, "unknown", question.place, "open"),), UNTOLD)

    def _answers(self, question: Question, before: str) -> Iterator[Way]:
        facts, verdict = self.index.facts, self.knowledge.decide(question)
        several = [] if verdict else self._several(question, before)
        if several:
            yield from (Way(tuple(several[:size]), size / self.most) for size in range(self.most, 0, -1))
            return
        broad = None if verdict else self._broad(question, before)
        if broad is not None:
            leans = broad.topic == "outline" and not question.label  # what leans on another one brings no topics
            yield Way((broad,), -BROAD if leans else BROAD)
            return
        if verdict and verdict.final:
            yield from self._decided(question, verdict, ())
            return
        reserve = SURELY if not self.index.authored else -DENIED if question.deniable else inf
        reserve -= UNIT_UNKNOWN if PATTERNS["which_unit"].search(question.lower) else 0.0
        ranked = [
            (score - (reserve if fact.kind == OPEN else 0.0), shares)
            for (score, shares), fact in zip(self.ranker.scores(self.index, question), facts, strict=True)
        ]
        told = self._facts(question, before, verdict.text if verdict else "", ranked)
        if verdict:
            yield from self._decided(question, verdict, told)
        else:
            yield from self._weighed(question, before, told, [score for score, _ in ranked])

    def _decided(self, question: Question, verdict: Verdict, told: Sequence[Part]) -> Iterator[Way]:
        """Yield ways to tell a verdict: with what is told beside it, alone, shortened; what an author decided alone."""
        own = Part(verdict.text, "answer", question.place, verdict.topic, verdict.reveals)
        reasons = [replace(one, kind="reason") for one in told if one.kind == "answer" and one.topic != OPEN]
        odd = {fact.key for fact in self.index.facts if fact.source == "author" and fact.kind in ODD_INPUT}
        decided = [Way((reason,), DECIDED) for reason in reasons[:1] if verdict.part and reason.topic in odd]
        yield from (Way((own, *reasons[:size]), 1.0) for size in range(min(len(reasons), self.most - 1), 0, -1))
        yield from (Way((own,), BESIDE_DECIDED if decided else 1.0), *decided)
        short = verdict.short or _CASES.split(own.text)[0]
        if short != own.text and short.count('"') % 2 == 0:  # no quotation is cut
            yield Way((replace(own, text=short),), FIRST_CASE)

    def _decisions(self) -> list[Fact]:
        """Return what the author decided that the request does not tell."""
        return [fact for fact in self.index.facts if fact.source == "author" and fact.reveals and not fact.absent]

    def _several(self, question: Question, before: str) -> list[Part]:
        """Return untold decisions that are asked for together: what is odd, comes on top, or the request hints at."""
        kinds = next((kinds for name, kinds in _SEVERAL.items() if PATTERNS[name].search(question.whole)), ())
        hinted = [] if kinds else self.index.hinted_at(question)
        meant = [fact for fact in self._decisions() if fact.kind in kinds or fact in hinted]
        if kinds is OVERRIDING and self.index.authored and all(fact.text in before for fact in meant):
            return [Part(ALL if meant else NOTHING_LIKE_IT, "answer", question.place, OPEN)]
        return [_part(fact, question) for fact in meant if fact.text not in before]

    def _weighed(self, question: Question, before: str, told: list[Part], scores: list[float]) -> Iterator[Way]:
        """Yield beginnings of what is told, single facts, and these behind its first part."""
        facts, fresh = self.index.facts, self._fresh(question)
        heard = [HEARD * (fresh and question.label != "" and _said(fact, before)) for fact in facts]
        chances = likelihoods([score - less for score, less in zip(scores, heard, strict=True)])
        # Of several matters without a preference, which have one text, the likeliest counts: it is sorted last.
        worth = dict(sorted((fact.text, chance) for fact, chance in zip(facts, chances, strict=True)))
        worth[NOTHING_LIKE_IT] = worth.get(NOTHING_LIKE_IT, worth.get(UNDECIDED, 0.0))
        worth |= {f"{REMINDER}{text}": REMINDED * chance for text, chance in worth.items()}
        worths = [worth.get(part.text.removeprefix(BESIDES), 0.0) for part in told]
        kept = [(0, *some) for size in range(len(told), 0, -1) for some in combinations(range(1, len(told)), size - 1)]
        yield from (Way(tuple(told[n] for n in some), sum(worths[n] for n in some)) for some in kept)
        for fact in facts if fresh else ():
            chance = worth[fact.text]
            if chance > LEAST and fact.kind != OPEN and fact.text not in before and fact.text not in told[0].text:
                part = _part(fact, question)
                both = told[0].text in part.text  # it says all of that too
                yield Way((part,), chance + worths[0] * both)
                if part.kind == "answer" and not both and fact.slot not in {told[0].topic} - {""}:
                    yield Way((told[0], replace(part, kind="reason")), worths[0] + chance)

    def _broad(self, question: Question, before: str) -> Part | None:
        """Return the answer to a question that names no matter; None where it names one."""
        if question.further or (before and question.closing):
            return self._further(question, before)
        short = len(question.own_stems) <= _OWN_WORDS and "return" not in question.stem_list
        broad = short and PATTERNS["about_all"].search(question.lower)
        matter = question.stems or question.kinds or question.literals
        return None if question.names or (matter and not broad) else self._outline(question)

    def _facts(self, question: Question, before: str, told: str, ranked: Sequence[tuple[float, bool]]) -> list[Part]:
        """Return the best fact that is not told already in this reply, and close ones."""
        facts = self.index.facts
        order = [
            place
            for place in sorted(range(len(facts)), key=lambda place: (-ranked[place][0], len(facts[place].text)))
            if ranked[place][0] > NOT_FOUND and facts[place].text.lower() not in told.lower()
            if len(facts[place].text) <= MAX_CHARS
        ]
        if not order:
            return [self._outline(question)]
        best = order[0]
        answer = _part(facts[best], question)
        again = _said(facts[best], before)
        unsaid = [place for place in order[1:] if facts[place].text not in f"{before}{NO_PREFERENCE}{facts[best].text}"]
        found = self._beside(question, best, unsaid, ranked, again) if self._fresh(question) else []
        beside = [replace(_part(fact, question), kind="reason") for fact in found]
        if again:
            answer = replace(answer, text=f"{REMINDER}{answer.text}", kind="reason")
            beside[:1] = [replace(part, text=f"{BESIDES}{part.text}") for part in beside[:1]]
        return [answer, *beside]

    def _beside(
        self, question: Question, best: int, unsaid: list[int], ranked: Sequence[tuple[float, bool]], again: bool
    ) -> list[Fact]:
        """Return what is told beside the best fact: what comes close to it, more where that was told before."""
        facts, most = self.index.facts, MAX_CHARS if again else SEVERAL_CHARS[question.track]
        close, cost = (CLOSE_AGAIN, 0.0) if again else (TOGETHER + AUTHORED * self.index.authored, self.cost)
        found, said = [facts[best]], self.index.contents[best]
        for place in unsaid:  # the nearest first
            fact, new, behind = facts[place], self.index.contents[place] - said, ranked[best][0] - ranked[place][0]
            if len(found) == self.most or behind >= close:
                break
            if (
                behind + cost * len(fact.text) < close
                and self._suits(place, found, question, not question.stems.isdisjoint(new), again)
                and (question.track != "backend" or len(new) > AGAIN * len(self.index.contents[place]))
                and sum(len(one.text) for one in found) + len(fact.text) < most
            ):
                found.append(fact)
                said |= new
        return found[1:]

    def _fresh(self, question: Question) -> bool:
        """Return whether a question was not asked before: nine times the same would bring out nine facts."""
        own = frozenset(question.stem_list)
        return all(len(own & asked) < SAME_WORDS * len(own | asked) for asked in self.earlier)

    def _suits(self, place: int, told: Sequence[Fact], question: Question, own_word: bool, again: bool) -> bool:
        """Return whether a fact may be told beside others; ``own_word``: it has one of the question that they lack."""
        fact = self.index.facts[place]
        asked = fact.kind in question.kinds and fact.kind != "boundary"  # which is part of what an author decides
        other = fact.absent and fact.kind == told[0].kind and not own_word  # one more entry that plays no part
        if fact.kind == OPEN or other or any(fact.slot == one.slot != "" or one.text in fact.text for one in told):
            return False
        decided = told[0].source == "author" or (told[0].kind == OPEN and self.index.authored)
        if fact.source == "author":
            return not decided or own_word or (asked and fact.kind != told[0].kind)
        named = fact.kind not in OF_ARGUMENTS or not question.stems.isdisjoint(self.index.about[place])
        return named and (again or asked or (not decided and fact.kind not in ASKED_FOR))

    def _outline(self, question: Question) -> Part:
        return Part(self.knowledge.outline, "hint", question.place, "outline")

    def _further(self, question: Question, before: str) -> Part:
        """Tell what matters most of what was not told yet; say so where there is nothing."""
        untold = self._untold(before)
        if not before and not (untold and PATTERNS["special"].search(question.lower)):
            return self._outline(question)
        if untold and before.count(ONE_MORE) < MOST_MORE:
            part = _part(untold[0], question)
            return replace(part, text=f"{ONE_MORE}{part.text}") if before else part
        return Part(MORE if untold else ALL if self.index.authored else NOTHING_MORE, "hint", question.place, "more")

    def _untold(self, before: str) -> list[Fact]:
        """Return facts that were not told, the author's first and what is denied last, then in the order of kinds."""
        facts, said, authored = self.index.facts, stems([before]), self.index.authored
        order = {kind: place for place, kind in enumerate(SPECIAL_CASES)}
        untold = [
            (_DENIES.match(fact.text) is not None, order.get(fact.kind, len(order)), place)
            for place, fact in enumerate(facts)
            if fact.reveals and not fact.absent and fact.text.lower() not in before.lower()
            if fact.source == "author" or (not authored and fact.kind in order and self.index.contents[place] - said)
        ]
        return [facts[place] for *_, place in sorted(untold)]


def _said(fact: Fact, before: str) -> bool:
    """Return whether a fact was told before, and told something."""
    return fact.text in before and fact.text != NO_PREFERENCE and fact.kind != OPEN


def _part(fact: Fact, question: Question) -> Part:
    text = NOTHING_LIKE_IT if fact.text == UNDECIDED and question.deniable else fact.text
    kind: PartKind = "unknown" if text in (NO_PREFERENCE, UNDECIDED) else "answer"
    return Part(text, kind, question.place, fact.key or fact.slot or fact.kind, fact.reveals)


def _apart(part: Part) -> bool:
    """Return whether what is said of one question means nothing beside another one."""
    return part.kind == "unknown" or part.topic == OPEN


def likelihoods(scores: Sequence[float]) -> list[float]:
    """Return how likely each fact is the one that settles a question, by their scores."""
    top = max(scores, default=0.0)
    shares = [exp(score - top) for score in scores]
    whole = sum(shares)
    return [share / whole for share in shares]


def best_together(ways: Sequence[Sequence[Way]], numbers: Sequence[str], room: int) -> list[list[Part]]:
    """Return the way to answer each question by which most questions are likely to be settled within the room."""
    table: dict[int, tuple[float, tuple[tuple[Part, ...], ...]]] = {-1: (0.0, ())}  # by the characters that it takes
    for options, number in zip(ways, numbers, strict=True):
        grown = {used: (worth - (1.0 if number else 0.0), (*chosen, ())) for used, (worth, chosen) in table.items()}
        for used, (worth, chosen) in table.items():
            said = {parts[0].text for parts in chosen if parts}
            for way in options:
                first = way.parts[0]
                same = first.text in said and not _apart(first)
                if same and first.text != options[0].parts[0].text:
                    continue
                sizes = [len(part.text) + 1 for part in way.parts]
                sizes[:1] = [(_SAME_CHARS + 1) * bool(number)] if same else sizes[:1]
                total = worth + way.worth * (REMINDED if same and number else 1.0)
                size = used + len(number) + sum(sizes)
                if size <= room and total > grown.get(size, (-inf,))[0]:
                    grown[size] = (total, (*chosen, way.parts))
        table, best = {}, -inf
        for size, found in sorted(grown.items()):
            if found[0] > best:
                table[size], best = found, found[0]
    return [list(parts) for parts in max(table.values(), key=lambda found: found[0])[1]]


def within(answers: Sequence[Sequence[Part]], numbers: Sequence[str], max_chars: int) -> list[Part]:
    """Return answers under their numbers, each text once, as far as there is room."""
    chosen: list[Part] = []
    said: dict[str, str] = {}  # with the number under which it is said
    left = max_chars + 1
    told = [[(part, _LEAD.sub("", part.text)) for part in parts] for parts in answers]
    leads = {parts[0][1] for parts in told if parts}  # told under their own numbers, and nowhere else
    for parts, number in zip(told, numbers, strict=True):
        for rank, (part, plain) in enumerate([*parts[:1], *(one for one in parts[1:] if one[1] not in leads)]):
            key = f"{plain} {number if _apart(part) else ''}"
            again = said.get(key)
            text = part.text if not again else f"Same as {again}." if number and not rank else ""
            text = text if rank else f"{number}{text}"
            if text and len(text) < left:
                chosen.append(replace(part, text=text))
                said.setdefault(key, f"({number[:-2]})" if number else "before")
                left -= len(text) + 1
    return chosen
