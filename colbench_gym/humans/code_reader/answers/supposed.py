"""Answers found by running the reference: worked examples and supposed situations."""

from __future__ import annotations

import ast
import re
from typing import Any

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.answers.asked import (
    SURE,
    Asked,
    outcome_text,
    same,
)
from colbench_gym.humans.code_reader.examples import example_in
from colbench_gym.humans.code_reader.judging.leads import WH_ANYWHERE
from colbench_gym.humans.code_reader.orders import calls_of, sort_key
from colbench_gym.humans.code_reader.situations import (
    without_matches,
)
from colbench_gym.humans.code_reader.trials.inputs import unlike, varied
from colbench_gym.humans.code_reader.trials.proposals import truth_of
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.syntax import keyword_in
from colbench_gym.humans.code_reader.verbalizer.values import say_value, sayable
from colbench_gym.humans.replies import Part


def example(asked: Asked) -> list[Part]:
    """Run a worked example and compare what the agent expects."""
    q, known = asked.question, asked.said.knowledge
    if q.has(r"\b(?:upper|lower)[- ]?case\b|case[- ](?:in)?sensitiv"):
        return []
    if not known.parameters or q.has(r"\bhow many decimals|such as\b.{0,20}\bor\b"):
        return []
    text = _unquoted(q.raw, asked.task.description)
    example = example_in(text, known)
    if example is None:
        return []
    called = f"{known.name}(" in text
    listed = len(known.parameters) > 1 and example.complete and re.match(r"\W*\([^()]*,[^()]*\)\W", text) is not None
    arrow = example.complete and re.search(r"(?:→|->|=>|= ?\?)\W*$", q.text.rstrip("? ")) is not None
    enough = called or listed or arrow or _is_example(asked, example.arguments)
    if not enough:
        return []
    inputs = [example.arguments]
    if not example.complete:
        usual = varied(known)
        inputs = [{**one, **example.arguments} for one in (*usual, *unlike(known, usual))]
    if not inputs:
        return []
    outcomes = asked.run(inputs)
    if not example.complete:  # values unlike those seen may be no valid ones
        outcomes = [o for o in outcomes if o.status == "returned"] or outcomes
    first = outcomes[0]
    if first.status == "unknown" or any(o != first for o in outcomes):
        return []
    if first.status == "returned" and not sayable(first.value):
        return []
    told = outcome_text(asked, first)
    if first.status == "returned" and isinstance(first.value, (dict, list)) and example.expected:
        example = type(example)(
            example.arguments, tuple(e for e in example.expected if isinstance(e, (dict, list, tuple)))
        )
    asks_value = bool(example.expected) and (
        q.polar
        or (q.has(_STATED) and not q.has(WH_ANYWHERE))
        or q.has(r"\b(?:correct|right|agree\w*|ok(?:ay)?|in line|had in mind|expect\w*|match\w*|so)\b[^?]{0,20}\?")
    )
    if asks_value and first.status == "returned":
        expected = example.expected[-1]
        if same(expected, first.value):
            return [asked.part(f"Yes, {told}.", "example", True)]
        if isinstance(first.value, tuple) and isinstance(expected, (int, float)):
            lead = "Yes" if any(same(expected, part) for part in first.value) else "No"
            return [asked.part(f"{lead}, {told}.", "example", True)]
        if type(expected) is type(first.value) or (
            isinstance(expected, (int, float)) and isinstance(first.value, (int, float))
        ):
            return [asked.part(f"No, {told}.", "example", True)]
        return [asked.part(sentence(told), "example", True)]
    lead = _truth(asked, first.value) if first.status == "returned" else ""
    return [asked.part(f"{lead}{told}." if lead else sentence(told), "example", True)]


def _unquoted(text: str, description: str) -> str:
    """Return a text without the phrases that it quotes from the description of the task."""
    return re.sub(r"(?<!\w)(['\"])([^'\"\n]+ [^'\"\n]+)\1(?!\w)", lambda m: " " if m[2] in description else m[0], text)


def _truth(asked: Asked, value: object) -> str:
    """Return "Yes, " or "No, " when a question asks whether something holds and the result is True or False."""
    q = asked.question
    if not isinstance(value, bool) or not q.polar or q.either:
        return ""
    meant = truth_of(q, asked.said.knowledge)
    return "" if meant is None else "Yes, " if value is meant else "No, "


_STATED = r"(?:=|\b(?:would|should|will) be|\bis|\bgives?|\bcomes? to)[^?;]{0,40}\d\W*\?\W*$"  # "10 of 5 would be 50?"
_INSTANCE = (
    r"\b(?:example|instance|suppose|say|let's|take|consider|verify|sanity|plug|check|call|test"
    r"|imagine|assume|use|with|given|for|so|have|2 |two|what about|what would|would|what if|eg)\b"
)

_WANTED = (
    r"\b(?:expect\w*|results?|outputs?|come (?:out|back)|comes? (?:out|back)|returned?|give"
    r"|yields?|get|would (?:be|you)|should be|(?:is|would) then|desired|end up|become|correct"
    r"|right|agree\w*|what (?:is|would|should|do)|in line|be\b)|\?\s*$|→|=\s*\?"
)


def _is_example(asked: Asked, arguments: dict[str, Any]) -> bool:
    """Return whether values were given for the function and not as examples of a format."""
    q, known = asked.question, asked.said.knowledge
    required = [p for p in known.parameters if p.default is None and not p.extra]
    given = [p for p in required if p.name in arguments]
    if q.has(
        r"\b(?:per how|what (?:type|kind)|data ?type|in which (?:unit|form)|how many"
        r"|between \d[\d.,]* and \d|scale|which (?:of|percentage|reduction|size|values|entities)"
        r"|for each)\b"
    ) and not q.has(r"\bexpect|\bwhat (?:is|would|should) (?:the )?(?:result|output)"):
        return False
    if q.has(r"\b(?:such as|like|eg|ie)\s*['\"\d\[{(&]") and not q.said(
        r"\b(?:expect|result|output|come|return|give|yield|produce)(?:s|ed)?\b"
    ):
        return False
    rich = any(isinstance(v, (list, dict, tuple)) and v for v in arguments.values())
    complete = len(given) == len(required)
    if not q.said(_WANTED):
        return False
    if complete and (rich or q.said(_INSTANCE)):
        return not (
            q.either
            and not rich
            and len(required) == 1
            and not q.said(r"\b(?:example|expect|result|output|come|return|give)\b")
        )
    return rich and bool(given) and q.said(_INSTANCE)


def _stores_on_condition(clause: Clause) -> bool:
    claim = clause.claim
    return (
        isinstance(claim, c.Assigns)
        and any(isinstance(circumstance, c.When) for circumstance in claim.where)
        and isinstance(claim.statement, ast.Assign)
        and any(isinstance(target, ast.Subscript) for target in claim.statement.targets)
    )


def nothing_left(asked: Asked) -> list[Part]:
    """Answer what comes out when a filter lets nothing through."""
    q = asked.question
    inputs = without_matches(q, asked.said.knowledge)
    if not inputs:
        return []
    if q.has(r"\b(?:drop\w*|left out|show\w* up|appear\w*|skip\w*|omit\w*|included)\b"):
        guarded = [clause for clause in asked.said.clauses if _stores_on_condition(clause)]
        if guarded:
            condition = asked.said.words.condition(
                next(w.test for w in reversed(guarded[-1].claim.where) if isinstance(w, c.When))
            )
            return [asked.part(f"Then it is left out: it is only included if {condition}.", "nothing")]
    outcomes = [o for o in asked.run(inputs) if o.status == "returned"]
    shape = [o.value for o in asked.run(list(asked.said.knowledge.seeds[:3])) if o.status == "returned"]
    for outcome in outcomes:
        value = outcome.value
        if (
            isinstance(value, (list, dict, tuple, set))
            and not value
            and any(type(v) is type(value) and v for v in shape)
        ):
            return [asked.part(f"Then the result is {say_value(value)}.", "nothing")]
    plain = [o.value for o in outcomes if not o.value and isinstance(o.value, (int, float)) and o.value is not False]
    if plain and any(type(v) in (int, float) and v for v in shape) and len({repr(v) for v in plain}) == 1:
        return [asked.part(f"Then the result is {say_value(plain[0])}.", "nothing")]
    for outcome in outcomes:
        if (
            isinstance(outcome.value, tuple)
            and any(part == 0 for part in outcome.value)
            and q.has(r"\bpart\b|\bafter\b|\bbefore\b")
        ):
            return [asked.part("That part is then 0.", "nothing")]
    return []


_TIES = (
    r"\bties?\b|\btied\b|\btie-?break\w*|\bexact same\b|\b(?:same|equal"
    r"|identical) (?:\w+ )?(?:total|score|value|amount|number|count|size|points|result|rank"
    r"|frequency|length)s?\b|\bdraw\b"
)


def ties(asked: Asked) -> list[Part]:
    """Tell what happens to equal items."""
    q, known = asked.question, asked.said.knowledge
    if not q.said(_TIES) and asked.likely("ties") < SURE:
        return []
    sorts = calls_of(known, "sorted", "sort")
    if sorts:
        if len(sorts) == 1 and any(_picks_first(n) for n in known.nodes):
            return [asked.part("The one that comes first in ascending (alphabetical) order wins.", "ties", True)]
        key = keyword_in(sorts[0].keywords, "key")
        if key is None:
            return []  # equal items of a plain order look the same: what decides is elsewhere
        if isinstance(key, ast.Lambda) and isinstance(key.body, ast.Tuple) and len(key.body.elts) > 1:
            return [asked.part(sentence(sort_key(asked.said, sorts[0])), "ties")]
        kept = "They don't share a place: the one that comes first in the input stays first, the other comes next."
        return [asked.part(kept, "ties")]
    for node in known.nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("max", "min") and len(node.args) == 1:
            if keyword_in(node.keywords, "key") is None or known.called & {"reversed", "reverse"}:
                return []  # only the value is found so: which of its items wins is decided elsewhere
            return [asked.part("The one that comes first in the input wins.", "ties")]
    return []


def _picks_first(node: ast.AST) -> bool:
    """Return whether a call picks the best of items that were sorted before, so that of equal ones the first wins."""
    if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in ("max", "min") or len(node.args) != 1:
        return False
    inner = node.args[0]
    ordered = isinstance(inner, ast.Call) and getattr(inner.func, "id", "") == "sorted" and not inner.keywords
    return ordered and keyword_in(node.keywords, "key") is not None
