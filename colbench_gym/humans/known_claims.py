"""All that the scripted human would say about a task, for a model that is to play the human without the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.code_reader import NO_CODE, NOTHING_MORE, UNKNOWN, UNREADABLE, CodeReader
from colbench_gym.python_code.syntax import parse_module
from colbench_gym.tasks import BackendTask

_NO_CLAIMS = frozenset((UNKNOWN, NO_CODE, UNREADABLE, NOTHING_MORE))
_ABOUT_ALL = (
    "What are the arguments, and of which types?",
    "What is returned, and in which form?",
    "How is the result calculated?",
    "Which conditions are there?",
    "Which thresholds, limits or constants are there?",
    "Which special cases are there, and what happens then?",
    "What happens with empty input?",
    "What happens with missing, unknown or invalid values?",
    "Are errors raised, and with which message?",
    "How is it rounded, and to how many decimals?",
    "In which order is the result, and how are ties broken?",
    "Does upper and lower case matter?",
    "What is the default?",
)
_ABOUT_ONE = (
    "What is {}, and of which type?",
    "Which conditions depend on {}?",
    "What happens if {} is empty, zero, negative or missing?",
)
_MORE = "Is there anything else I should know?"
_MAX_MORE = 8


@lru_cache(maxsize=256)
def known_claims(task: BackendTask) -> str:
    """Return the claims as a list, a line each; without what nobody asks about and without any source."""
    claims: dict[str, None] = {}
    with closing(CodeReader()) as reader:
        for question in _questions(task):
            _add(claims, reader.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question)))))
        said = [Turn("human", task.description)]
        for _ in range(_MAX_MORE):
            said.append(Turn("agent", _MORE))
            reply = reader.reply(task, Dialogue(tuple(said)))
            if reply in _NO_CLAIMS or reply in claims:
                break
            _add(claims, reply)
            said.append(Turn("human", reply))
    return "\n".join(f"- {claim}" for claim in claims) or "- Nothing is known beyond the request."


def _add(claims: dict[str, None], reply: str) -> None:
    if reply not in _NO_CLAIMS:
        claims.setdefault(reply)


def _questions(task: BackendTask) -> Iterator[str]:
    yield from _ABOUT_ALL
    for name in _parameters(task.reference):
        yield from (question.format(name) for question in _ABOUT_ONE)
    for decision in task.decisions:
        yield from (f"What about {topic}?" for topic in decision.topics)


def _parameters(reference: str) -> list[str]:
    try:
        tree = parse_module(reference)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [argument.arg for function in functions for argument in function.args.args]
