"""Decide by running how a resulting text begins, ends or what it holds, and what becomes of a sign in a text."""

from __future__ import annotations

import re
from typing import Any

from colbench_gym.humans.code_reader.answers.asked import Asked
from colbench_gym.humans.code_reader.examples import mentions
from colbench_gym.humans.code_reader.trials.bringing import tried
from colbench_gym.humans.code_reader.trials.constraints import constraints_of
from colbench_gym.humans.code_reader.trials.inputs import Arguments, varied
from colbench_gym.humans.code_reader.verbalizer.values import say_value
from colbench_gym.humans.replies import Part

MIN_RUNS = 2
MAX_RUNS = 8
MAX_SHOWN_CHARS = 160
_EDGE = re.compile(
    r"\b(?P<verb>ends?|ending|finish\w*|closes?|starts?|starting|begins?|beginning|opens?)\b"
    r"(?: \w+){0,2}? (?:with|in|on)\b"
)
_NAMED_SIGNS = {
    "hyphen": "-", "hyphens": "-", "dash": "-", "dashes": "-", "comma": ",", "commas": ",", "underscore": "_",
    "underscores": "_", "apostrophe": "'", "apostrophes": "'", "tab": "\t", "tabs": "\t", "newline": "\n",
    "newlines": "\n", "exclamation mark": "!", "exclamation marks": "!", "question mark": "?", "question marks": "?",
    "slash": "/", "slashes": "/", "parentheses": "(", "brackets": "[", "dots": ".", "quotes": '"',
    "quotation marks": '"',
}  # fmt: skip
_QUOTED = re.compile(r"[\"'`]([^\"'`]{1,40})(?:[\"'`]|$)")  # a question may end within its quotes
_ENTITY = re.compile(r"&#?\w{1,8};")
_GOES = (
    r"\b(?:removed?|stripp?e?d?|replaced?|dropp?e?d?|deleted?|decoded?|converted?|escaped?|encoded?|unescaped?|changed?"
    r"|turned|left out|taken out)\b"
)
_STAYS = r"\b(?:kept?|keep|stays?|remains?|unchanged|left as|untouched|preserved?|retained?|survives?)\b"
_DEALT = r"\b(?:dealt|handled?|treated|done|become|happens?|supported|work)\b"
_DENIED = r"\b(?:not|never|no)\b|n't\b(?! (?:it|they))"


def edge_of_text(asked: Asked) -> list[Part]:
    """Say whether the resulting text begins or ends with what a question quotes."""
    q, known = asked.question, asked.said.knowledge
    match = _EDGE.search(q.lower)
    if match is None or not q.polar or re.search(_DENIED, q.bare):
        return []
    quoted = _QUOTED.findall(q.text[match.end() :])
    if len(quoted) != 1:
        return []
    constraints = constraints_of(q, known)
    constraints = [one for one in constraints if one.value != quoted[0]]
    trial = tried(constraints, known, asked.observe) if constraints else None
    outcomes = list(trial.outcomes) if trial is not None else asked.run(varied(known)[:MAX_RUNS])
    values = [o.value for o in outcomes]
    if len(values) < (1 if constraints else MIN_RUNS) or not all(isinstance(value, str) and value for value in values):
        return []
    starts = match["verb"].startswith(("start", "begin", "open"))
    hits = {str(v).startswith(quoted[0]) if starts else str(v).endswith(quoted[0]) for v in values}
    if len(hits) != 1:
        return []
    holds = hits.pop()
    shown = next((v for v in values if len(str(v)) <= MAX_SHOWN_CHARS), None)
    told = (
        f"it {'always ' if not constraints else ''}{'begins' if starts else 'ends'} so"
        if holds
        else (f"there is no {say_value(quoted[0])} at the {'beginning' if starts else 'end'}")
    )
    example = f": {'' if trial.single else 'for example, '}the result is {say_value(shown)}" if shown and trial else ""
    return [asked.part(f"{'Yes' if holds else 'No'}, {told}{example}.", "text", True)]


def fate_of_sign(asked: Asked) -> list[Part]:
    """Say what becomes of a sign or an entity that stands in a text which is passed in."""
    q, known = asked.question, asked.said.knowledge
    goes, stays = q.has(_GOES), q.has(_STAYS)
    if not (goes or stays or q.has(_DEALT)):
        return []
    signs = _signs(asked)
    texts = [p.name for p in known.parameters if p.shape.kind == "text"]
    if not signs or len(texts) != 1:
        return []
    fates = {sign: fate for sign in signs if (fate := _fate(asked, texts[0], sign)) is not None}
    if len(fates) != len(signs) or len(set(fates.values())) != 1:
        return []
    fate = fates.popitem()[1]
    kept = fate == "stays as it is"
    lead = ""
    if q.polar and goes is not stays and not re.search(_DENIED, q.bare):
        lead = "Yes, " if kept is stays else "No, "
    return [asked.part(f"{lead}{'it' if lead else 'It'} {fate}.", "text", True)]


def _signs(asked: Asked) -> list[str]:
    q = asked.question
    entities = list(dict.fromkeys(_ENTITY.findall(q.text)))
    if entities:
        return entities
    named = [sign for name, sign in _NAMED_SIGNS.items() if q.has(rf"\b{name}\b")]
    quoted = [m.value for m in mentions(q.text) if isinstance(m.value, str) and len(m.value.strip()) == 1]
    return list(dict.fromkeys(quoted or named))[:4]


def _fate(asked: Asked, parameter: str, sign: str) -> str | None:
    """Return what becomes of a sign in the middle of a text; None when that differs or no text comes out."""
    known = asked.said.knowledge
    made: list[tuple[Arguments, Arguments]] = []
    for one in varied(known)[:MAX_RUNS]:
        text = one.get(parameter)
        if isinstance(text, str) and len(text) > 1 and sign not in text:
            at = text.find(" ") if " " in text else len(text) // 2 if text.isalnum() else len(text)
            made.append((one, {**one, parameter: f"{text[:at]}{sign}{text[at:]}"}))
    if len(made) < MIN_RUNS:
        return None
    plain, signed = asked.run([one for one, _ in made]), asked.run([one for _, one in made])
    fates = {_change(a.value, b.value, sign) for a, b in zip(plain, signed, strict=True)}
    return fates.pop() if len(fates) == 1 else None


def _change(plain: Any, signed: Any, sign: str) -> str | None:
    """Return what stands in a result instead of a sign."""
    if not isinstance(plain, str) or not isinstance(signed, str):
        return None
    if plain == signed:
        return "is removed"
    inserted = _inserted(plain, signed)
    if inserted is None:
        return None
    if inserted == sign:
        return "stays as it is"
    return f"becomes {say_value(inserted)}" if inserted else "is removed"


def _inserted(plain: str, longer: str) -> str | None:
    """Return what has been put into a text; None when more than one place differs."""
    size = len(longer) - len(plain)
    if size <= 0:
        return None
    for at in range(len(plain) + 1):
        if longer.startswith(plain[:at]) and longer[at + size :] == plain[at:]:
            return longer[at : at + size]
    return None
