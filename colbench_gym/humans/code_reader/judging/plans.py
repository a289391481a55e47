"""Judge a plan or an understanding that the agent states: does it agree with the reference, and if not, where?"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from colbench_gym.humans.code_reader.answers.results import result_shape, result_words
from colbench_gym.humans.code_reader.experiments import Outcome
from colbench_gym.humans.code_reader.judging.alignment import compared
from colbench_gym.humans.code_reader.lexicon import PLAIN, close, related, split_words, stem, stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.verbalizer import Clause, Spoken
from colbench_gym.humans.code_reader.verbalizer.wording import listing, quoted
from colbench_gym.python_code.syntax import parse_expression

PLAN = (
    r"\b(?:my|the|a) (?:plan|approach|proposal|idea|understanding|draft|intention|suggestion)\b"
    r"|\bhere(?:'s| is) (?:my|the|how|what)\b|\bi (?:would|'d|intend|plan|was thinking|want to"
    r"|will|am going to|propose|understand)\b|\bi'(?:d|ll) \w+"
    r"|^\W*(?:plan|proposal|summary|idea)\s*:|\bto sum(?:mari[sz]e)? up\b|\bwhat i have in mind\b"
    r"|\bin a nutshell\b|\bok(?:ay)?,? so\b|\bso far\b|\bso basically\b|\bto recap\b"
    r"|\blet me (?:summari[sz]e|recap|restate)|how i understand|i'd write|i would write\b"
)
CONFIRM = (
    r"\b(?:is (?:that|this|it) (?:what|right|correct|how|ok|okay|fine|the right|in line|good"
    r"|your)|did i (?:get|understand)|does (?:that|this|it) (?:match|fit|work|look|sound|make"
    r"|cover|agree|align)|good to go|shall i (?:proceed|go)|should i (?:proceed|go ahead)|"
    r"would you agree|do you agree|agreed|am i right|have i (?:got|understood)|right\?|correct\?"
    r"|ok(?:ay)?\?|sound(?:s)? (?:good|right)|look(?:s)? (?:good|right)|anything (?:i got )?wrong"
    r"|got wrong|is (?:that|this) (?:\w+ )?(?:acceptable|alright|valid|okay|ok)|in your spirit"
    r"|(?:may|can|shall) i (?:go ahead|proceed|continue)|okay like that|have i understood"
    r"|what you(?:'re| are) after"
    r"|anything to (?:change|correct))"
)


_CODING = stems(
    [
        "loop",
        "iterate",
        "go",
        "through",
        "collect",
        "dictionary",
        "list",
        "item",
        "compare",
        "keep",
        "store",
        "check",
        "count",
        "sum",
        "add",
        "greater",
        "less",
        "strictly",
        "index",
        "position",
        "equal",
        "equality",
        "plain",
        "idea",
        "nutshell",
        "plan",
        "proceed",
        "each",
        "one",
        "new",
        "corresponding",
        "true",
        "false",
        "boolean",
        "above",
        "below",
        "exceed",
        "copy",
        "order",
        "string",
        "number",
        "divide",
        "multiply",
        "times",
        "subtract",
        "afterwards",
        "charge",
    ]
)
_STEPS = (r"multipl|divid", r"\badd|subtract|\bminus\b|\bplus\b")  # the result depends on the order of the two kinds
MIN_COVERED_WORDS = 1  # words of a plan that the reference has, without which it is not agreed to
MIN_COVERED = 0.5  # share of a plan's words that the reference must have for a yes
_CONTRAST = (
    r"\b(?:whatever|either|only if|same position|retain\w*|leav\w+ out|the rest|everybody else|unless"
    r"|ignor\w+|regardless"
    r"|instead of|assum\w+ that)\b"
)


@dataclass(frozen=True)
class Verdict:
    """Judgement of a plan; ``agrees`` is None when the reference does not decide it."""

    agrees: bool | None
    reason: str = ""


_FOREIGN = stems(
    [
        "weighted",
        "weighting",
        "weights",
        "score",
        "scoring",
        "rank",
        "ranking",
        "percentage",
        "average",
        "normalize",
        "split",
        "top",
        "strip",
        "prepend",
        "append",
        "probability",
        "machine",
        "learning",
        "regex",
        "heuristic",
        "multiply",
        "subtract",
        "sort",
        "recursion",
        "validate",
        "convert",
        "log",
        "square",
        "root",
        "exponential",
        "median",
        "random",
        "database",
        "api",
        "json",
        "html",
        "lookup",
        "tuples",
    ]
)


def judge_plan(
    said: Spoken, question: Question, run: Callable[[Sequence[dict[str, Any]]], list[Outcome]]
) -> Verdict | None:
    """Judge what a message proposes; None when it proposes nothing or it cannot be told."""
    text = question.whole
    if not re.search(CONFIRM, text) or len(text) < 60 or not (re.search(PLAN, text) or _lists_steps(text)):
        return None
    if re.search(r"\bi(?:'d| would)? (?:say|come to|get|expect)\b|\bexpectation\b", text):
        return None  # a worked example that could not be read
    if len(text) < 140 and re.search(r"=\s*-?\d", text):
        return None  # a worked example
    known = said.knowledge
    plan = re.split(CONFIRM, text)[0]
    formula = _formula(question.raw, said)
    if formula is not None:
        seeds = list(known.seeds[:4])
        agreed = _agrees(formula, seeds, run(seeds))
        if agreed is not None:
            return Verdict(agreed, "" if agreed else _difference(said))
    comparison = compared(said, plan)
    if comparison.agrees is not None:
        reason = f"{comparison.clause.text}." if comparison.clause is not None else _difference(said)
        return Verdict(comparison.agrees, "" if comparison.agrees else reason)
    supposes = re.search(r"\b(?:if|when|whenever|suppose|case|for example|eg)\b", plan) is not None
    numbers = {float(n.replace(",", "")) for n in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w|\))", plan)}
    own = (
        {float(n) + shift for n in known.numbers for shift in (-1, 0, 1)}
        | {1 - n for n in known.numbers if 0 < n < 1}
        | {n * 100 for n in known.numbers}
        | {round((1 - n) * 100, 6) for n in known.numbers if 0 < n < 1}
    )
    strange = {n for n in numbers if n not in own and n > 2 and not any(abs(n - o) < 1e-6 for o in own)}
    shape, _ = result_shape(said, run)
    if strange and not supposes:
        return Verdict(False, _difference(said))
    wrong_form = _form_differs(plan, shape)
    if wrong_form:
        text_of_form, _ = result_words(said, shape)
        return Verdict(False, f"{text_of_form}.")
    order = _order_differs(said, plan)
    if order:
        return Verdict(False, order)
    words = stems([plan])
    public = known.topics
    strangers = [
        w
        for w in sorted(words & _FOREIGN)
        if w not in said.vocabulary and w not in public and not _done(said, w) and not close(w, said.vocabulary)
    ]
    if strangers:
        named = [w for w in dict.fromkeys(split_words(plan)) if stem(w) in strangers]
        return Verdict(False, _difference(said, named[:3]))
    known_words = said.vocabulary | public | frozenset(w for clause in said.clauses for w in clause.stems)
    content = [w for w in words if w not in PLAIN and w not in _CODING and len(w) > 2]
    covered = [w for w in content if w in known_words or related([w]) & known_words]
    steps = [word for word in _STEPS if re.search(word, plan)]
    unsaid = len(steps) > 1 or (any(abs(n) not in (0, 1, 2, 100) for n in known.numbers) and numbers != set())
    loops = any(isinstance(n, (ast.For, ast.While, ast.comprehension)) for n in known.nodes)
    if re.search(r"\b(?:loops?|looping|iterat\w+)\b", plan) and not loops:
        return Verdict(False, _difference(said))
    if re.search(_CONTRAST, plan) or len(covered) < max(MIN_COVERED_WORDS, MIN_COVERED * len(content)) or unsaid:
        return Verdict(None, f"{comparison.clause.text}." if comparison.clause is not None else _difference(said))
    return Verdict(True)


def _lists_steps(text: str) -> bool:
    """Return whether a text lists steps with numbers, as a plan does, rather than supposing one case."""
    return (
        len(re.findall(r"\d", text)) > 1
        and len(re.findall(r"[,;+]", text)) > 1
        and not text.startswith(("if ", "when "))
    )


def _done(said: Spoken, word: str) -> bool:
    """Return whether the reference does what a word says, under another name."""
    called = said.knowledge.called
    operations = {type(n.op) for n in said.knowledge.nodes if isinstance(n, (ast.BinOp, ast.AugAssign))}
    table: dict[str, bool] = {
        "sort": bool(called & {"sorted", "sort"}),
        "rank": bool(called & {"sorted", "sort", "enumerate"}),
        "averag": ast.Div in operations,
        "percentag": ast.Div in operations or 100 in said.knowledge.numbers,
        "multipli": ast.Mult in operations,
        "subtract": ast.Sub in operations,
        "append": "append" in called,
        "strip": bool(called & {"strip", "replace"}),
        "split": "split" in called,
        "convert": bool(called & {"int", "float", "str", "lower", "upper"}),
        "tupl": any(isinstance(n, ast.Tuple) for n in said.knowledge.nodes),
        "lookup": bool(called & {"get"}) or any(isinstance(n, ast.Subscript) for n in said.knowledge.nodes),
        "squar": ast.Pow in operations,
        "top": False,
    }
    return table.get(word, False)


def _form_differs(plan: str, shape: Any) -> bool:
    """Return whether a plan returns another kind of value than the reference."""
    if shape is None:
        return False
    match = re.search(
        (
            r"\breturn(?:ing|s)?\s+(?:it as |them as |back )?(?:an? |the )?(?:new |single |sorted "
            r"|final )?(list|dict\w*|tuple|string|number|boolean|set)\b"
        ),
        plan,
    )
    if match is None:
        return False
    kind = {
        "list": "list",
        "tuple": "tuple",
        "string": "text",
        "number": "number",
        "boolean": "flag",
        "set": "set",
    }.get(match[1], "dictionary")
    return kind not in {shape.kind, *(part.kind for part in shape.alternatives)}


def _order_differs(said: Spoken, plan: str) -> str:
    """Return which case comes first in truth, when a plan lists cases in another order."""
    points = re.split(r"\b\d\)\s*", plan)[1:]
    if len(points) < 2:
        return ""
    conditions = [clause for clause in said.clauses if clause.claim.conditional and not clause.claim.fallback]
    places = []
    for point in points:
        words = stems([point])
        scored = [(len(words & clause.stems), -place) for place, clause in enumerate(conditions)]
        best = max(scored, default=(0, 0))
        if best[0] > 0:
            places.append(-best[1])
    if places == sorted(places) or not conditions:
        return ""
    return f"this case is checked first: {conditions[0].text}."


def core_clause(said: Spoken) -> Clause | None:
    """Return the clause that says most of how the result comes about."""
    if not said.clauses:
        return None

    def weight(clause: Clause) -> tuple[bool, float]:
        nodes = [part for node in clause.claim.nodes for part in ast.walk(node)]
        work = sum(isinstance(n, (ast.BinOp, ast.Compare, ast.AugAssign)) for n in nodes) + 0.5 * sum(
            isinstance(n, ast.Call) for n in nodes
        )
        returned = isinstance(clause.claim.node, ast.Return)
        return len(clause.text) < 280, work + len(clause.literals) + 0.7 * returned - 0.4 * clause.claim.fallback

    return max(said.clauses, key=weight)


def _difference(said: Spoken, strangers: Sequence[str] = ()) -> str:
    best = core_clause(said)
    lead = f"there is no {listing([quoted(word, '') for word in strangers], 'or')} in it; " if strangers else ""
    if best is None:
        return lead.rstrip("; ") + "." if lead else "it works differently."
    fixed = (
        "there are fixed limits for each: "
        if any(isinstance(n, ast.Compare) for n in said.knowledge.nodes) and best.claim.conditional and best.literals
        else ""
    )
    return f"{lead}{fixed}{best.text}."


def _formula(text: str, said: Spoken) -> ast.expr | None:
    """Read a formula over the parameters out of a plan; None without one."""
    match = re.search(r"=\s*([^=?\n]{5,160}?)(?:[,.;]?\s+(?:and|is|does|would|where|so)\b|[.?;]\s|[.?;]?$)", text)
    if match is None:
        return None
    source = match[1].replace("×", "*").replace("÷", "/").replace("−", "-").replace("^", "**").replace(",", "")
    source = re.sub(r"(\d+)\s*%", r"(\1/100)", source)
    names = sorted((p.name for p in said.knowledge.parameters), key=len, reverse=True)
    for name in names:
        spaced = name.replace("_", " ")
        source = re.sub(rf"(?<!\w){re.escape(spaced)}(?!\w)", name, source, flags=re.I)
        last = spaced.split()[-1]
        if (
            not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", source)
            and sum(n.split("_")[-1] == last for n in names) == 1
        ):
            source = re.sub(rf"(?<![\w]){re.escape(last)}(?![\w])", name, source, flags=re.I)
    try:
        node = parse_expression(source.strip(" ."))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    allowed = (ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.operator, ast.unaryop, ast.expr_context)
    if not all(isinstance(part, allowed) for part in ast.walk(node)) or not isinstance(node, ast.BinOp):
        return None
    used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return node if used and used <= set(names) else None


def _agrees(formula: ast.expr, seeds: Sequence[dict[str, Any]], outcomes: Sequence[Outcome]) -> bool | None:
    seen = 0
    for seed, outcome in zip(seeds, outcomes, strict=True):
        if outcome.status != "returned" or not isinstance(outcome.value, (int, float)):
            continue
        value = _evaluate(formula, seed)
        if value is None:
            continue
        seen += 1
        if abs(value - outcome.value) > 0.006 + 1e-6 * abs(outcome.value):
            return False
    return True if seen else None


def _evaluate(node: ast.expr, values: dict[str, Any]) -> float | None:
    """Evaluate sums and products of numbers; None when it cannot be done."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.Name):
        value = values.get(node.id)
        return float(value) if isinstance(value, (int, float)) else None
    if isinstance(node, ast.UnaryOp):
        inner = _evaluate(node.operand, values)
        return None if inner is None else -inner if isinstance(node.op, ast.USub) else inner
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left, values), _evaluate(node.right, values)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div) and right:
            return left / right
    return None
