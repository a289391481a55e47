"""Expressions of the syntax tree in words: "the price times the quantity", "the age is at least 18"."""

from __future__ import annotations

import ast
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from colbench_gym.humans.program.clues import kind_of
from colbench_gym.humans.program.verbalizer.calls import counted, say_call, say_list, table
from colbench_gym.humans.program.verbalizer.syntax import (
    ATOM,
    alternatives,
    excludes,
    is_fixed,
    mounts,
    operator_of,
    searches,
    whole_number,
)
from colbench_gym.humans.program.verbalizer.wording import be, constant, listing, name_words, owned, slice_words, the
from colbench_gym.python_code.syntax import nodes_of

PRODUCT, SUM, CLAUSE = 4, 3, 1
_DEEPEST = 24  # nesting that is put into words
FIXED = "a fixed "  # begins what stands for a table that is too long for a sentence
_LONGEST_CHAIN = 80  # of cases that are compared with each other; no task has more facts
_LONGEST_INLINE = 150  # characters of a table that stay inside the sentence
_PRODUCTS = (ast.Mult, ast.Div, ast.FloorDiv, ast.MatMult)
_POWERS = {2: "squared", 3: "cubed"}
_SAID_ALONE = (ast.Constant, ast.UnaryOp, ast.JoinedStr, ast.List, ast.Dict, ast.Tuple)  # "is 3", "is empty"
_ORDINALS = {0: "first", 1: "second", 2: "third", 3: "fourth", 4: "fifth", -1: "last", -2: "second-last"}
_FLIPPED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}


class _Saying(threading.local):
    """Nesting of the expression that the thread at hand is in: threads share one Words."""

    depth = 0


_SAYING = _Saying()


@dataclass
class Words:
    """Puts the expressions of one reference into words.

    Attributes:
        source: the reference: constants are quoted with other marks than it uses.
        types: what is known of names: ``flag``, ``number``, ``text``, ``list`` or ``dictionary``.
        result: the variable that is returned, which a person knows as the result.
        grows: it is built in several steps.
        numbers: what has one name from beginning to end, and is said in its place.
    """

    source: str
    types: Mapping[str, str] = field(default_factory=dict)
    result: str = ""
    grows: bool = False
    numbers: Mapping[str, ast.Constant] = field(default_factory=dict)

    def name(self, node: ast.Name) -> str:
        """Return how a person calls a variable."""
        if not self.result or node.id != self.result:
            return the(node.id) if node.id != "result" else "the result so far"
        return "the result so far" if self.grows and isinstance(node.ctx, ast.Load) else "the result"

    def say(self, node: ast.expr, level: int = 0) -> str:
        """The expression as a noun phrase, in parentheses where it binds looser than the level."""
        if _SAYING.depth > _DEEPEST:
            return "a longer expression"
        _SAYING.depth += 1
        try:
            text, own = self._phrase(node)
        finally:
            _SAYING.depth -= 1
        return f"({text})" if own < level else text

    def _phrase(self, node: ast.expr) -> tuple[str, int]:
        if isinstance(node, ast.Name):
            number = self.numbers.get(node.id) if isinstance(node.ctx, ast.Load) else None
            return self.say(number) if number else self.name(node), ATOM
        if isinstance(node, ast.Constant):
            return constant(node.value, self.source), ATOM
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self._signed(node)
        if isinstance(node, (ast.Compare, ast.UnaryOp)):
            return f"whether {self.condition(node)}", CLAUSE
        if isinstance(node, ast.BoolOp):
            return self._choice(node), CLAUSE
        if isinstance(node, ast.Call):
            told = say_call(self, node)
            return told, CLAUSE if told.startswith("whether ") or ", " in told else ATOM
        if isinstance(node, ast.Attribute):
            owner = self.say(node.value, ATOM)
            return (the(node.attr) if node.attr == "pi" else f"the {name_words(node.attr)} of {owner}"), ATOM
        if isinstance(node, ast.Subscript):
            return self._item(node), ATOM
        if isinstance(node, ast.IfExp):
            told = f"{self.say(node.body, CLAUSE)} if {self.condition(node.test)}, otherwise {self.say(node.orelse)}"
            return told, 0
        return self._container(node)

    def _container(self, node: ast.expr) -> tuple[str, int]:
        if isinstance(node, (ast.List, ast.Set, ast.Tuple, ast.Dict)):
            return self._literal(node), ATOM
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return say_list(self, node, CLAUSE), CLAUSE
        if isinstance(node, ast.DictComp):
            loops, key = self.each(node.generators), f" under {self.say(node.key, CLAUSE)}"
            if ast.unparse(node.key) == ast.unparse(node.generators[-1].target):
                key = ""
            return f"a dictionary with {self.say(node.value, CLAUSE)}{key} for {loops}", CLAUSE
        if isinstance(node, ast.JoinedStr):
            texts = [self.say(part, ATOM) for part in node.values]
            return f"{texts[0]} as text" if len(texts) == 1 else f"the text made of {', then '.join(texts)}", CLAUSE
        if isinstance(node, ast.FormattedValue):
            return self._filled(node), ATOM
        return "something", ATOM

    def _operation(self, node: ast.BinOp) -> tuple[str, int]:
        if isinstance(node.op, ast.Pow):
            power = _POWERS.get(whole_number(node.right) or 0, f"to the power of {self.say(node.right, ATOM)}")
            return f"{self.say(node.left, ATOM)} {power}", ATOM if power in _POWERS.values() else PRODUCT
        if isinstance(node.op, ast.Mod):
            if isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
                return f"the text {self.say(node.left)} filled with {self.say(node.right, ATOM)}", CLAUSE
            return f"the remainder of {self.say(node.left, ATOM)} divided by {self.say(node.right, ATOM)}", ATOM
        if isinstance(node.op, ast.Mult) and (self.kind(node.left) in JOINED or isinstance(node.left, ast.Tuple)):
            return f"{self.say(node.left, ATOM)} repeated {self.say(node.right, ATOM)} times", PRODUCT
        word, level = table("operators")[type(node.op).__name__], PRODUCT if isinstance(node.op, _PRODUCTS) else SUM
        if isinstance(node.op, ast.Add) and (self.kind(node.left) in JOINED or self.kind(node.right) in JOINED):
            word = "followed by"
        left = level + (level == PRODUCT and operator_of(node.left) not in (None, type(node.op)))
        right = level + (not isinstance(node.op, (ast.Add, ast.Mult)) or type(node.op) is not operator_of(node.right))
        return f"{self.say(node.left, left)} {word} {self.say(node.right, right)}", level

    def _signed(self, node: ast.UnaryOp) -> tuple[str, int]:
        sign = "-" if isinstance(node.op, ast.USub) else "+" if isinstance(node.op, ast.UAdd) else ""
        if isinstance(node.operand, ast.Constant) and sign:
            return f"{sign}{self.say(node.operand)}", ATOM
        word = {"-": "minus", "+": "plus", "": "the bits inverted of"}[sign]
        return f"{word} {self.say(node.operand, ATOM)}", SUM

    def _choice(self, node: ast.BoolOp) -> str:
        if any(map(_is_test, node.values)):
            return f"whether {self.condition(node)}"
        parts = [self.say(value, CLAUSE) for value in node.values]
        joint = ", or if that is empty or zero " if isinstance(node.op, ast.Or) else " if that is set, and then "
        return joint.join(parts)

    def _item(self, node: ast.Subscript) -> str:
        owner, index = self.say(node.value, ATOM), node.slice
        if isinstance(index, ast.Slice):
            edges = (self.say(part, ATOM) if part else "" for part in (index.lower, index.upper, index.step))
            return slice_words(owner, *edges)
        place = whole_number(index)
        if place is not None:
            word = _ORDINALS.get(place)
            at = f"{word} item" if word else f"item at index {place}"
            return f"the {at}{f' (index {place})' if word and place > 1 else ''} of {owner}"
        if isinstance(index, ast.Constant):
            return owned(owner, self.say(index))
        if self.kind(node.value) in JOINED or (self.kind(index) == "number" and self.kind(node.value) != "dictionary"):
            if isinstance(index, ast.Name) and len(index.id) == 1:
                return f"the {index.id}-th of {owner}"
            return f"the item of {owner} at position {self.say(index, ATOM)}"
        return f"the entry for {self.say(index, ATOM)} in {owner}"

    def _literal(self, node: ast.List | ast.Set | ast.Tuple | ast.Dict) -> str:
        if isinstance(node, ast.Dict):
            word, joint = "dictionary", "with"
            entries = [self._entry(key, value) for key, value in zip(node.keys, node.values, strict=False)]
        else:
            word, joint = type(node).__name__.lower(), "of"
            entries = [self.say(item, CLAUSE) for item in node.elts]
        if not entries:
            return f"an empty {word}"
        told = f"a {word} {joint} {listing(entries)}"
        return told if len(told) <= _LONGEST_INLINE or len(entries) == 1 or not is_fixed(node) else f"{FIXED}{word}"

    def _entry(self, key: ast.expr | None, value: ast.expr) -> str:
        if key is None:
            return f"all entries of {self.say(value, ATOM)}"
        if isinstance(value, ast.Dict) and value.keys:
            inner = [self._entry(k, v) for k, v in zip(value.keys, value.values, strict=False)]
            return f"{listing(inner)} under {self.say(key, ATOM)}"
        if isinstance(value, (ast.List, ast.Tuple, ast.Set)) and value.elts:
            return f"{listing([self.say(item, CLAUSE) for item in value.elts])} for {self.say(key, ATOM)}"
        joint = "for" if isinstance(value, ast.Constant) else "under"
        return f"{self.say(value, CLAUSE)} {joint} {self.say(key, ATOM)}"

    def _filled(self, node: ast.FormattedValue) -> str:
        told = self.say(node.value, ATOM)
        spec = node.format_spec
        if not isinstance(spec, ast.JoinedStr) or not all(isinstance(part, ast.Constant) for part in spec.values):
            return told
        form = "".join(str(part.value) for part in spec.values if isinstance(part, ast.Constant))
        return f"{told} in the format {constant(form, self.source)}"

    def each(self, generators: list[ast.comprehension]) -> str:
        """The loops and filters of a comprehension: "each x in the list where …"."""
        return " and ".join(self._each_one(generator) for generator in generators)

    def _each_one(self, generator: ast.comprehension) -> str:
        where = " and ".join(map(self.condition, generator.ifs))
        where = where.replace(f"{the(ast.unparse(generator.target))} is", "it is", 1)  # else code read aloud
        return self.loop(generator.target, generator.iter) + (f" where {where}" if where else "")

    def loop(self, target: ast.expr, over: ast.expr) -> str:
        """Return what a loop goes through: "each word in the words"."""
        names = [the(n.id).removeprefix("the ") for n in nodes_of(target) if isinstance(n, ast.Name) and n.id != "_"]
        if not names:
            return f"each of {self.say(over, ATOM)}"
        if isinstance(over, ast.Call) and getattr(over.func, "id", "") == "range" and len(names) == 1:
            return counted(self, names[0], over.args)
        whole = over
        if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and over.func.attr == "items":
            whole = over.func.value
        return f"each {listing(names)} in {self.say(whole, ATOM)}"

    def condition(self, node: ast.expr, negated: bool = False) -> str:
        """The expression as a clause that holds or not: "the age is at least 18"."""
        if _SAYING.depth > _DEEPEST:
            return "a longer condition holds"
        _SAYING.depth += 1
        try:
            return self._clause(node, negated)
        finally:
            _SAYING.depth -= 1

    def beyond(self, node: ast.expr, before: Sequence[ast.expr]) -> str:
        """Return a test that is looked at after others failed so that it says it all; empty where that is not short."""
        before = before if len(before) <= _LONGEST_CHAIN else ()
        if before and all(excludes(node, other) for other in before):
            return self.condition(node)
        match node, before[-1:]:
            case ast.Compare(ops=[_]), [ast.Compare(ops=[last], comparators=[bound])] if mounts([*before, node]):
                return f"{self.condition(node)} and {self._relation(last, bound, True)}"
        return ""

    def _clause(self, node: ast.expr, negated: bool) -> str:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.condition(node.operand, not negated)
        if isinstance(node, ast.BoolOp):
            return self._joined(node, negated)
        if isinstance(node, ast.Compare):
            return self._comparison(node, negated)
        if isinstance(node, ast.Call):
            return self._test_call(node, negated)
        return self._truth(node, negated)

    def _joined(self, node: ast.BoolOp, negated: bool) -> str:
        subject, items = alternatives(node)
        if subject:
            return self._compared(subject, ast.In(), ast.List(list(items)), negated)
        sought, place = searches(node)
        if place and not negated:
            last, verb = ("or", "is") if isinstance(node.op, ast.Or) else ("and", "are")
            return f"{listing([self.say(text) for text in sought], last)} {verb} in {self.say(place, CLAUSE + 1)}"
        parts: list[str] = []
        compared = ""
        for value in node.values:
            left = ast.dump(value.left) if isinstance(value, ast.Compare) and len(value.ops) == 1 else ""
            goes_on = left != "" and left == compared and isinstance(node.op, ast.And) and not negated
            if goes_on and isinstance(value, ast.Compare):
                parts.append(self._relation(value.ops[0], value.comparators[0], False))  # "more than 3 and at most 5"
                continue
            compared = left
            told = self.condition(value, negated)
            nested = isinstance(value, ast.BoolOp) and type(value.op) is not type(node.op)
            parts.append(f"({told})" if nested else told)
        return (" and " if isinstance(node.op, ast.And) is not negated else " or ").join(parts)

    def _comparison(self, node: ast.Compare, negated: bool) -> str:
        operands = [node.left, *node.comparators]
        if len(operands) == 2:
            return self._compared(operands[0], node.ops[0], operands[1], negated)
        if len(operands) == 3 and not negated and type(node.ops[0]) in _FLIPPED:
            first = self._compared(operands[1], _FLIPPED[type(node.ops[0])](), operands[0], False)
            return f"{first} and {self._relation(node.ops[1], operands[2], False)}"
        pairs = zip(operands, node.ops, operands[1:], strict=False)
        told = [self._compared(left, operator, right, False) for left, operator, right in pairs]
        return f"{'not both: ' if negated else ''}{' and '.join(told)}"

    def _compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, negated: bool) -> str:
        subject = self.say(left, CLAUSE + 1)
        return f"{subject} {be(subject)} {self._relation(operator, right, negated)}"

    def _relation(self, operator: ast.cmpop, right: ast.expr, negated: bool) -> str:
        inside = isinstance(operator, ast.In) is not negated
        if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(right, (ast.List, ast.Tuple, ast.Set)):
            items = [self.say(item, CLAUSE) for item in right.elts]
            if len(items) == 1:
                return f"{'' if inside else 'not '}{items[0]}"
            return f"{'one of' if inside else 'none of'} {listing(items, 'or')}"
        if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(right, ast.Constant):  # a person's words, no code
            return f"{'' if inside else 'not '}part of {self.say(right, CLAUSE + 1)}"
        word = table("comparisons")[type(operator).__name__].split("|")[negated]
        word = word.removesuffix("equal to").strip() if isinstance(right, _SAID_ALONE) else word
        return f"{word} {self.say(right, CLAUSE + 1)}".strip()

    def _test_call(self, node: ast.Call, negated: bool) -> str:
        if isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(node.args) == 2:
            return self._kind_test(node, negated)
        told = say_call(self, node)
        if told.startswith("whether "):
            return f"it is not so that {told[8:]}" if negated else told[8:]
        return f"{told} is {'empty or zero' if negated else 'not empty or zero'}"

    def _kind_test(self, node: ast.Call, negated: bool) -> str:
        subject, other = self.say(node.args[0], ATOM), node.args[1]
        kinds = other.elts if isinstance(other, ast.Tuple) else [other]
        names = [name_words(kind.id) if isinstance(kind, ast.Name) else self.say(kind, ATOM) for kind in kinds]
        return f"{subject} {be(subject)} {'not ' if negated else ''}of type {listing(names, 'or')}"

    def _truth(self, node: ast.expr, negated: bool) -> str:
        subject = self.say(node, CLAUSE + 1)
        words = table("truth").get(self.kind(node), "true or not empty|false or empty")
        return f"{subject} {be(subject)} {words.split('|')[negated]}"

    def kind(self, node: ast.expr) -> str:
        """Return what is known of an expression's type; empty when nothing is."""
        if isinstance(node, ast.Name):
            return self.types.get(node.id, "")
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.kind(node.left) or self.kind(node.right)
        return kind_of(node)


def _is_test(node: ast.expr) -> bool:
    """Return True for what is true or false by its form; -1 is a number with a sign."""
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negated or isinstance(node, (ast.Compare, ast.BoolOp))


JOINED = ("text", "list")
