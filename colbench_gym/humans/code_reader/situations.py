"""Arguments that a question speaks of, inputs that no filter lets through, and what the code guards against."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from colbench_gym.humans.code_reader.claims import Parameter
from colbench_gym.humans.code_reader.lexicon import related, split_words, stem
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.trials.inputs import bases

MIN_SHORTENED = 4  # letters of a shortened word


@lru_cache(maxsize=1024)
def mentioned(question: Question, known: Knowledge) -> tuple[Parameter, ...]:
    """Return the parameters that a question speaks of, the surest first."""
    scored = []
    words = question.stems
    near = related(words)
    for place, parameter in enumerate(known.parameters):
        own = [stem(word) for word in split_words(parameter.name)]
        written = parameter.name.lower() in question.lower  # a pattern for each name would have to be compiled
        if (
            written
            and len(parameter.name) > 1
            and re.search(rf"(?<![\w]){re.escape(parameter.name.lower())}(?![\w])", question.lower)
        ):
            score = 10.0 + len(own)
        else:
            hits = sum(
                1.0 if w in words or _shortened(w, words) else 0.5 if w in near else 0.0 for w in own if len(w) > 1
            )
            last = own[-1] in words or own[-1] in near or _shortened(own[-1], words)
            score = hits / len(own) + (0.2 if last else 0.0)
            if (
                written
                and len(parameter.name) == 1
                and re.search(rf"(?<![\w']){re.escape(parameter.name.lower())}(?![\w'])", question.lower)
            ):
                score = 5.0 if parameter.name not in ("a", "i") else 0.0
        if score > 0.55:
            scored.append((-score, place, parameter))
    scored.sort(key=lambda entry: entry[:2])
    if scored:
        return tuple(parameter for _, _, parameter in scored)
    shared = [p for p in known.parameters if {stem(w) for w in split_words(p.name) if len(w) > 2} & words]
    return tuple(shared) if len(shared) > 1 else ()


def _shortened(word: str, words: frozenset[str]) -> bool:
    """Return whether a word of an identifier is the beginning of a longer word of the question: "params"."""
    return len(word) >= MIN_SHORTENED and any(len(w) > len(word) + 1 and w.startswith(word) for w in words)


_NOTHING = (
    r"\b(?:nobody|no one|none(?! or\b)|not (?:a single|any|one)) (?:\w+ ){0,3}?(?:match|pass|make|meet|qualif"
    r"|satisf|exceed|reach"
    r"|fit|is|are|occur|appear|survive|remain|found|there|applies|apply|has|have|left)\w*"
    r"|\bnothing (?:\w+ ){0,2}(?:match"
    r"|fit|qualif|found|appl|left|remain|overlap|in common)\w*|\bnothing in common\b"
    r"|\bif (?:none|no|nothing)\b|\bno (?:\w+ ){1,3}(?:match\w*|pass\w*|make\w*|meet\w*|qualif\w*"
    r"|satisf\w*|exceed\w*|reach\w*|found|fit\w*|over|above|after|before)\b"
    r"|\bnone of (?:the|them|my|a)\b|\bnothing (?:match|fit|is found|pass)\w*|\bno match\w*"
    r"|\bno results?\b|\bthere (?:are|is) no\b"
)


def without_matches(question: Question, known: Knowledge) -> list[dict[str, Any]]:
    """Return inputs on which a filter lets nothing through, as far as extreme values bring that about."""
    if not re.search(_NOTHING, question.whole):
        return []
    made: list[dict[str, Any]] = []
    for base in bases(known)[:1]:
        for p in known.parameters:
            value = base.get(p.name)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                made += [{**base, p.name: 10**9}, {**base, p.name: -(10**9)}]
            elif isinstance(value, str):
                made.append({**base, p.name: "9999-12-31" if re.fullmatch(r"\d{4}-\d\d-\d\d", value) else "qqqq"})
            elif isinstance(value, list) and value and all(isinstance(item, str) for item in value):
                made.append({**base, p.name: ["qqqq" for _ in value]})
            elif isinstance(value, tuple) and len(value) == 2:
                made.append({**base, p.name: (10**9, 10**9 + 1)})
    return made


def raises_on_purpose(known: Knowledge, error: str) -> bool:
    """Return whether the reference has a raise statement for an error of that name."""
    for node in known.nodes:
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(raised, ast.Name) and raised.id == error:
                return True
    return False


def guards(known: Knowledge) -> Sequence[ast.expr]:
    """Return the tests for something out of the ordinary."""
    from colbench_gym.humans.code_reader.reader import is_edge

    return [n.test for n in known.nodes if isinstance(n, (ast.If, ast.IfExp)) and is_edge(n.test)]
