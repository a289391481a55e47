"""Verdicts: when a reply may begin with yes or no, and the statement that is its reason."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colbench_gym.humans.page_critic.questions import facts
from colbench_gym.humans.page_critic.questions.mentions import read_mentions
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.resolving import resolve
from colbench_gym.humans.page_critic.questions.targets import Target
from colbench_gym.humans.page_critic.questions.verdicts.presence import judge_contents, judge_presence
from colbench_gym.humans.page_critic.questions.verdicts.proposals import PREDICATES, both
from colbench_gym.humans.page_critic.questions.vocabulary import UNSEEN
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
