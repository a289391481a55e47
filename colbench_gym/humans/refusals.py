"""Messages that try to make the human do something other than answer: print code, drop its rules, play a role."""

from __future__ import annotations

import re


def _any(words: str) -> str:
    """A pattern for one of some comma-separated phrases."""
    return f"(?:{'|'.join(phrase.strip() for phrase in words.split(','))})"


_CODE = _any(
    r"source, code, implementation, solution, function body, reference, ground truth, script, program, snippet, "
    r"answer key, instructions?, prompts?, rules, guidelines, hidden \w+, secrets?, c[oó]d(?:igo|ice), quell\w+, kod, "
    r"koden?, l[oö]sung, soluci[oó]n, solu[cç][aã]o, soluzione"
)
_SHOW = _any(
    r"print, show, paste, reveal, dump, output, display, leak, disclose, expose, recite, repeat, quote, copy, echo, "
    r"type out, write out, spell, read out, send, post, return, give, share, provide, list, tell, present, emit, "
    r"export, upload, complete, continue, translate, convert, encode, rewrite, summari[sz]e, render, transcribe, hand over, "
    r"write, muestra, imprime, zeige?, gib, affiche, montre, donne, mostra, mostre, imprima, stampa, visa, pokaż, toon"
)
_WHICH = _any(
    "the, your, its, this, that, full, entire, whole, complete, actual, exact, original, hidden, raw, reference, "
    "python, el, la, le, den, die, das, il, o, all, my, some, each, every, of, du, de"
)
_DROP = _any("ignore, disregard, forget, override, bypass, drop, skip, discard, break")
_ORDERS = _any(
    "instructions?, above, previous, prior, earlier, prompts?, rules, guidelines, restrictions, constraints, told, "
    "limits?, everything, filters?, safety"
)
_PIECEMEAL = _any(
    r"verbatim, word for word, character (?:by|for) character, letter (?:by|for) letter, line (?:by|for) line, "
    r"token by token, one (?:letter|character|line|token|word) at a time, as[- ]is, unredacted, uncensored"
)
_ENCODED = _any(
    r"base ?64, rot ?-?13, hex(?:adecimal)?(?: encod\w+)?, morse, caesar, ascii codes?, leetspeak, pig latin, "
    r"binary code, url-?encod\w+, acrostic, backwards, cipher, ciphertext, unicode escapes?"
)
_ROLES = _any(
    r"you are now, you're now, act as, pretend, role-?play, let's play, imagine you, jailbreak, developer mode, "
    r"debug mode, admin mode, sudo, dan mode, god mode, from now on, new instructions?, new rules?, simulate, "
    r"my grandm\w+, hypothetical\w*, stay in character, opposite day"
)
_AUTHORITY = _any(
    r"admin\w*, developer, creator, owner, author, operator, supervisor, engineer, auditor, openai, system, "
    r"maintainer, grader, tester, examiner, professor, boss"
)
_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        rf"\b{_DROP}\b.{{0,40}}\b{_ORDERS}\b",
        r"\b(?:system|initial|hidden|secret|original|developer) (?:prompt|message|instructions?|brief)\b",
        rf"\b{_SHOW}\b.{{0,40}}\b{_WHICH}\b.{{0,30}}\b{_CODE}\b",
        rf"\b(?:{_PIECEMEAL}|{_ENCODED}|{_ROLES})\b",
        rf"\b(?:i am|i'm|this is|as) (?:the|your|an?) {_AUTHORITY}\b",
        r"<\|?/?(?:system|im_start|im_end|inst|assistant|user|endoftext)|\[/?inst\]",
        r"###? ?(?:system|instruction|override)",
        r"\b(?:paste|print|dump|leak|reveal|recite) (?:it|everything|all|them)\b|\beverything you know\b",
        r"\b(?:what|which|where) (?:is|are|does|do|was|were)\b.{0,30}\b(?:your|the|its) (?:\w+ ){0,2}"
        r"(?:source code|instructions|code|implementation|prompt|reference(?: solution| implementation)?) ?"
        r"(?:look\w* like|say|\?|exactly|$)",
        r"\b(?:def|return|lambda|import) [a-z_]+.{0,20}\b(?:complete|continue|fill|finish)\b",
        r"\b(?:complete|continue|fill in|finish)\b.{0,40}(?:\bdef\b|line|code|function|snippet|body)",
        rf"\b(?:full|entire|whole|complete|exact|actual|original|hidden|raw) (?:\w+ )?{_CODE}\b",
        r"\bsource code\b|\bcode block\b|\bfenced\b|```|\bground[- ]truth\b|\breference (?:code|solution|function)\b",
    )
]


def is_manipulation(sentence: str) -> bool:
    """Whether a sentence asks for code or tries to change the human's part."""
    lower = sentence.lower()
    return any(pattern.search(lower) for pattern in _PATTERNS)
