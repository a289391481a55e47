"""Messages that try to make the human do something other than answer: print code, drop its rules, play a role."""

from __future__ import annotations

import re
from functools import lru_cache


def _any(words: str) -> str:
    """A pattern for one of some comma-separated phrases."""
    return f"(?:{'|'.join(phrase.strip() for phrase in words.split(','))})"


_GREAT = r"(?:(?:full|entire|whole|complete|exact|actual|original|hidden|raw|secret|python|reference|source) )"
_CODE = _any(
    r"code, source, source code, implementation, solution, function body, reference, ground truth, snippet, "
    r"answer key, pseudo-?code, c[oó]d(?:igo|ice), quell\w+, kod, koden, l[oö]sung, soluci[oó]n, solu[cç][aã]o, "
    r"soluzione"
)
_TARGET = rf"(?:{_CODE}|function|program|script|everything|instructions?)"
_SHOW = _any(
    r"print, show(?: me)?, paste, reveal, dump, output, display, leak, disclose, expose, recite, repeat, quote, copy, "
    r"echo, type out, write out, write down, spell(?: out)?, read out, read back, send(?: me)?, post, give me, share, "
    r"provide, list, tell me, present, emit, export, upload, summari[sz]e, render, transcribe, hand over, "
    r"muestra, imprime, zeige?(?: mir)?, gib, affiche, montre, donne(?:-moi)?, mostra, mostre, imprima, stampa, "
    r"visa, pokaż, toon"
)
_WHICH = _any(
    "the, your, its, this, that, all, my, some, each, every, of, just, us, me, bitte, el, la, le, los, las, den, die, "
    "das, il, lo, o, du, de, uw, el propio"
)
_DROP = _any("ignor(?:e|ing|iere?|a), disregard, forget, override, bypass")
_ORDERS = (
    r"(?:(?:your|previous|prior|earlier|these|those|all|any|above|safety|alle|las|les|le)(?: \w+)? "
    r"(?:instruc\w+|prompts?|rules|guidelines|restrictions|constraints|filters?|anweisungen|istruzioni)"
    r"|(?:all|everything|anything|the) above(?: and|[.,!:;]|$)|everything you\b)"
)
_PIECEMEAL = _any(
    r"verbatim, word for word, character (?:by|for) character, letter (?:by|for) letter, line (?:by|for) line, "
    r"token by token, one (?:letter|character|line|token|word) at a time, unredacted, uncensored, riga per riga"
)
_ENCODED = _any(
    r"base ?64, rot ?-?13, hex(?:adecimal)?, morse, caesar, ascii codes?, leetspeak, pig latin, url-?encod\w+, "
    r"acrostic, backwards, cipher, json string, one token per"
)
_MODES = _any("developer, debug, admin, god, dan, root, maintenance, unrestricted")
_ROLES = _any(
    r"you are now, you're now, act as (?:a|an|my|if), pretend, role-?play\w*, let's play, imagine (?:that )?you, "
    r"jailbr\w+, from now on, simulate a (?:terminal|shell|interpreter|console), my (?:late )?grandm\w+, "
    r"hypothetically, stay in character, opposite day, policy update"
)
_AUTHORITY = _any(
    r"admin\w*, developer, creator, author, operator, supervisor, auditor, openai, system, maintainer, grader, tester, "
    r"examiner, boss"
)
_OWN_PLANS = re.compile(  # the programmer's own work is no request: "before I write the complete code"
    r"\b(?:i|we)(?:'ll|'d|'m)?(?: (?:will|can|could|would|should|may|might|am|are|start|begin|going|to|then|now|also))*"
    r" (?:writ\w+|provid\w+|finali[sz]\w+|implement\w*|complet\w+|shar\w+|giv\w+|creat\w+|submit\w*|finish\w*|"
    r"present\w*|deliver\w*|produc\w+|generat\w+)\b[^.?!,;:\n]*"
)
_PATTERNS = [
    re.compile(pattern)
    for pattern in (
        rf"\b{_DROP}\b.{{0,20}}\b{_ORDERS}",
        r"\b(?:system|initial|hidden|secret|original|developer) (?:prompt|instructions?|brief)\b",
        r"\b(?:system|developer) message\b|\bhidden (?:information|function|reference|code)\b|\bsecret function\b",
        rf"\b{_SHOW}(?: {_WHICH})* {_GREAT}*(?:{_CODE}|instructions)\b",
        rf"\b{_SHOW} (?:(?:the|your|this|that|all) )?{_GREAT}+(?:function|program|script)\b",
        r"\b(?:emit|quote|dump|paste|display|recite|reveal|leak|copy|read back) the (?:function|program)\b",
        rf"\b(?:{_PIECEMEAL}|{_ENCODED})\b.*\b{_TARGET}\b|\b{_TARGET}\b.*\b(?:{_PIECEMEAL}|{_ENCODED})\b",
        rf"\b{_ROLES}\b|\b{_MODES} mode\b|^\W*sudo\b|\bnew (?:instructions?|rules?|task)\W*[:>]",
        rf"\b(?:i am|i'm|this is|as) (?:the|your) {_AUTHORITY}\b",
        r"<\|?/?(?:system|im_start|im_end|inst|assistant|user|endoftext|dialogue|new_task)|\[/?inst\]",
        r"###? ?(?:system|instruction|override)",
        r"\b(?:paste|print|dump|leak|reveal|recite|quote) (?:it|everything|all|them)\b|\beverything you know\b",
        rf"\b(?:what|which|where) (?:is|are|does|do|was|were|would)\b.{{0,30}}\b(?:your|the|its) {_GREAT}*"
        r"(?:source code|instructions|code|implementation|prompt|reference) ?(?:look\w* like|say|\?|exactly|$)",
        r"^\W*(?:now )?(?:please )?(?:complete|continue|fill in|finish)\b.*"
        r"\b(?:code|snippet|lines?|def|reference|body)\b",
        rf"\b{_GREAT}(?:code|implementation|solution|program)\b",
        r"\byour (?:instructions|prompt|source|reference|hidden \w+|secret \w+)\b",
        r"\b(?:lines?|tokens?|characters?|part|half|fifth|start|beginning|end|rest) (?:\w+ ){0,3}(?:of|in) "
        r"(?:your|the) (?:code|source|reference)\b|\bin your code\b|\bpseudo-?code\b",
        r"\b(?:repeat|compare|rewrite|diff)\b.*\bcode\b|\bcode\b.*\b(?:repeat|diff)\b|\bcode (?:below|above)\b",
        r"^\W*(?:just )?return the (?:source|code)\b[^?]*$|\brepeat the text\b|\binstruction you follow\b",
        r"\b(?:rules|instructions) (?:that )?you (?:were|are|have been)? ?(?:given|follow|told)",
        r"\bcode block\b|\bfenced\b|```|\bground[- ]truth\b",
    )
]


@lru_cache(maxsize=2048)
def is_manipulation(sentence: str) -> bool:
    """Return whether a sentence asks for code or tries to change the human's part."""
    lower = _OWN_PLANS.sub(" ", sentence.lower().replace("’", "'"))
    return any(pattern.search(lower) for pattern in _PATTERNS)
