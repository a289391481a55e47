"""Calls of functions and methods in words; what each of them does stands in ``words.toml``."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from colbench_gym.humans.program.verbalizer.syntax import ATOM, keyword_in, number_in
from colbench_gym.humans.program.verbalizer.wording import is_plural, listing, name_words, owned, the
from colbench_gym.humans.vocabulary import read_toml

_OVER = {"sum": "the sum of", "max": "the largest of", "min": "the smallest of", "len": "the number of"}


class Speaker(Protocol):
    """Protocol of what puts expressions into words (see ``expressions.py``).

    Attributes:
        source: the reference.
    """

    source: str

    def say(self, node: ast.expr, level: int = 0) -> str:
        """The expression as a noun phrase, in parentheses where it binds looser than the level."""

    def condition(self, node: ast.expr, negated: bool = False) -> str:
        """The expression as a clause that holds or not."""

    def each(self, generators: list[ast.comprehension]) -> str:
        """The loops and filters of a comprehension."""


@lru_cache(maxsize=16)
def table(section: str) -> dict[str, str]:
    """Return a section of ``words.toml``."""
    words: dict[str, str] = read_toml(Path(__file__).with_name("words.toml"))[section]
    return words


def filled(speaker: Speaker, template: str, parts: list[ast.expr]) -> str:
    """Return a template with expressions in the places of {0}, {1} and so on."""
    return re.sub(r"\{(\d)\}", lambda match: speaker.say(parts[int(match[1])], ATOM), template)


def say_call(speaker: Speaker, node: ast.Call) -> str:
    """A call as a noun phrase."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    own = f"def {name}(" in speaker.source  # the reference's own, whatever it is called
    starred = any(isinstance(argument, ast.Starred) for argument in node.args)
    return (None if own or starred else _known(speaker, node, name)) or _unknown(speaker, node, name)


def _known(speaker: Speaker, node: ast.Call, name: str) -> str | None:
    arguments, key = node.args, f"{name} {len(node.args)}"
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if name in ("max", "min", "sorted") and owner is None and arguments and node.keywords:
        return _by_key(speaker, name, node)
    if name == "timedelta" and not arguments and all(keyword.arg for keyword in node.keywords):
        units = (str(k.arg).removesuffix("s" if number_in(k.value) == 1 else "") for k in node.keywords)
        return " and ".join(f"{speaker.say(k.value, ATOM)} {u}" for k, u in zip(node.keywords, units, strict=True))
    if node.keywords:
        return None
    if isinstance(owner, ast.Name) and owner.id == "re":
        return filled(speaker, template, arguments) if (template := table("regex").get(key)) else None
    if owner is not None:
        if key == "get 1" and isinstance(arguments[0], ast.Constant):
            return owned(speaker.say(owner, ATOM), speaker.say(arguments[0]))
        template = table("methods").get(key)
        if template is not None:
            return filled(speaker, template, [owner, *arguments])
        if not isinstance(owner, ast.Name):  # of a module: math.sqrt, np.mean
            return None
    if len(arguments) == 1 and isinstance(arguments[0], (ast.GeneratorExp, ast.ListComp)):
        over = _over_comprehension(speaker, name, arguments[0])
        if over is not None:
            return over
    if name == "round" and len(arguments) == 2:
        digits = f"{speaker.say(arguments[1], ATOM)} decimal{'' if number_in(arguments[1]) == 1 else 's'}"
        return f"{speaker.say(arguments[0], ATOM)} rounded to {digits}"
    if name == "range":
        return _range(speaker, arguments)
    if name == "isinstance" and len(arguments) == 2:
        return f"whether {speaker.condition(node)}"
    if name in ("zip", "max", "min") and (len(arguments) > 1 or (name == "zip" and arguments)):
        told = listing([speaker.say(argument, ATOM) for argument in arguments])
        return f"{told} side by side" if name == "zip" else f"the {_SIZES[name][0]} of {told}"
    if key == "len 1" and (told := speaker.say(arguments[0], ATOM)).startswith("the ") and is_plural(told):
        return f"the number of {told.removeprefix('the ')}"
    template = table("functions").get(key)
    return None if template is None else filled(speaker, template, arguments)


_QUANTITIES = {"any": ("at least one", "at least one"), "all": ("every", "every one")}
_SIZES = {"max": ("larger", "largest"), "min": ("smaller", "smallest")}


def say_list(speaker: Speaker, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, level: int) -> str:
    """Return a comprehension as a noun phrase; one that chooses between two elements names the loop first."""
    kind = "the distinct values of" if isinstance(node, ast.SetComp) else "a list of"
    loops = speaker.each(node.generators)
    if ast.unparse(node.elt) == ast.unparse(node.generators[-1].target):
        return f"{kind} {loops}"
    if isinstance(node.elt, ast.IfExp):  # in the other order it would be code read aloud
        return f"{kind} one element for {loops}, namely {speaker.say(node.elt)}"
    return f"{kind} {speaker.say(node.elt, level)} for {loops}"


def _over_comprehension(speaker: Speaker, name: str, over: ast.GeneratorExp | ast.ListComp) -> str | None:
    loops = speaker.each(over.generators)
    if name in _QUANTITIES:
        told, (quantity, each) = speaker.condition(over.elt), _QUANTITIES[name]
        match over:
            case ast.GeneratorExp(ast.Compare(ast.Name(x)), [ast.comprehension(ast.Name(y), many, [])]) if x == y:
                if told.startswith(f"{the(x)} is ") and told.count(the(x)) == 1:
                    return f"whether {each} of {speaker.say(many, ATOM)}{told.removeprefix(the(x))}"
        return f"whether {told} for {quantity}{loops.removeprefix('each')}"
    if name == "sum" and number_in(over.elt) == 1:
        return f"the number of {loops.removeprefix('each ')}"
    if name == "set":
        return f"the distinct values of {speaker.say(over.elt, ATOM)} for {loops}"
    if name == "sorted":
        return f"a list of {speaker.say(over.elt, ATOM)} for {loops}, in ascending order"
    return f"{_OVER[name]} {speaker.say(over.elt, ATOM)} for {loops}" if name in _OVER else None


def sort_order(speaker: Speaker, keywords: list[ast.keyword]) -> str:
    """Return how a sort orders: by what, and which way."""
    key, reverse = keyword_in(keywords, "key"), keyword_in(keywords, "reverse")
    by = f" by {applied(speaker, key)}" if key is not None else ""
    if reverse is None or (isinstance(reverse, ast.Constant) and not reverse.value):
        return f"{by}, from lowest to highest"
    if isinstance(reverse, ast.Constant):
        return f"{by}, from highest to lowest"
    return f"{by}, from highest to lowest if {speaker.condition(reverse)}"


def _by_key(speaker: Speaker, name: str, node: ast.Call) -> str:
    subject = listing([speaker.say(argument, ATOM) for argument in node.args])
    if name == "sorted":
        return f"{subject} sorted{sort_order(speaker, node.keywords)}"
    key, default = keyword_in(node.keywords, "key"), keyword_in(node.keywords, "default")
    size = _SIZES[name][1]
    how = "" if key is None else applied(speaker, key).removeprefix("the ").removesuffix(f" in {subject}")
    told = f"the one of {subject} with the {size} {how}" if how else f"the {size} of {subject}"
    return told if default is None else f"{told} (or {speaker.say(default)} when there are none)"


def applied(speaker: Speaker, function: ast.expr) -> str:
    """Return what a function given as a value makes of an item."""
    if isinstance(function, ast.Lambda):
        parts = function.body.elts if isinstance(function.body, ast.Tuple) else [function.body]
        told = ", then by ".join(speaker.say(part, 1) for part in parts)
        if len(function.args.args) == 1:
            item = re.escape(the(function.args.args[0].arg))
            told = re.sub(rf"\b{item}'s ", "their ", re.sub(rf" (?:in|of) {item}$", "", told))
        return told
    if isinstance(function, ast.Name):
        template = table("functions").get(f"{function.id} 1", f"what {name_words(function.id)} gives")
    elif isinstance(function, ast.Attribute) and function.attr == "get":
        return f"the value in {speaker.say(function.value, ATOM)}"
    elif isinstance(function, ast.Attribute):
        template = table("methods").get(f"{function.attr} 0", f"its {name_words(function.attr)}")
    else:
        return speaker.say(function, ATOM)
    return template.replace("{0}", "it")


def counted(speaker: Speaker, name: str, arguments: list[ast.expr]) -> str:
    """Return what a loop over a range goes through: "each position i of the prices"."""
    told = _range(speaker, arguments) or "the whole numbers in a range"
    if told.startswith("the positions of "):
        return f"each position {name} {told.removeprefix('the positions ')}"
    return f"each {name} {told.removeprefix('the whole numbers ')}"


def _range(speaker: Speaker, arguments: list[ast.expr]) -> str | None:
    if len(arguments) == 1:
        size = arguments[0]
        if isinstance(size, ast.Call) and getattr(size.func, "id", "") == "len" and size.args:
            return f"the positions of {speaker.say(size.args[0], ATOM)}"
        return f"the whole numbers from zero to just below {speaker.say(size, ATOM)}"
    if len(arguments) not in (2, 3):
        return None
    start, last = speaker.say(arguments[0], ATOM), arguments[1]
    end = f"to just below {speaker.say(last, ATOM)}"
    if isinstance(last, ast.BinOp) and number_in(last.right) == 1 and isinstance(last.op, ast.Add):
        end = f"up to and including {speaker.say(last.left, ATOM)}"
    step = f" in steps of {speaker.say(arguments[2], ATOM)}" if len(arguments) == 3 else ""
    return f"the whole numbers from {start} {end}{step}"


def _unknown(speaker: Speaker, node: ast.Call, name: str) -> str:
    given = [speaker.say(argument, ATOM) for argument in node.args]
    given += [f"{speaker.say(k.value, ATOM)} as {name_words(k.arg)}" if k.arg else "more" for k in node.keywords]
    for_what = f" for {listing(given)}" if given else ""
    if isinstance(node.func, ast.Attribute):
        owner = the(node.func.value.id) if isinstance(node.func.value, ast.Name) else speaker.say(node.func.value, ATOM)
        return f"what {name_words(name)} of {owner} gives{for_what}"
    return f"what {name_words(name) if name else speaker.say(node.func, ATOM)} gives{for_what}"
