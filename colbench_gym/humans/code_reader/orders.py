"""By what and which way things are sorted; and how a property of a reference is stated."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge, stored_once
from colbench_gym.humans.code_reader.verbalizer import Spoken
from colbench_gym.humans.code_reader.verbalizer.syntax import ATOM, keyword_in
from colbench_gym.humans.code_reader.verbalizer.wording import name_words, the
from colbench_gym.python_code.syntax import nodes_of

Polarity = Literal["yes", "no", ""]


@dataclass(frozen=True)
class Finding:
    """Verdict on a property.

    Attributes:
        present: whether the reference has the property.
        text: one sentence that says so.
        flipped: the question asks for the opposite ("is the original order kept?").
        reveals: the sentence holds a hidden constant.
    """

    present: bool
    text: str
    flipped: bool = False
    reveals: bool = False

    @property
    def polarity(self) -> Polarity:
        """Return what yes or no answers a question about it."""
        return "yes" if self.present is not self.flipped else "no"


def called(node: ast.AST) -> str:
    """Return the name of what a call calls; empty for other nodes."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def calls_of(known: Knowledge, *names: str) -> list[ast.Call]:
    """Return the calls of functions or methods with some names."""
    return [node for node in known.nodes if isinstance(node, ast.Call) and called(node) in names]


def order(said: Spoken, question: Question) -> Finding | None:
    """Decide by what and which way things are sorted."""
    known = said.knowledge
    kept = question.has(r"\b(?:original|same|follow\w*|kept?|keep|stays?|preserv\w+|maintain\w*|retain\w*)\b")
    if question.polar and question.has(r"\border\b.{0,30}\bmatter") and not _first_loop(known):
        return None
    for node in calls_of(known, "sorted", "sort"):
        by = sort_key(said, node)
        return Finding(True, f"{by}.", flipped=(kept or _other_way(question, by)) and question.polar)
    for node in calls_of(known, "most_common", "nlargest", "nsmallest"):
        way = (
            "the smallest first"
            if called(node) == "nsmallest"
            else "the most frequent first"
            if called(node) == "most_common"
            else "the largest first"
        )
        return Finding(True, f"They come with {way}.", flipped=kept and question.polar)
    if _turns_round(known):
        if question.has(rf"\bsort(?:s|ed)?\b|{_DOWN}|{_UP}"):
            return Finding(False, "nothing is sorted, the original order is reversed.")
        return Finding(True, "The order is reversed.", flipped=kept and question.polar)
    if question.has(
        r"\b(?:checked|check|priority|precedence|takes priority|which (?:rule|condition|case) (?:wins|first))\b"
    ):
        return None
    gone_through = _first_loop(known)
    of = f"that of {the(gone_through)}, " if gone_through else ""
    return Finding(
        False,
        f"everything stays in the original order, {of}the way it comes in the input; there is no sorting.",
        flipped=kept and question.polar,
    )


def _turns_round(known: Knowledge) -> bool:
    """Return whether something is put in reverse order, and not merely looked through or compared that way."""
    passing: set[int] = set()
    for node in known.nodes:
        if isinstance(node, ast.Compare):
            passing |= {id(node.left), *map(id, node.comparators)}
        elif called(node) in ("index", "find") and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            passing.add(id(node.func.value))
    turned = [
        node
        for node in known.nodes
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Slice)
        and isinstance(node.slice.step, ast.UnaryOp)
    ]
    return bool(calls_of(known, "reversed", "reverse")) or any(id(node) not in passing for node in turned)


def _other_way(question: Question, by: str) -> bool:
    """Return whether a question proposes the direction that is not the one of a sort."""
    down, up = question.has(_DOWN), question.has(_UP)
    ways = {way for way in ("descending", "ascending") if re.search(rf"\b{way}\b", by)}
    return down is not up and ways == {"ascending" if down else "descending"}


_DOWN = r"\b(?:descending|decreasing|(?:highest|largest|greatest|biggest|latest|most \w+)(?: \w+)? (?:comes? )?first)\b"
_UP = r"\b(?:ascending|increasing|alphabetical\w*|(?:lowest|smallest|least|earliest)(?: \w+)? (?:comes? )?first)\b"


def _first_loop(known: Knowledge) -> str:
    """Return the name of what the code goes through first; empty without a loop over something named."""
    for node in known.nodes:
        if isinstance(node, (ast.For, ast.comprehension)):
            return node.iter.id if isinstance(node.iter, ast.Name) else ""
    return ""


def sort_key(said: Spoken, node: ast.Call) -> str:
    """Return by what a sort orders, as a clause."""
    words = said.words
    key, reverse = keyword_in(node.keywords, "key"), keyword_in(node.keywords, "reverse")
    down = isinstance(reverse, ast.Constant) and bool(reverse.value)
    parts: list[tuple[str, bool]] = []
    if isinstance(key, ast.Lambda):
        body, made_of = key.body, _parts_of(said, node)
        for part in body.elts if isinstance(body, ast.Tuple) else [body]:
            negative = isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub)
            inner = part.operand if isinstance(part, ast.UnaryOp) and negative else part
            parts.append((_key_part(said, inner, made_of), negative is not down))
    elif key is not None:
        parts.append((words.say(key, ATOM), down))
    ways = {way for _, way in parts} or {down}
    direction = {False: "ascending (lowest or alphabetically first comes first)", True: "descending (highest first)"}
    if not parts:
        return f"It is sorted in {direction[down].replace(' (', ' order (')}"
    if len(ways) == 1:
        how = "both " if len(parts) == 2 else "all " if len(parts) > 2 else ""
        chain = parts[0][0] + "".join(f", then by {text}" for text, _ in parts[1:])
        return f"It is sorted by {chain}, {how}{direction[ways.pop()]}"
    chain = ", then by ".join(f"{text} {'descending' if way else 'ascending'}" for text, way in parts)
    return f"It is sorted by {chain}"


def _parts_of(said: Spoken, node: ast.Call) -> list[ast.expr]:
    """Return what the items that a sort orders are made of, where all of them are added as one tuple; else nothing."""
    items = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0] if node.args else None
    if isinstance(items, ast.Name):
        items = _only_added(said.knowledge, items.id, node)
    elif isinstance(items, (ast.ListComp, ast.GeneratorExp)):
        items = items.elt
    return items.elts if isinstance(items, ast.Tuple) else []


def _only_added(known: Knowledge, name: str, sort: ast.Call) -> ast.expr | None:
    """Return what is appended to a list that begins empty, where that is all that is done to it before it is sorted."""
    stores = [n for n in known.nodes if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)]
    begins = stored_once(known.tree).get(name)
    calls = [n for n in known.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n is not sort]
    done = [n for n in calls if isinstance(n.func, ast.Attribute) and getattr(n.func.value, "id", "") == name]
    empty = isinstance(begins, ast.List) and not begins.elts
    if len(stores) != 1 or not empty or len(done) != 1 or called(done[0]) != "append" or len(done[0].args) != 1:
        return None
    return done[0].args[0]


def _key_part(said: Spoken, node: ast.expr, made_of: Sequence[ast.expr] = ()) -> str:
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        place = node.slice.value
        if isinstance(place, str):
            return f"the {name_words(place)}"
        if not isinstance(place, int):
            return said.words.say(node, ATOM)
        if 0 <= place < len(made_of):
            return said.words.say(made_of[place], ATOM)
        return {0: "the first part (the key or name)", 1: "the second part (the value)"}.get(place, f"item {place}")
    return said.words.say(node, ATOM)


def position(said: Spoken, question: Question) -> Finding | None:
    """Decide whether two lists belong together by position."""
    indexed = any(
        isinstance(node, ast.Call) and called(node) == "range" and any(called(part) == "len" for part in nodes_of(node))
        for node in said.knowledge.nodes
    )
    if calls_of(said.knowledge, "zip") or indexed:
        return Finding(True, "they correspond by position: the first belongs to the first, and so on.")
    if question.polar:
        return Finding(False, "they do not belong together by position, they are independent.")
    return None


def base(said: Spoken, question: Question) -> Finding | None:
    """Decide whether positions are counted from 0 or from 1."""
    asked = 0 if question.has(r"\b(?:0|zero)[- ]based|(?:with|from|at) (?:0|zero)\b") else 1
    for node in said.knowledge.nodes:
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant)):
            continue
        if node.right.value == 1 and isinstance(node.left, ast.Name) and node.left.id in said.words.counters:
            return Finding(asked == 1, "it is 1-based: counted from 1.")
    if said.words.counters:
        return Finding(asked == 0, "it is 0-based: counted from 0.")
    return None
