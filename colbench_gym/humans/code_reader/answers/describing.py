"""Answers about forms: what the arguments look like, and what exactly is returned."""

from __future__ import annotations

import re

from colbench_gym.humans.code_reader.answers.asked import SURE, Asked
from colbench_gym.humans.code_reader.answers.forms import argument_form, kinds_named
from colbench_gym.humans.code_reader.answers.results import result_form
from colbench_gym.humans.code_reader.situations import mentioned
from colbench_gym.humans.replies import Part

_BEING = r"is|are|will|would|an?\b|one\b|contains?|holds?|just|always|string|number|list|dict|bool"
_BARE = r"\bonly\W*$|^\W*(?:only|just|simply)\b|\b(?:want|need|expect|give|get|comes?|hand) .{0,40}\bback\b"
_PASSED_IN = (
    r"\bhow (?:will|would|do|does|is|are|should) (?:the |i |your )?(?:\w+ ){1,5}?(?:be )?(?:passed|given|supplied"
    r"|handed|provided)\b|\bhow (?:will|would|do) i (?:receive|get)\b"
    r"|\b(?:format|form) (?:will|do|does|are|is) (?:the |your )?(?:\w+ ){1,4}?(?:be )?(?:passed|given|supplied|handed"
    r"|provided|come in|arrive)\b"
)
_FORMAL = ("type", "result", "scale")


def arguments(asked: Asked) -> list[Part]:
    """Describe arguments."""
    told = argument_form(asked.said, asked.question, asked.likely("type", "keys", "scale", "unit") > SURE)
    if told is None:
        return []
    return [asked.part(told.text, "arguments", told.reveals)]


def arguments_first(asked: Asked) -> list[Part]:
    """Describe an argument that is named by its identifier, before an example of its form is taken for a case."""
    q = asked.question
    for parameter in asked.said.knowledge.parameters:
        if not (parameter.name.lower() in q.lower or parameter.name.lower().replace("_", " ") in q.lower):
            continue
        spaced = rf"(?:{re.escape(parameter.name.lower())}|{re.escape(parameter.name.lower().replace('_', ' '))})"
        if (
            q.polar
            and kinds_named(q)
            and re.match(rf"\W*(?:so |and |is |are )?(?:the )?{spaced}\b (?:{_BEING})", q.lower)
        ):
            return arguments(asked)
    names = [p for p in asked.said.knowledge.parameters if "_" in p.name and p.name.lower() in q.lower]
    if len(names) != 1 or asked.likely("type", "keys") < 0.4 or q.has(r"=|\bif\b|\breturn"):
        return []
    return arguments(asked)


def result_first(asked: Asked) -> list[Part]:
    """Describe the result before any of its properties, when a question names kinds of value for it."""
    q = asked.question
    if q.has(_PASSED_IN):
        return arguments(asked)
    if q.has(
        r"\b(?:as an? (?:tuple|dict\w*|list|string|number)|what should be returned|(?:a|the) (?:list"
        r"|tuple|set|dict\w*) or an?)\b"
    ) and kinds_named(q):
        return result(asked)
    return []


def result(asked: Asked) -> list[Part]:
    """Describe the result."""
    q = asked.question
    named = mentioned(q, asked.said.knowledge)
    formal = bool(kinds_named(q)) and (not named or q.has(_BARE)) and asked.likely(*_FORMAL) > SURE
    formal = formal or (not named and asked.likely("keys") > SURE)
    told = result_form(asked.said, q, asked.run, formal or asked.likely("result") > SURE)
    if told is None:
        return []
    return [asked.part(told.text, "result", told.reveals)]
