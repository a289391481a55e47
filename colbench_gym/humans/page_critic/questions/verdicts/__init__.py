"""Verdicts: when a reply may begin with yes or no, and the statement that is its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from colbench_gym.humans.page_critic.questions import facts
from colbench_gym.humans.page_critic.questions.mentions import read_mentions
from colbench_gym.humans.page_critic.questions.naming import PLAIN_WORDS, stem_of
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.resolving import resolve
from colbench_gym.humans.page_critic.questions.targets import Target
from colbench_gym.humans.page_critic.questions.verdicts.presence import judge_contents, judge_presence
from colbench_gym.humans.page_critic.questions.verdicts.proposals import FULL_WIDTH, PREDICATES, both
from colbench_gym.humans.page_critic.questions.vocabulary import COLOR, QUALITIES, TONE, UNSEEN
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.sentences import AGREED
from colbench_gym.page_language.statements import Statement


def judge(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return the verdict on what a question proposes; nothing where it cannot be told."""
    decisions = [statements for decide in PREDICATES if (statements := decide(question, targets, regions))]
    if decisions:
        return both(decisions) if _AND.search(question.text) else decisions[0]
    for judged in (judge_contents, judge_presence):
        statements = judged(question, targets, regions)
        if statements and statements[0].verdict == "yes" and _leftover(question, statements, targets):
            return [replace(statements[0], verdict=""), *statements[1:]]  # the nearest that is known to be so
        if statements:
            return statements
    return []


_AND = re.compile(r"\b(?:and|with|but)\b|, \w+ly\b")


def judge_plan(question: Question, regions: Regions) -> list[Statement]:
    """Return the first thing of a plan that is not so on the wanted page, or that it matches."""
    pieces = re.split(r"[,:;.]| and | with | followed by | then ", question.original)
    verified, open_pieces = False, False
    for piece in pieces:
        lower = piece.lower()
        single = Question(lower, "proposal", None, read_mentions(lower), (), piece)
        if not single.mentions or UNSEEN.search(lower):
            continue
        statements = judge(single, resolve(single, regions), regions)
        if statements and statements[0].verdict == "no":
            return statements
        verified = verified or bool(statements)
        open_pieces = open_pieces or not statements or bool(_RELATIVE.search(lower))
    return [AGREED] if verified and not open_pieces else facts.outline(regions)


_RELATIVE = re.compile(r"\b(?:below|above|under|beneath|next to|beside|between|behind)\b")


def _leftover(question: Question, statements: Sequence[Statement], targets: Sequence[Target]) -> list[str]:
    """Return the words of a question that name no thing of the page and that nothing in the answer accounts for."""
    text = question.text
    for mention in (*question.mentions, *(target.mention for target in targets)):
        text = text[: mention.start] + " " * (mention.end - mention.start) + text[max(mention.start, mention.end) :]
    for pattern in (*(re.compile(pattern) for _, pattern in QUALITIES), COLOR, TONE, FULL_WIDTH):
        text = pattern.sub(" ", text)
    told = " ".join(
        " ".join((one.wanted, *(subject.text for subject in (one.subject, one.other, *one.items) if subject)))
        for one in statements
    ).lower()
    words = re.findall(r"[a-z][a-z'-]+", text)
    return [word for word in words if word not in _ACCOUNTED and stem_of(word) not in told]


# Words that name no thing of a page and change nothing about whether it is there.
_ACCOUNTED = PLAIN_WORDS | frozenset(
    """
    it be did shall would will can could may might must have has had want need like there here with without to from as
    into onto than then so also too yet not me you we they them i he which where who if whether please just only really
    actually exactly correct true yes agreed thanks know let confirm i'd you'd i'll there's it's that's what's they're
    add include show put use insert build create make place contain feature display see get go goes come comes plan
    expect require required needed wanted supposed intended planned part design layout mentioned described suggests
    above below beneath under over beside next between after before several multiple few number couple
    seven eight nine ten own such anywhere somewhere displayed listed shown included visible present given
    sit sits stand stands stretch stretches edge least exactly about besides other another different
    leave out omit skip drop always definitely
    isn't aren't doesn't don't shouldn't wouldn't won't didn't wasn't weren't hasn't haven't
    """.split()  # noqa: SIM905
)
