"""Answers about the exact result."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from colbench_gym.humans.code_reader.answers.forms import RESULT, Form, Run, kinds_named
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import stored_once
from colbench_gym.humans.code_reader.shapes import Shape, shape_of_values
from colbench_gym.humans.code_reader.verbalizer import Spoken
from colbench_gym.humans.code_reader.verbalizer.expressions import CLAUSE
from colbench_gym.humans.code_reader.verbalizer.phrases import circumstances, sentence
from colbench_gym.humans.code_reader.verbalizer.syntax import is_fixed
from colbench_gym.humans.code_reader.verbalizer.values import say_shape, say_value
from colbench_gym.humans.code_reader.verbalizer.wording import listing, quoted
from colbench_gym.python_code.syntax import nodes_of

_RESULT_FORM = (
    r"\b(?:in (?:what|which) form|form of|format\w*|struct\w*|types?|look like|lists?|dict\w*"
    r"|integers?|whole numbers?|floats?|tuple|string|strings|numbers?|boolean|bool|true|false|none|set\b"
    r"|keys?|fields?|both|only|just|merely|as well|separately|single|percent\w*|fraction|share"
    r"|records?|names?|whole|bare|contain\w*|include"
    r"|what (?:exactly )?(?:should|do|does|will|is|would|gets?) (?:the function |it |i |be "
    r"|you )?(?:want |expect |like )?(?:me )?(?:to )?(?:return\w*|give|get|come|output"
    r"|the (?:result|output|outcome)|as the outcome|see|in the end)"
    r"|how (?:should|do|does|is|will) the (?:result|output|outcome)\w* (?:look|be (?:given"
    r"|returned|presented|formatted)))\b"
)
PLAIN_TEXT = "the result is just one plain string"
_LAYOUT = r"\b(?:form|format\w*|look\w*|layout|struct\w*|exact\w*|written|text|string|display\w*|shown?)\b"
MAX_BUILT_CHARS = 230  # of what a result is made of
_ADDED = r"\b(?:in addition|additionally|also|as well|plus|overall|on top)\b"
_SEVERAL = (
    r"\b(?:two|three|four|several|multiple|separate) (?:\w+ )?(?:values|numbers|results|scores|figures|outputs)\b"
)
_WHEN = r"\b(?:if|when|in case|for (?:other|another|an?|the case)|not (?:in|among)|isn't|aren't|never|unless|once)\b"


def result_shape(said: Spoken, run: Run) -> tuple[Shape | None, list[Any]]:
    """Return what the results look like on realistic arguments, and those results."""
    known = said.knowledge
    values = [o.value for o in run(list(known.seeds[:10])) if o.status == "returned"] if known.seeds else []
    if not values:
        return None, []
    constants = set(known.strings)
    return shape_of_values(values, constants), values


def result_form(said: Spoken, question: Question, run: Run, sure: bool = False) -> Form | None:
    """Describe what is returned; None when the question is not about that."""
    if not sure and not (question.has(RESULT) and (question.has(_RESULT_FORM) or question.has(_SEVERAL))):
        return None
    if question.has(_WHEN) and not question.has(r"\b(?:type|format|struct\w*|list|dict\w*|tuple|string)\b"):
        return None
    if (
        not question.has(r"\b(?:both|contain|only|just)\b")
        and question.has(r"\b(?:order|rank\w* (?:by|of)|sorted|rounded|calculated|computed|derived)\b")
        and not question.has(r"\bform|struct|type|list|dict|tuple\b")
    ):
        return None
    shape, values = result_shape(said, run)
    added = question.has(_ADDED)
    if not added and question.has(r"\b(?:percent\w*|fraction|share between|0 and 1|multiply by 100|out of 100)\b"):
        scale = result_scale(said, values)
        if scale:
            return Form(sentence(scale))
    text, reveals = result_words(said, shape)
    if not text:
        return None
    if text == PLAIN_TEXT and question.has(_LAYOUT) and (made := _made_of(said)):
        text, reveals = f"{text}{made}", True
    lead = _result_polarity(said, question, shape)
    if not lead and (question.polar or question.has(r"^\W*(?:in addition|additionally|on top)\b")) and added:
        told = said.vocabulary | said.knowledge.topics
        lead = "No, " if any(word not in told for word in question.about) else ""
    if question.has(r"\b(?:only|just|both|also|addition\w*|separate\w*|as well)\b") and "just" not in text:
        text += ", only that and nothing else"
    return Form(f"{lead}{text}." if lead else sentence(text), reveals)


def result_words(said: Spoken, shape: Shape | None) -> tuple[str, bool]:
    """Return the form of the result as a clause, and whether it names hidden constants."""
    known = said.knowledge
    source = known.source
    nodes = [claim.statement.value for claim in known.returns]
    constants = [n.value for n in nodes if isinstance(n, ast.Constant)]
    if nodes and len(constants) == len(nodes):
        options = list(dict.fromkeys(map(repr, constants)))
        if all(isinstance(v, bool) for v in constants) and len(options) == 2:
            return "the result is a boolean, True or False", False
        if len(options) <= 4 and all(len(option) < 40 for option in options):
            unique = [v for i, v in enumerate(constants) if repr(v) not in map(repr, constants[:i])]
            return f"the result is one of {listing([say_value(v, source) for v in unique], 'or')}", True
        if all(isinstance(v, str) for v in constants):
            return "the result is just one plain string (a message)", False
    seen = say_shape(shape, source) if shape else ""
    built = built_from(said)
    if shape and shape.kind == "text" and not built:
        return PLAIN_TEXT, False
    if shape and shape.kind == "flag":
        return "the result is a boolean, True or False", False
    texts = list(dict.fromkeys(text for text in constants if isinstance(text, str) and len(text) < 60))
    if shape and shape.kind == "number" and texts:
        return (
            f"the result is {seen}, or in some cases the text {listing([quoted(t, source) for t in texts[:2]], 'or')}",
            True,
        )
    if shape and shape.kind == "number" and not built:
        return f"the result is just {seen}, a bare value without any text{_percent(said)}", False
    if built:
        head = (
            f"the result is {'just ' if shape and shape.kind in ('number', 'text') else ''}{seen}"
            if seen
            else "the result"
        )
        return (f"{head}: {built}" if seen else f"{head} {built}"), False
    return (f"the result is {seen}" if seen else ""), False


def result_scale(said: Spoken, values: Sequence[Any]) -> str:
    """Return whether the result is a percentage or a fraction; empty when the code does not tell."""
    if _percent(said):
        return "the result is a percentage (multiplied by 100)"
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    divides = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div) for n in said.knowledge.nodes)
    if divides and numbers and len(numbers) == len(values) and all(0 <= v <= 1 for v in numbers):
        return "the result is a share between 0 and 1, it is not multiplied by 100"
    return ""


def _percent(said: Spoken) -> str:
    for claim in said.knowledge.returns:
        once = stored_once(said.knowledge.function) if said.knowledge.function else {}
        names = {n.id for n in nodes_of(claim.statement) if isinstance(n, ast.Name)}
        parts = [claim.statement, *(value for name, value in once.items() if name in names)]
        for node in (inner for part in parts for inner in nodes_of(part)):
            if (
                isinstance(node, ast.BinOp)
                and isinstance(node.op, ast.Mult)
                and any(isinstance(side, ast.Constant) and side.value == 100 for side in (node.left, node.right))
            ):
                return ", given as a percentage (multiplied by 100)"
    return ""


def built_from(said: Spoken) -> str:
    """Return what a returned container holds, as a clause; empty when it is no container or cannot be told."""
    known, words = said.knowledge, said.words
    if known.function is None or not known.returns:
        return ""
    once = stored_once(known.function)
    value = known.returns[-1].statement.value
    if isinstance(value, ast.Name) and value.id in once and not _is_empty(once[value.id]):
        value = once[value.id]
    told = ""
    if isinstance(value, ast.Tuple) and value.elts:
        parts = [words.say(part, CLAUSE) for part in value.elts]
        told = "first " + ", then ".join(parts)
    elif isinstance(value, ast.DictComp):
        told = f"{words.say(value.value, CLAUSE)} under each {words.say(value.key, CLAUSE).removeprefix('the ')}"
    elif isinstance(value, ast.Dict) and value.keys:
        told = words.say(value).partition(" with ")[2]
    elif isinstance(value, (ast.ListComp, ast.GeneratorExp)):
        element = words.say(value.elt, CLAUSE)
        whole = isinstance(value.elt, ast.Name)
        told = f"the whole {element.removeprefix('the ')} entries as they are" if whole else f"{element} each"
    elif isinstance(value, ast.Name):
        told = _filled(said, value.id)
    words.tables.clear()
    where = known.returns[-1].where
    kinds = {ast.dump(own) for claim in known.returns if (own := claim.statement.value) is not None and _is_rich(own)}
    if told and len(kinds) > 1:
        told = f"{circumstances(where, words)}{told}"
    return told if len(told) < MAX_BUILT_CHARS else ""


def _made_of(said: Spoken) -> str:
    """Return what a returned text is put together of, as an apposition; empty where one phrase does not tell."""
    known, words = said.knowledge, said.words
    once = stored_once(known.function) if known.function is not None else {}
    values = [claim.statement.value for claim in known.returns]
    values = [once.get(value.id, value) if isinstance(value, ast.Name) else value for value in values]
    rich = [value for value in values if value is not None and not is_fixed(value)]
    called = getattr(getattr(rich[0], "func", None), "attr", "") if rich else ""
    if len(rich) != 1 or not (isinstance(rich[0], ast.JoinedStr) or called in ("strftime", "isoformat")):
        return ""
    text = f", {words.say(rich[0])}{'' if len(values) == 1 else ', or in some cases a fixed text'}"
    words.tables.clear()
    return text if len(text) < MAX_BUILT_CHARS else ""


def _is_rich(node: ast.expr) -> bool:
    """Return whether a returned value is more than a constant or an empty container."""
    return not isinstance(node, ast.Constant) and not _is_empty(node)


def _filled(said: Spoken, name: str) -> str:
    """Return how a container that grows step by step is filled; only what all its entries have in common."""
    words = said.words
    stores: list[tuple[ast.expr, ast.expr]] = []
    grown: list[ast.expr] = []
    for node in said.knowledge.nodes:
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Subscript) and getattr(target.value, "id", "") == name:
                    stores.append((target.slice, node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            grows = node.func.attr in ("append", "add") and getattr(node.func.value, "id", "") == name
            grown += node.args[:1] if grows else []
    if stores and not grown:
        keys = {words.say(key, CLAUSE).removeprefix("the ") for key, _ in stores}
        if len(keys) > 1:
            return ""
        if len(stores) == 1:
            return f"{words.say(stores[0][1], CLAUSE)} under each {keys.pop()}"
        return f"one value under each {keys.pop()}"
    return f"it holds {words.say(grown[0], CLAUSE)}" if len(grown) == 1 and not stores else ""


def _is_empty(node: ast.expr) -> bool:
    return (isinstance(node, (ast.List, ast.Set)) and not node.elts) or (isinstance(node, ast.Dict) and not node.keys)


def _result_polarity(said: Spoken, question: Question, shape: Shape | None) -> str:
    if not question.polar or shape is None or not shape.kind:
        return ""
    if question.has(r"\balways\b") and shape.kind == "mixed":
        return "No, "
    whole = question.has(r"\b(?:integers?|whole numbers?|ints?)\b") and not question.either
    if whole and shape.kind == "number" and not _has_division(said):
        return "Yes, " if shape.whole else "No, "
    if question.has(_SEVERAL) and shape.kind in ("number", "text", "flag"):
        return "No, "
    asked = kinds_named(question)
    if not asked:
        return ""
    kinds = {shape.kind, *(part.kind for part in shape.alternatives)}
    if not set(asked) & kinds:
        inner = shape.item.kind if shape.item else ""
        return "" if inner in asked else "No, "
    proposed = re.search(
        r"\b(?:an?|one|single|plain|as|just|only) (?:\w+ ){0,2}(?:list|array|dict|tuple|pair|string|text|str\b|label"
        r"|number|integer|int\b|float|boolean|bool\b|count|set\b|percentage)",
        question.lower,
    )
    if proposed is None and not question.has(r"true|false"):
        return ""
    if asked[0] == shape.kind and re.search(r"\b(?:and|with|plus|also|both|addition)\b", question.lower) is None:
        return "Yes, "
    return ""


def _has_division(said: Spoken) -> bool:
    """Return whether a reference divides, so that its results may have decimals on other input."""
    return any(isinstance(n, (ast.BinOp, ast.AugAssign)) and isinstance(n.op, ast.Div) for n in said.knowledge.nodes)
