"""Answers found by running the reference: worked examples and supposed situations."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.answers.asked import (
    Asked,
    best_clause,
    outcome_text,
    polarity,
    same,
)
from colbench_gym.humans.code_reader.examples import example_in, mentions
from colbench_gym.humans.code_reader.experiments import Outcome
from colbench_gym.humans.code_reader.reader import is_edge
from colbench_gym.humans.code_reader.situations import (
    Situation,
    mentioned,
    raises_on_purpose,
    situations_in,
    without_matches,
)
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.values import say_value, sayable
from colbench_gym.humans.replies import Part


def example(asked: Asked) -> list[Part]:
    """Run a worked example and compare what the agent expects."""
    q, known = asked.question, asked.said.knowledge
    if q.has(r"\b(?:upper|lower)[- ]?case\b|case[- ](?:in)?sensitiv"):
        return []
    if not known.parameters or q.has(r"\bhow many decimals|such as\b.{0,20}\bor\b"):
        return []
    text = q.raw
    example = example_in(text, known)
    if example is None:
        return []
    called = f"{known.name}(" in text
    enough = called or _is_example(asked, example.arguments)
    if not enough:
        return []
    inputs = [example.arguments]
    if not example.complete:
        inputs = [{**seed, **example.arguments} for seed in known.seeds[:4]]
    if not inputs:
        return []
    outcomes = asked.run(inputs)
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
    return [asked.part(sentence(told), "example", True)]


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
    """Whether values were given for the function and not as examples of a format."""
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
        r"\b(?:expect|result|output|come|return|give|yield|produce)\b"
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


def situation(asked: Asked) -> list[Part]:
    """Run the reference on what the question supposes."""
    q, known = asked.question, asked.said.knowledge
    if q.has(r"\bunits?\b|\bwhat scale\b|\bstrictly\b"):
        return []
    for situation in situations_in(q, known):
        if situation.kind in ("none", "missing") and situation.parameter:
            told = _optional_step(asked, situation.parameter)
            if told:
                return told
        if situation.kind == "unknown" and situation.parameter:
            last = [cl for cl in asked.said.clauses if cl.claim.fallback and _about_parameter(cl, situation.parameter)]
            if last:
                lead = (
                    "No, "
                    if q.polar
                    and q.has(r"\b(?:error|raise|exception|\w+error|skip|ignore)\b")
                    and not isinstance(last[0].claim, c.Raises)
                    else ""
                )
                return [
                    asked.part(
                        f"{lead}{last[0].text}." if lead else sentence(last[0].text),
                        "otherwise",
                        bool(last[0].literals),
                    )
                ]
        outcomes = asked.run(situation.arguments)
        if situation.kind == "unequal" and "zip" in known.called and outcomes[0].status == "returned":
            return [asked.part(NO_PAIR, "situation")]
        if _adds_or_leaves_out(asked, situation):
            usual = asked.run(situation.usual)
            if all(o.status == "returned" and o == u for o, u in zip(outcomes, usual, strict=True)):
                lead = (
                    "Yes, "
                    if q.polar and q.has(r"\b(?:ignor|skip)")
                    else "No, "
                    if q.polar or q.has(r"^\W*any ")
                    else ""
                )
                ignored = "that makes no difference, it is simply ignored."
                return [asked.part(lead + ignored if lead else sentence(ignored), "situation")]
        known_ones = [o for o in outcomes if o.status != "unknown"]
        if not known_ones:
            continue
        first = known_ones[0]
        if any((o.status, o.error) != (first.status, first.error) for o in known_ones):
            continue
        if first.status == "returned" and any(not same(o.value, first.value) for o in known_ones):
            unsaid = _unsaid_value(asked, situation)
            if unsaid:
                return [unsaid]
            continue
        if first.status == "returned" and not sayable(first.value):
            continue
        return [_supposed(asked, first)]
    return []


NO_PAIR = "There is no check: pairing stops at the shorter one, extra items are ignored."
_VALUE = r"(?:is|are|of|equals?|at|reaches|exactly|such as|like|itself|=|was|to)"


def probe(asked: Asked) -> list[Part]:
    """Run the reference with one argument set to a number that the question names, the others as usual."""
    q, known = asked.question, asked.said.knowledge
    named = [p for p in mentioned(q, known) if p.shape.kind == "number"]
    single = [p for p in known.parameters if not p.extra]
    if not named and len(single) == 1 and single[0].shape.kind == "number":
        named = single
    numbers = [m for m in mentions(q.text) if isinstance(m.value, (int, float)) and not isinstance(m.value, bool)]
    if (
        len(numbers) != 1
        or not named
        or not known.seeds
        or q.has(r"\b(?:over|above|below|under|more|less|up to|between)\b")
    ):
        return []
    number = numbers[0]
    if not re.search(rf"{_VALUE}\s*$", q.text[: number.start].lower()) and not q.has(
        r"\b(?:exactly|itself|precisely)\b"
    ):
        return []
    outcomes = asked.run([{**seed, named[0].name: number.value} for seed in known.seeds[:10]])
    if not outcomes or any(outcome.status == "unknown" for outcome in outcomes):
        return []
    distinct = [o for i, o in enumerate(outcomes) if o not in outcomes[:i]]
    if len(distinct) > 1:
        distinct = [o for o in distinct if isinstance(o.value, str) and o.value and o.value.lower() in q.lower]
    if len(distinct) != 1 or (distinct[0].status == "returned" and not sayable(distinct[0].value)):
        return []
    return [_supposed(asked, distinct[0])]


def probe_text(asked: Asked) -> list[Part]:
    """Run the reference with a quoted text as one argument; tell what comes out when that is always the same."""
    q, known = asked.question, asked.said.knowledge
    texts = [p for p in known.parameters if p.shape.kind == "text"]
    named = [p for p in mentioned(q, known) if p in texts] or (texts if len(texts) == 1 else [])
    quoted = [m for m in mentions(q.text) if isinstance(m.value, str) and not isinstance(m.value, bool)]
    if len(quoted) != 1 or not named or not known.seeds or q.either:
        return []
    if not q.has(r"\b(?:would|what|accept\w*|happen\w*|come|return\w*|give|result|count\w*|pass)\b") or q.has(
        r"\b(?:such as|like|eg|key|called|type|format)\b"
    ):
        return []
    outcomes = asked.run([{**seed, named[0].name: quoted[0].value} for seed in known.seeds[:10]])
    first = outcomes[0]
    if first.status == "unknown" or any(o != first for o in outcomes) or not sayable(first.value):
        return []
    return [_supposed(asked, first)]


def _adds_or_leaves_out(asked: Asked, situation: Situation) -> bool:
    """Whether a situation only adds something to usual arguments or leaves something out of them."""
    shapes = {parameter.name: parameter.shape.kind for parameter in asked.said.knowledge.parameters}
    if situation.kind == "unknown" and shapes.get(situation.parameter) not in ("list", "tuple"):
        return False
    return situation.kind in ("unequal", "duplicate", "unknown", "missing") and bool(situation.usual)


def _about_parameter(clause: Clause, parameter: str) -> bool:
    """Whether the tests that a fallback comes after look at a parameter."""
    tests = [test for w in clause.claim.where if isinstance(w, c.Otherwise) for test in w.tests]
    return any(isinstance(n, ast.Name) and n.id == parameter for test in tests for n in ast.walk(test))


def _optional_step(asked: Asked, parameter: str) -> list[Part]:
    """Answer what happens without an argument that only adds a step."""
    q = asked.question
    for clause in asked.said.clauses:
        whens = [w for w in clause.claim.where if isinstance(w, c.When)]
        if len(whens) != 1 or isinstance(clause.claim, c.Returns):
            continue
        test = whens[0].test
        given = isinstance(test, ast.Name) or (isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot))
        if given and whens[0].holds and any(isinstance(n, ast.Name) and n.id == parameter for n in ast.walk(test)):
            lead = "Yes, then" if q.polar and q.has(r"\b(?:no|without|ignored?|skip\w*|just|simply)\b") else "Then"
            return [
                asked.part(f"{lead} that step is left out: only {clause.text}.", "situation", bool(clause.literals))
            ]
    return []


def _unsaid_value(asked: Asked, situation: Situation) -> Part | None:
    """Say that nothing special happens where the value depends on the other arguments."""
    q = asked.question
    clause = best_clause(asked, lambda clause: clause.claim.conditional and _tests_nothing(clause, situation.parameter))
    if clause is not None and situation.kind in ("none", "empty", "zero"):
        lead = polarity(asked, clause)
        return asked.part(
            f"{lead}{clause.text}." if lead else sentence(clause.text), "situation", bool(clause.literals)
        )
    if q.polar and q.has(r"\b(?:error|exception|raise|skip|ignore|validat|treat|reject)"):
        return asked.part("No, there is no special handling for that; it is simply calculated as usual.", "situation")
    if situation.kind in ("negative", "zero"):
        return asked.part("There is no special handling for that; it is simply calculated as usual.", "situation")
    return None


def _tests_nothing(clause: Clause, parameter: str) -> bool:
    """Whether a clause holds because a parameter is empty, zero or not given."""
    return any(
        is_edge(test)
        and holds is _true_of_nothing(test)
        and any(isinstance(n, ast.Name) and n.id == parameter for n in ast.walk(test))
        for test, holds in c.tests(clause.claim)
    )


def _true_of_nothing(test: ast.expr) -> bool:
    if isinstance(test, ast.Compare):
        return isinstance(test.ops[0], (ast.Eq, ast.Is, ast.Lt, ast.LtE))
    return isinstance(test, ast.UnaryOp)


_PROPOSED: tuple[tuple[str, Callable[[Outcome], bool]], ...] = (
    (r"\b(?:raise|throw|error|exception|fail|crash|\w+error)\b", lambda o: o.status == "raised"),
    (r"\bempty (?:list|array)|\[\]", lambda o: o.value == [] and o.status == "returned"),
    (r"\bempty dict\w*|\{\}", lambda o: o.value == {} and isinstance(o.value, dict)),
    (r"\bempty (?:string|text)\b|\"\"|''", lambda o: o.value == ""),
    ((
        r"(?:return|give back|be|result|yield|get|treat\w* (?:it |them |this )?as) (?:an? "
        r"|the )?(?:0(?![.\d])|zero)\b"
    ), lambda o: o.value == 0 and o.status == "returned" and not isinstance(o.value, bool)),
    (r"(?:return|give back|be|result) (?:an? )?none\b|\bnull\b", lambda o: o.value is None and o.status == "returned"),
    (r"(?:return|give back|be|result) (?:an? )?-1\b", lambda o: o.value == -1),
    (r"(?:return|give back|be|result) (?:an? )?true\b", lambda o: o.value is True),
    (r"(?:return|give back|be|result) (?:an? )?false\b", lambda o: o.value is False),
)  # fmt: skip


def _supposed(asked: Asked, outcome: Outcome) -> Part:
    q = asked.question
    told = outcome_text(asked, outcome)
    lead = ""
    if q.polar:
        proposed = [holds(outcome) for pattern, holds in _PROPOSED if q.has(pattern)]
        if len(proposed) == 1:
            purposeful = outcome.status == "raised" and not raises_on_purpose(asked.said.knowledge, outcome.error)
            lead = "" if purposeful and proposed[0] else "Yes, " if proposed[0] else "No, "
            if purposeful and q.has(r"\b(?:raise|validat|check)"):
                lead = "No, "
        elif (
            not proposed
            and q.has(r"\b(?:skip\w*|ignore\w*|treat\w*|guard|truncat\w*|handle\w*|default|clamp|validat\w*|special)\b")
            and outcome.status == "raised"
        ):
            lead = "No, "
    if not lead:
        return asked.part(sentence(f"then {told}"), "situation", True)
    return asked.part(f"{lead}{'' if told.startswith('that') else 'then '}{told}.", "situation", True)


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
    for outcome in outcomes:
        if (
            isinstance(outcome.value, tuple)
            and any(part == 0 for part in outcome.value)
            and q.has(r"\bpart\b|\bafter\b|\bbefore\b")
        ):
            return [asked.part("That part is then 0.", "nothing")]
    return []
