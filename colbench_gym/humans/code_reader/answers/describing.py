"""Answers about forms: what the arguments look like, and what exactly is returned."""

from __future__ import annotations

from colbench_gym.humans.code_reader.answers.asked import Asked
from colbench_gym.humans.code_reader.answers.forms import argument_form, kinds_named
from colbench_gym.humans.code_reader.answers.results import result_form
from colbench_gym.humans.replies import Part

_SURE = 0.6  # likelihood of an intent from which it needs no other sign


def arguments(asked: Asked) -> list[Part]:
    """Describe arguments."""
    told = argument_form(asked.said, asked.question, asked.likely("type", "keys", "scale", "unit") > _SURE)
    if told is None:
        return []
    return [asked.part(told.text, "arguments", told.reveals)]


def arguments_first(asked: Asked) -> list[Part]:
    """Describe an argument that is named by its identifier, before an example of its form is taken for a case."""
    q = asked.question
    names = [p for p in asked.said.knowledge.parameters if "_" in p.name and p.name.lower() in q.lower]
    if len(names) != 1 or asked.likely("type", "keys") < 0.4 or q.has(r"=|\bif\b|\breturn"):
        return []
    return arguments(asked)


def result_first(asked: Asked) -> list[Part]:
    """Describe the result before any of its properties, when a question names kinds of value for it."""
    q = asked.question
    if q.has(
        r"\b(?:as an? (?:tuple|dict\w*|list|string|number)|what should be returned|(?:a|the) (?:list"
        r"|tuple|set|dict\w*) or an?)\b"
    ) and kinds_named(q):
        return result(asked)
    return []


def result(asked: Asked) -> list[Part]:
    """Describe the result."""
    told = result_form(asked.said, asked.question, asked.run, asked.likely("result") > _SURE)
    if told is None:
        return []
    return [asked.part(told.text, "result", told.reveals)]
