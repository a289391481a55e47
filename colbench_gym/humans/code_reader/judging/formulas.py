"""Judge a formula that a message writes down: it is run beside the reference, and the first difference is told."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from colbench_gym.humans.code_reader.answers.asked import Asked
from colbench_gym.humans.code_reader.experiments import Outcome, call_text
from colbench_gym.humans.code_reader.judging.arithmetic import in_words
from colbench_gym.humans.code_reader.lexicon import PLAIN, split_words, stem, stems, word_set
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.trials.inputs import varied
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.values import say_value, sayable
from colbench_gym.humans.code_reader.verbalizer.wording import listing, the
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of, parse_expression
from colbench_gym.rules import BACKEND

MAX_SEGMENTS = 8
MAX_FORMULA_WORDS = 120  # of a message in which a formula is looked for
MAX_DROPPED = 14  # words before and after a formula that are no part of it
MAX_LEFT_OVER = 2  # words of a message that neither the formula nor the reference explains, up to which it is all
MIN_RUNS = 3  # comparable runs that decide
MAX_RUNS = 16
_WRITTEN = re.compile(r"[*/+^×÷√]|\w\(|\w\[|[<>=]|\w - \w|\.\w+\(")
_SEGMENTS = re.compile(
    r"[;?\n]|:\s|\.\s|\s[-–—]\s(?=(?:is|does|do|ok|okay|right|correct|that|this|good|fine|agreed|did|am|nothing)\b)"
    r"|,\s(?=(?:so|then|and|that|is|ok|right|no|nothing)\b)"
)
_ASSIGNED = re.compile(r"^\W*([A-Za-z_][\w ]{0,40}?)\s*(?:=|:=|is\b)(?!=)\s*(.+)$")
_HELPERS = word_set(
    "sum len min max abs round sorted set list dict tuple int float str any all zip range enumerate mean median sqrt"
    " floor ceil True False None"
)
_CALLED = {
    "mean": "avg average mean",
    "len": "count number length",
    "max": "maximum largest",
    "min": "minimum smallest",
}
_PRELUDE = "from math import ceil, floor, sqrt\nfrom statistics import mean, median\n"


@dataclass(frozen=True)
class Formula:
    """A formula of a message.

    Attributes:
        source: a Python expression over the arguments.
        subject: name of what it is said to be; empty when that is the result.
        own: stems of the words that it was read from.
    """

    source: str
    subject: str
    own: frozenset[str]


def formula(asked: Asked) -> list[Part]:
    """Say whether a formula that the message writes down is right."""
    q, known = asked.question, asked.said.knowledge
    text = q.raw
    if q.has(r"\b(?:somewhere|anywhere|at some point|along the way|at any point)\b"):
        return []  # a step is proposed, not the whole
    if known.function is None or not known.parameters or q.either or re.match(r"\W*(?:what|which|how|why)\b", q.lower):
        return []
    steps = list(_written(text, known)) if _WRITTEN.search(text) else []
    written = [step for step in steps if step is not None]
    found = written or [Formula(*one) for one in in_words(text, known)]
    told = [_judged(asked, one, bool(written)) or _for_a_step(asked, one) for one in found]
    denied = [parts for parts in told if parts and parts[0].text.startswith("No")]
    if denied:
        return denied[0]
    unsure = None in steps or any(not parts for parts in told)
    return [] if unsure or not told else told[0]


def _for_a_step(asked: Asked, one: Formula) -> list[Part]:
    """Confirm a formula that is what the reference works out on the way to its result."""
    function = asked.said.knowledge.function
    if one.subject or function is None:
        return []
    for statement in function.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        for target in targets:
            if isinstance(target, ast.Name):
                judged = _judged(asked, Formula(one.source, target.id, one.own), True)
                if judged and judged[0].text.startswith("Yes"):
                    return judged
    return []


def _judged(asked: Asked, one: Formula, written: bool) -> list[Part]:
    known = asked.said.knowledge
    inputs = varied(known)[:MAX_RUNS]
    calls = [call_text(known.name, arguments, known.positional) for arguments in inputs]
    reference = _ending_with(known, one.subject)
    program = _program(known, one.source)
    if reference is None or program is None:
        return []
    wanted, got = asked.lab.observe(reference, calls), asked.lab.answer(program, calls)
    runs = [
        (right, own, arguments)
        for right, own, arguments in zip(wanted, got, inputs, strict=True)
        if right.status == own.status == "returned" and _comparable(right.value, own.value)
    ]
    if len(runs) < MIN_RUNS or 2 * len(runs) < len([o for o in wanted if o.status == "returned"]):
        return []
    differing = [run for run in runs if not _equal(run[0].value, run[1].value)]
    left_over = _left_over(asked, one)
    if not differing:
        if len(left_over) > MAX_LEFT_OVER or len({repr(run[0].value) for run in runs}) < 2:
            return []
        return [asked.part("Yes, that's right, exactly so.", "formula")]
    if left_over and not written:
        return []
    return [asked.part(_difference(asked, one, *min(differing, key=lambda run: len(repr(run[2])))), "formula", True)]


def _difference(asked: Asked, one: Formula, right: Outcome, own: Outcome, arguments: dict[str, Any]) -> str:
    """Return the difference in words: where it shows, and what is done instead."""
    name = one.subject and the(one.subject)
    clauses = [c for c in asked.said.clauses if name and c.text.startswith(f"{name} ")]
    if not name:
        clauses = [c for c in asked.said.clauses if c.text.startswith("the result is ") and c.literals | c.own]
    rule = f" {sentence(clauses[-1].text)}" if clauses and len(clauses[-1].text) < 260 else ""
    given = listing([f"{say_value(value)} for {the(key)}" for key, value in arguments.items() if sayable(value)])
    text = (
        f"No, not quite: with {given}, {name or 'it'} should be {say_value(right.value)}, not {say_value(own.value)}."
    )
    if len(text) + len(rule) <= BACKEND.human_chars:
        return text + rule
    return f"No, not quite:{rule}" if rule else "No, not quite, it gives other values."


def _comparable(right: object, own: object) -> bool:
    numbers = (int, float)
    if isinstance(right, bool) or isinstance(own, bool):
        return isinstance(right, bool) and isinstance(own, bool)
    if isinstance(right, numbers) and isinstance(own, numbers):
        return True
    return type(right) is type(own) and right is not None


def _equal(right: object, own: object) -> bool:
    if isinstance(right, (int, float)) and isinstance(own, (int, float)) and not isinstance(right, bool):
        return abs(right - own) <= 1e-6 * max(1.0, abs(right))
    return right == own


def _left_over(asked: Asked, one: Formula) -> list[str]:
    """Return the words of a message that its formula does not explain."""
    known = asked.said.knowledge
    explained = one.own | known.topics | known.vocabulary | stems([one.subject]) | _OF_FORMULAS
    words = split_words(asked.question.whole)
    return [w for w in dict.fromkeys(words) if stem(w) not in PLAIN | explained and not w.isdigit() and len(w) > 1]


_OF_FORMULAS = stems(
    [
        "formula",
        "equation",
        "calculation",
        "compute",
        "calculate",
        "plan",
        "idea",
        "approach",
        "one",
        "liner",
        "oneliner",
        "product",
        "total",
        "score",
        "rate",
        "final",
        "divisor",
        "divide",
        "multiply",
        "add",
        "plus",
        "minus",
        "subtract",
        "job",
        "good",
        "fine",
        "fit",
        "match",
        "sound",
        "agreed",
        "understand",
        "simple",
        "simply",
        "plain",
        "nothing",
        "end",
        "propose",
        "understood",
        "deal",
    ]
) | stems(["isn't", "that's", "i'm", "i'd", "i'll", "don't"])


def _written(text: str, known: Knowledge) -> Iterator[Formula | None]:
    """Yield formulas that stand in a message as an expression; None for an assignment that cannot be read."""
    for segment in [part.strip() for part in _SEGMENTS.split(text) if _WRITTEN.search(part or "")][:MAX_SEGMENTS]:
        match = _ASSIGNED.match(segment)
        subject, source = (match[1], match[2]) if match else ("", segment)
        node = _expression(source, known)
        if node is None and match:
            subject, node = "", _expression(segment, known)
        name = _local(subject, known) if node is not None else None
        if node is None or name is None:
            if match and "=" in segment:
                yield None
            continue
        yield Formula(ast.unparse(node), name, stems([segment]))


def _local(subject: str, known: Knowledge) -> str | None:
    """Return the name of the reference that a formula is for; empty for the result, None when it is another thing."""
    wanted = stems([subject]) - PLAIN
    names = {
        node.id: stems([node.id])
        for statement in (known.function.body if known.function else ())
        if isinstance(statement, ast.Assign)
        for node in statement.targets
        if isinstance(node, ast.Name)
    }
    exact = [name for name, own in names.items() if (wanted and own == wanted) or name == subject.strip()]
    if exact or not wanted:
        return exact[0] if exact else ""
    last = [name for name, own in names.items() if wanted <= own or (own and own <= wanted)]
    if len(last) == 1:
        return last[0]
    return "" if wanted <= _RESULTS | known.topics else None


_RESULTS = stems(
    [
        "result",
        "score",
        "total",
        "answer",
        "value",
        "output",
        "final",
        "delay",
        "price",
        "cost",
        "rate",
        "avg",
        "average",
        "mean",
        "ratio",
        "percentage",
        "sum",
        "impact",
    ]
)


def _expression(source: str, known: Knowledge) -> ast.expr | None:
    """Return the longest stretch of words that is an expression over the arguments."""
    source = source.replace("×", "*").replace("÷", "/").replace("−", "-").replace("^", "**").strip(" .,!")
    source = re.sub(r"(\d+(?:\.\d+)?)\s*%(?!\s*[\w(])", r"(\1/100)", source)
    source = re.sub(r"(?<=\d) ?x ?(?=[\w(])|(?<=\w) x (?=[\w(])", "*", source)
    words = source.split(" ")
    if len(words) > MAX_FORMULA_WORDS:
        return None
    for length in range(len(words), max(0, len(words) - MAX_DROPPED - 1), -1):
        for start in range(len(words) - length + 1):
            around = " ".join([*words[:start], *words[start + length :]])
            if stems([around]) - PLAIN - _OF_FORMULAS:
                continue
            piece = " ".join(words[start : start + length]).strip(" .,")
            if not _WRITTEN.search(piece):
                continue
            node = _parsed(_spelt(piece, known))
            if node is not None and (resolved := _resolved(node, known)) is not None:
                return resolved
    return None


def _spelt(piece: str, known: Knowledge) -> str:
    """Return a piece with arguments of several words written as one name."""
    for name in sorted((p.name for p in known.parameters), key=len, reverse=True):
        if "_" in name:
            piece = re.sub(rf"(?<!\w){re.escape(name.replace('_', ' '))}(?!\w)", name, piece, flags=re.I)
    return piece


def _parsed(source: str) -> ast.expr | None:
    try:
        return parse_expression(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _resolved(node: ast.expr, known: Knowledge) -> ast.expr | None:
    """Return an expression with its names replaced by those of the reference; None when one is unknown."""
    working = (ast.BinOp, ast.Call, ast.Compare, ast.BoolOp, ast.ListComp, ast.GeneratorExp, ast.IfExp)
    if not isinstance(node, working) or any(isinstance(n, (ast.Lambda, ast.Await, ast.Yield)) for n in nodes_of(node)):
        return None
    bound = {n.id for n in nodes_of(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    given = {p.name for p in known.parameters}
    used = False
    for part in nodes_of(node):
        if isinstance(part, ast.Name) and part.id not in bound:
            if part.id in given:
                used = True
            elif part.id in _HELPERS:
                continue
            elif helper := next((h for h, names in _CALLED.items() if part.id.lower() in names.split()), ""):
                part.id = helper
            elif name := _argument(part.id, known):
                part.id, used = name, True
            else:
                return None
    return node if used else None


def _argument(word: str, known: Knowledge) -> str:
    """Return the only argument that a word names; empty when there is none."""
    own = stems([word])
    named = [p.name for p in known.parameters]
    names = [name for name in named if own and own <= stems([name])]
    first = [name for name in names if name.lower().startswith(word.lower())]
    short = [name for name in named if len(word) > 3 and any(s.startswith(word.lower()) for s in split_words(name))]
    found = next((group for group in (names, first, short) if len(group) == 1), [""])
    return found[0]


def _program(known: Knowledge, expression: str) -> str | None:
    if known.function is None:
        return None
    arguments = ast.unparse(known.function.args)
    imports = [ast.unparse(n) for n in known.tree.body if isinstance(n, (ast.Import, ast.ImportFrom))]
    return "\n".join([*imports, _PRELUDE, f"def {known.name}({arguments}):", f"    return {expression}"])


def _ending_with(known: Knowledge, name: str) -> str | None:
    """Return the reference, ended where one of its names has its value; None when that is not always so."""
    if not name or known.function is None:
        return known.source
    body: Sequence[ast.stmt] = known.function.body
    stores = [
        place
        for place, statement in enumerate(body)
        if any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes_of(statement))
    ]
    if not stores:
        return None
    ended = [*body[: stores[-1] + 1], ast.Return(ast.Name(name, ast.Load()))]
    function = ast.FunctionDef(known.name, known.function.args, ended, [], lineno=1, col_offset=0)
    if "type_params" in ast.FunctionDef._fields:  # Python 3.12 and later
        function.type_params = []  # type: ignore[attr-defined,unused-ignore]
    others = [node for node in known.tree.body if node is not known.function]
    return ast.unparse(ast.fix_missing_locations(ast.Module([*others, function], [])))
