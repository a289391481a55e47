"""Tokens of a question: lower-case words, with arguments, names, numbers and quoted texts as slots."""

from __future__ import annotations

import re

from colbench_gym.humans.code_reader.lexicon import PLAIN, split_words, stem, stems
from colbench_gym.humans.code_reader.reader import Knowledge

_TOKEN = re.compile(
    r"`[^`]{1,80}`|\"[^\"\n]{0,120}\"|(?<!\w)'[^'\n]{0,120}'(?!\w)|[\[{][^\]}]{0,200}[\]}]"
    r"|[-−]?\d[\d.,]*%?|[A-Za-z_]\w*(?:'[a-z]+)?|%"
)


def tokens(text: str, known: Knowledge) -> list[str]:
    """Return the tokens of a question about a reference."""
    arguments = {parameter.name.lower() for parameter in known.parameters}
    of_arguments = stems(arguments) - PLAIN
    found: list[str] = []
    for token in _TOKEN.findall(text):
        lower = token.strip("`").lower()
        if lower in arguments and (len(lower) > 1 or token[0] == "`"):
            found.append("_arg")
        elif token[0] in "\"'":
            found.append("_str")
        elif token[0] in "[{":
            found.append("_num")
        elif token[0].isdigit() or token[0] in "-−":
            found += ["_num", "%"] if token.endswith("%") else ["_num"]
        else:
            words = split_words(lower)
            hits = {stem(word) for word in words} & of_arguments
            if hits and ("_" in lower or token[0] == "`" or hits):
                found.append("_arg")
            elif "_" in lower or token[0] == "`":
                found.append("_name")
            else:
                word = lower.replace("'", "")
                found.append("_name" if _names(word, known) else word)
    return found


def _names(word: str, known: Knowledge) -> bool:
    """Return whether a word is one of those that only this task uses."""
    own = stem(word)
    return own in known.vocabulary and own not in PLAIN
