"""Answers about the form of the arguments and of the result."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.experiments import Outcome
from colbench_gym.humans.code_reader.lexicon import stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import stored_once
from colbench_gym.humans.code_reader.shapes import Shape
from colbench_gym.humans.code_reader.situations import mentioned
from colbench_gym.humans.code_reader.verbalizer import Spoken
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.values import say_shape
from colbench_gym.humans.code_reader.verbalizer.wording import be, listing, quoted, the
from colbench_gym.python_code.syntax import nodes_of

Run = Callable[[Sequence[dict[str, Any]]], list[Outcome]]
_FORM = (
    r"\bwhat(?:'s| is| are)? (?:inside|within|contained in) "
    r"|\b(?:(?:what|which|data|input|kind of|the) types?\b|type of (?:value|data|input|object)"
    r"|format(?:ted|s)?\b|struct\w*|layout|mapping\b|organi[sz]\w*|represent\w*|look(?:s|ing)? like|(?:is"
    r"|are) contained|what (?:does|do) .{1,40} contain|"
    r"consists? of|kinds? of (?:value|data|input|object|thing)|shape\w*|given as"
    r"|passed (?:in )?as|arrive|how (?:do|will|would) i receive|provided as|data ?types?|scale\b"
    r"|keys?\b(?! (?:word|point))|keyed\b|field names?|fields?\b|attributes?\b|"
    r"describ\w+|expected values|valid values|possible values|how (?:is|are|will"
    r"|would) (?:the )?(?:\w+ ){0,5}(?:given|passed|represented|supplied|stored|organi[sz]ed"
    r"|structured|provided)|iso\b|in percent\b|datetime|yes/no|categor(?:y|ies)\b|"
    r"(?:an?|as|plain|simple|single|flat|of|or|all|both|be) (?:plain |simple |single |flat "
    r"|python |whole |real )*(?:lists?|dict\w*|tuples?|strings?|integers?|ints?|floats?|numbers?"
    r"|booleans?|bools?|flags?|sets?|arrays?|objects?|dates?|counts?|fractions?|percentages?"
    r"|shares?)\b|"
    r"(?:lists?|dict\w*|tuples?|strings?|integers?|ints?|floats?|numbers?|numeric|booleans?"
    r"|bools?|fractions?|percentages?|names?)(?: \w+){0,3},? or\b|non-strings?)"
)
RESULT = (
    r"\b(?:return(?:s|ed|ing)?|outputs?|results?|outcome|give(?:s)? (?:me |you |back)|get back"
    r"|give back|given back|hand(?:ed)? back|come(?:s)? (?:back|out)|end up with|in the end"
    r"|final (?:value|answer|figure)|(?:shape|form|format|structure|layout) of the answer"
    r"|produce|deliver|should the function (?:give|tell)|"
    r"do you (?:expect|want|need) (?:just|only|back|the whole)|the (?:final )?(?:figure|rate"
    r"|ranking|score)\b.{0,20}\b(?:be|a) (?:a )?(?:percent|fraction|share)|would you (?:like"
    r"|prefer)|shall i return|do i return|want (?:back|returned)|want an? \w+ (?:or an? \w+ )?back)\b"
)
_BARE = (
    r"^\W*(?:and |so )?(?:what(?:'s| is| are) (?:the )?`?[\w ]{1,40}`?(?: exactly)?"
    r"|what (?:does|do) (?:the )?`?[\w ]{1,40}`? (?:mean|stand for|contain|represent))\W*$"
)
_KIND_WORDS: tuple[tuple[str, str], ...] = (
    ("list", r"\b(?:lists?|arrays?|sequence)\b"),
    ("dictionary", r"\b(?:dict(?:ionar(?:y|ies)|s)?|mapping|json object|records?)\b"),
    ("tuple", r"\b(?:tuples?|pairs?)\b"),
    ("text", r"\b(?:strings?|texts?|str|formatted|labels?)\b"),
    (
        "number",
        r"\b(?:numbers?|numeric|integers?|ints?|floats?|percentages?|counts?|probabilit(?:y|ies)|fractions?|figures?)\b",
    ),
    ("flag", r"\b(?:boolean|bool|true(?:/| or | and )false|yes/no|flag|either true or false)\b"),
    ("set", r"\bsets?\b"),
    ("none", r"\bnone\b"),
)


@dataclass(frozen=True)
class Form:
    """An answer about a form."""

    text: str
    reveals: bool = False


def kinds_named(question: Question) -> list[str]:
    """Return the kinds of value that a question names."""
    return [kind for kind, pattern in _KIND_WORDS if question.has(pattern)]


def argument_form(said: Spoken, question: Question, sure: bool = False) -> Form | None:
    """Describe the arguments that a question is about; None when it is not about their form."""
    known = said.knowledge
    if not known.parameters:
        return None
    if question.has(r"\bonly\W*$|^\W*(?:only|just|simply) (?:the|a|an)\b") and not question.has(r"\bis\b|\bare\b"):
        return None  # "A list of titles only?" is about what is returned
    if question.has(r"\b(?:is|are|will|does) the (?:\w+ )?(?:result|output|outcome|return value)\b"):
        return None
    named = list(mentioned(question, known))
    bare = bool(named) and question.has(_BARE)
    if named and named[0].default is not None and question.has(r"\bdefaults?\b"):
        used = said.words.say(named[0].default)
        return Form(sentence(f"when it is not given, {the(named[0].name)} {be(the(named[0].name))} {used}"), True)
    if not bare and not (sure and named) and not question.has(_FORM):
        return None
    everything = question.has(
        r"\b(?:inputs?|arguments?|parameters?|all (?:three|four|two|of them)|both (?:inputs|arguments"
        r"|rates|lists)|each of the)\b"
    )
    if (
        question.has(RESULT)
        and not question.has(r"\b(?:input|argument|parameter)s?\b")
        and not (named and not question.has(r"\breturn|\boutput|\bresult"))
    ):
        return None
    if question.has(
        r"\bhow (?:should|is|are|do) .{0,50}\b(?:calculated|computed|combined|determined|compared|derived)\b"
    ):
        return None
    if not named:
        named = _by_items(said, question)
    if not named and everything and not question.has(r"\bvalidat|\bmissing|\bempty"):
        named = [p for p in known.parameters if not p.extra]
    if (
        not named
        and len(known.parameters) == 1
        and question.has(r"\beach\b|\bentry|\belement|\bitem|\brecord|\bthe (?:data|list|string|text|dictionary)\b")
    ):
        named = list(known.parameters)
    if not named:
        return None
    if everything and len(named) < len(known.parameters) and not question.has(r"_|\bof the (?:input|argument)"):
        named = [p for p in known.parameters if not p.extra]
    fields = entries_named(said, question, named)
    if fields:
        return Form(" ".join(fields))
    top = named[:4] if everything or len(named) < 3 else named[:2]
    sentences = described(said, top, question.has(r"\b(?:scale|range|between|1-10|0-10)\b"))
    if not sentences:
        return None
    lead = _polarity(question, [p.shape for p in top])
    if lead:
        sentences[0] = f"{lead}{sentences[0][0].lower()}{sentences[0][1:]}"
    return Form(" ".join(sentences), any(p.shape.fields for p in top))


def entries_named(said: Spoken, question: Question, parameters: Sequence[c.Parameter]) -> list[str]:
    """Describe single entries of the records in an argument, when a question names those."""
    if question.has(r"\b(?:keys?|fields?|attributes?|entr(?:y|ies)|struct\w*|look like|contain\w*|names?)\b"):
        return []
    told = []
    for parameter in parameters[:2]:
        if stems([parameter.name]) & question.about:
            continue
        for name, shape in (parameter.shape.item or parameter.shape).fields:
            text = say_shape(shape, said.knowledge.source)
            if text and stems([name]) & question.about:
                told.append(sentence(f"the {quoted(name, said.knowledge.source)} entry is {text}"))
    return told[:2]


def _by_items(said: Spoken, question: Question) -> list[c.Parameter]:
    """Return the parameter whose items, or whose keys, a question names."""
    found = []
    for parameter in said.knowledge.parameters:
        clue = said.knowledge.clues.get(parameter.name)
        names = [n for n in (clue.element, clue.value) if n] if clue else []
        fields = [name for name, _ in (parameter.shape.item or parameter.shape).fields]
        if (names and stems(names) & question.stems) or (fields and len(stems(fields) & question.about) >= 1):
            found.append(parameter)
    return found


def described(said: Spoken, parameters: Sequence[c.Parameter], scale: bool = False) -> list[str]:
    """Return what some parameters look like, a sentence each or one for those that are alike."""
    groups: dict[str, list[c.Parameter]] = {}
    for parameter in parameters:
        groups.setdefault(argument_words(said, parameter, scale), []).append(parameter)
    sentences = []
    for text, members in groups.items():
        names = [the(p.name) for p in members]
        if len(members) == 1:
            verb = be(names[0])
            told = (
                f"{names[0]} {verb} {'given as ' if verb == 'are' else ''}{text}"
                if text
                else f"{names[0]} can be anything, it is used as it is"
            )
        else:
            told = f"{listing(names)} are {_each(text)}"
        sentences.append(sentence(told))
    return sentences


def _each(text: str) -> str:
    return f"each {text}" if text else "used as they are, whatever they hold"


def argument_words(said: Spoken, parameter: c.Parameter, scale: bool = False) -> str:
    """Return what the values of a parameter look like; empty when nothing is known."""
    known, shape = said.knowledge, parameter.shape
    source = known.source
    if parameter.extra:
        return "any number of further values" if parameter.extra == "*" else "any further named values"
    text = say_shape(shape, source)
    if shape.kind == "text":
        compared = compared_texts(said, parameter.name)
        if compared:
            text += f" such as {listing([quoted(value, source) for value in compared[:2]], 'or')}"
        elif shape.example and 0 < len(shape.example) <= 30 and "ISO" not in text:
            text += f" such as {quoted(shape.example, source)}"
    if shape.kind == "number":
        text += _scale(said, parameter, scale)
    if parameter.default is not None and text:
        default = said.words.say(parameter.default)
        text += f"; when it is not given, {default} is used"
    return text


def _scale(said: Spoken, parameter: c.Parameter, scale: bool) -> str:
    shape = parameter.shape
    if not shape.low and not shape.high:
        return ""
    if 0 <= shape.low <= shape.high <= 1 and not shape.whole:
        return " between 0 and 1 (a fraction, not a percentage)"
    if _divided_by_100(said, parameter.name):
        return " given as a percentage (10 means 10 %)"
    if scale and shape.low >= 0 and 3 < shape.high <= 10 and shape.whole:
        return ", roughly on a scale up to 10"
    return ""


def scale_of(said: Spoken, parameter: c.Parameter) -> str:
    """Return whether a percentage is given as 10 or as 0.1; empty when the reference does not tell."""
    shape = parameter.shape
    if _divided_by_100(said, parameter.name):
        return "as a percentage (10 means 10 %)"
    if shape.kind == "number" and (shape.low or shape.high) and -1 <= shape.low <= shape.high <= 1 and not shape.whole:
        return "as a fraction (0.1 means 10 %), not as a percentage"
    return ""


def _divided_by_100(said: Spoken, name: str) -> bool:
    for node in said.knowledge.nodes:
        if (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, ast.Div)
            and isinstance(node.right, ast.Constant)
            and node.right.value == 100
        ) and any(isinstance(n, ast.Name) and n.id == name for n in nodes_of(node.left)):
            return True
    return False


def compared_texts(said: Spoken, name: str) -> list[str]:
    """Return the texts that a name is compared with."""
    found: dict[str, None] = {}
    for node in said.knowledge.nodes:
        if isinstance(node, ast.Compare) and any(isinstance(n, ast.Name) and n.id == name for n in nodes_of(node.left)):
            for side in node.comparators:
                for part in side.elts if isinstance(side, (ast.List, ast.Tuple, ast.Set)) else [side]:
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
                        found[part.value] = None
    return list(found)


def looked_up(said: Spoken, name: str) -> list[str]:
    """Return the texts that a name is compared with, or that a table which it is looked up in has as keys."""
    found = dict.fromkeys(compared_texts(said, name))
    once = stored_once(said.knowledge.tree)
    for node in said.knowledge.nodes:
        table: ast.expr | None = None
        if isinstance(node, ast.Subscript) and getattr(node.slice, "id", "") == name:
            table = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            table = node.func.value if node.args and getattr(node.args[0], "id", "") == name else None
        literal = once.get(getattr(table, "id", "")) if table is not None else None
        if isinstance(literal, ast.Dict):
            found |= {k.value: None for k in literal.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}
    return list(found)


def _polarity(question: Question, shapes: Sequence[Shape]) -> str:
    if not question.polar:
        return ""
    asked = kinds_named(question)
    kinds = {shape.kind for shape in shapes}
    if len(kinds) != 1 or not asked or "mixed" in kinds or not kinds - {""}:
        return ""
    kind = kinds.pop()
    inner = shapes[0].item.kind if shapes[0].item else ""
    if asked[0] == kind or (kind in asked and set(asked) <= {kind, inner, "text"}):
        return "Yes, " if set(asked) <= {kind, inner} else ""
    if kind not in asked and inner not in asked:
        return "No, "
    return ""
