"""Claims as clauses: "if the age is at least 18, the result is True"."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from colbench_gym.humans.program import claims as c
from colbench_gym.humans.program.verbalizer.expressions import CLAUSE, FIXED, Words
from colbench_gym.humans.program.verbalizer.statements import effect, handled
from colbench_gym.humans.program.verbalizer.wording import be, have, listing, name_words, the

MAX_CLAUSE_CHARS = 350
_MAX_NEGATED_CHARS = 85
_MAX_NEITHER_CHARS = 170
ELSE = "where none of the other cases holds"
_JOINTS = (", ", " and ", " then ", " plus ", " or ", " minus ", " times ", " followed by ")


def phrase(claim: c.Claim, words: Words) -> str:
    """Return a claim as one clause with its circumstances, without a capital or a full stop."""
    node = claim.node
    if claim.title is not None:
        title = the(claim.title) if claim.title else "the fixed list"
        parts = entry_of(claim)
        *key, value = (words.say(part, CLAUSE) for part in parts)
        items = getattr(parts[-1], "elts", [])
        if value == f"{FIXED}list" and all(isinstance(item, ast.Constant) for item in items):
            value = f"a list of {listing([words.say(item) for item in items])}"  # whose items are told nowhere else
        if not key:
            return fitting(f"{title} {'include' if be(title) == 'are' else 'includes'} {value}")
        return fitting(f"{title} {have(title)} {value} for {key[0]}")
    said = effect(words, node) if isinstance(node, ast.stmt) else ""
    if said and words.grows and isinstance(node, ast.Assign) and said.startswith("the result is "):
        first = not claim.where and "the result so far" not in said
        said = said.replace("is", "starts as" if first else "becomes", 1)
    when = circumstances(claim.where, words).replace("otherwise, if ", "if no case before applies but ")  # alone
    return fitting(f"{when}{said}") if said else ""


def entry_of(claim: c.Claim) -> list[ast.expr]:
    """Return the value of an entry of a table, with its key before it where there is one."""
    return claim.node.elts if isinstance(claim.node, ast.Tuple) else []


def circumstances(where: Sequence[c.Circumstance], words: Words) -> str:
    """Return what stands before a clause: "if …, for each …, "; empty when it always holds."""
    parts: list[str] = []
    conditional, several = False, sum(circumstance.kind in c.CONDITIONS for circumstance in where) > 1
    for circumstance in where:
        text, condition = _circumstance(circumstance, words)
        if several and condition and isinstance(circumstance.nodes[0], ast.BoolOp) and " or " in text:
            text = f"otherwise, if ({text[14:]})" if text.startswith("otherwise, if ") else f"({text})"
        if condition and conditional and not text.startswith("otherwise"):
            parts[-1] += f" and {text}"
        else:
            parts.append(f"if {text}" if condition and not text.startswith("otherwise") else text)
        conditional = condition
    return "".join(f"{part}, " for part in parts)


def _circumstance(circumstance: c.Circumstance, words: Words) -> tuple[str, bool]:
    """Return the text, and whether "if" goes before it."""
    match circumstance.kind, circumstance.nodes:
        case "if", (ast.expr() as test,):
            return words.condition(test), True
        case "elif", (ast.expr() as test,):
            return words.beyond(test, circumstance.before) or f"otherwise, if {words.condition(test)}", True
        case "unless", (ast.expr() as test,):
            said = words.condition(test, negated=True)
            return (said, True) if len(said) < _MAX_NEGATED_CHARS else (ELSE, False)
        case "else", (_, *_) as tests:
            failed = [words.condition(test, len(tests) < 2) for test in tests if isinstance(test, ast.expr)]
            said = failed[0] if len(failed) == 1 else f"neither {' nor '.join(failed)}"
            return (said, True) if len(said) < _MAX_NEITHER_CHARS else (ELSE, False)
        case "each", (ast.expr() as target, ast.expr() as over):
            return f"for {words.loop(target, over)}", False
        case "while", (ast.expr() as test,):
            return f"as long as {words.condition(test)}", False
        case "except", errors:
            return handled(words, errors), False
        case "inside", (ast.Name(id=name),):
            return f"in the helper {name_words(name)}", False
    return ELSE, False


def fitting(text: str) -> str:
    """Return a clause that fits into a reply; what is left out of a longer one is said to go on."""
    if len(text) <= MAX_CLAUSE_CHARS:
        return text
    place = max(text.rfind(joint, 0, MAX_CLAUSE_CHARS) for joint in _JOINTS)
    return f"{text[: place if place > 0 else MAX_CLAUSE_CHARS].rstrip(' ,')}, and so on"


def sentence(clause: str) -> str:
    """Return a clause with a capital and a full stop."""
    clause = clause.strip()
    if not clause:
        return ""
    return clause[:1].upper() + clause[1:] + ("" if clause[-1] in ".!?…" else ".")
