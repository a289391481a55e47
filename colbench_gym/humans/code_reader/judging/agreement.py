"""Confirm a question that says what a claim says: the same things, numbers and operations, nothing more or less."""

from __future__ import annotations

import ast
import re

from colbench_gym.humans.code_reader.answers.asked import Asked
from colbench_gym.humans.code_reader.lexicon import PLAIN, related, split_words, stem, stems
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of

MIN_SHARED = 2  # words of a claim that a question has to name
MIN_COVERED = 0.75  # share of a claim's words that a question has to name
MAX_WORDS = 40
_UNSURE = re.compile(
    r"\b(?:not|no|never|without|only|rather|instead|always|all|every|each|both|any|same|different|regardless|or|unless"
    r"|except|before|after|also|too|separate\w*|first|last)\b|n't\b(?! (?:it|they))"
)
_TAGGED = re.compile(
    r"(?:[,;:–—-]\s*|\bor\s+)?(?:right|correct|yes|ok|okay|true|is(?:n't)? (?:that|it)[\w ]*|don't \w+)\s*\?"
)
_OPERATIONS: tuple[tuple[str, str], ...] = (
    (r"\bat least\b|\bor more\b|\bno less than\b|>=|≥|\bfrom \d[\d.]* (?:on|up)\b", ">="),
    (r"\bat most\b|\bor less\b|\bup to\b|\bno more than\b|<=|≤", "<="),
    (r"\bmore than\b|\bover\b|\babove\b|\bexceed\w*|\bgreater than\b|\bhigher than\b|\bbeyond\b|>(?!=)", ">"),
    (r"\bless than\b|\bunder\b|\bbelow\b|\bfewer than\b|\blower than\b|<(?!=)", "<"),
    (r"\bplus\b|\badd\w*|\bsum\w*|\bgoes up\b|\+", "+"),
    (r"\bminus\b|\bsubtract\w*|\bdeduct\w*|\bgoes down\b", "-"),
    (r"\btimes\b|\bmultipl\w*|×|\*", "*"),
    (r"\bdivid\w*|÷|/", "/"),
)
_OF_CLAUSES = stems(["otherwise zero nothing empty text made followed entry number"])


def agreement(asked: Asked) -> list[Part]:
    """Say yes to a question that only puts a claim into other words."""
    q = asked.question
    if not q.polar or len(split_words(q.whole)) > MAX_WORDS:
        return []
    text = _TAGGED.sub(" ", q.whole)
    if _UNSURE.search(text) or " or " in text:
        return []
    told = [clause for clause in asked.said.clauses if _says_the_same(asked, clause, text)]
    if len(told) != 1 or len(told[0].text) > 280:
        return []
    return [asked.part(f"Yes, {told[0].text}.", "agreement", bool(told[0].literals))]


def _says_the_same(asked: Asked, clause: Clause, text: str) -> bool:
    own, words = _content(clause.text), _content(text)
    if not _names_all(clause, text) or not _constants(text) <= _constants_of(clause):
        return False
    shared = own & words
    if len(shared) < MIN_SHARED or len(shared) < MIN_COVERED * len(own):
        return False
    if words - own - related(own) - asked.said.knowledge.topics - _ASKING:
        return False
    if own - words - related(words) - _OF_CLAUSES:
        return False
    return _numbers(clause.text) == _numbers(text) and _operations(clause.text) == _operations(text)


def _names_all(clause: Clause, text: str) -> bool:
    """Return whether a text names each thing that a claim works with."""
    words = frozenset(map(stem, split_words(text)))
    words |= related(words)
    names = [part for node in clause.claim.nodes for part in nodes_of(node) if isinstance(part, ast.Name)]
    called = {id(node.func) for part in clause.claim.nodes for node in nodes_of(part) if isinstance(node, ast.Call)}
    return all(stems([name.id]) & words for name in names if id(name) not in called)


_PYTHON = {"none": None, "true": True, "false": False}


def _constants(text: str) -> set[object]:
    return {_PYTHON[word] for word in split_words(text) if word in _PYTHON}


def _constants_of(clause: Clause) -> set[object]:
    parts = [part for node in clause.claim.nodes for part in nodes_of(node)]
    return {n.value for n in parts if isinstance(n, ast.Constant) and (n.value is None or isinstance(n.value, bool))}


def _content(text: str) -> frozenset[str]:
    return frozenset(s for word in split_words(text) if not word.isdigit() and (s := stem(word)) not in PLAIN)


def _numbers(text: str) -> set[float]:
    return {float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", text.replace(",", ""))}


def _operations(text: str) -> list[str]:
    """Return what a text compares and works out, without the order in which it says so."""
    return sorted(sign for pattern, sign in _OPERATIONS if re.search(pattern, text))


_ASKING = stems(["then mean meant fine agree understand correct right plain really actually"])
