"""Answers to other questions: the claims ranked by what is wanted to know and what the question is about."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import fsum
from typing import Any

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.answers.asked import Asked, best_clause, polarity, score
from colbench_gym.humans.code_reader.answers.telling import FALLBACK, PROPOSED_VALUE
from colbench_gym.humans.code_reader.intents import classifier
from colbench_gym.humans.code_reader.intents.cues import CUES
from colbench_gym.humans.code_reader.judging.plans import core_clause
from colbench_gym.humans.code_reader.lexicon import close, related, stem_list, stems
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.code_reader.verbalizer.families import Family, families
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of

_MANY = (
    r"\b(?:each|every|all|both|respectively|separate\w*|different|one by one|in total|possible|various|list"
    r"|(?:which|what|the) (?:\w+ ){0,2}(?!is\b|was\b|has\b|does\b|this\b|status\b|class\b|process\b)\w{3,}s\b(?<!ss))"
)
_DISCOUNT = r"\b(?:discount|reduc|percent|taken off|rebate|cheaper|% off)\w*"
_SIBLING, _LOOSE = 0.7, 0.45  # of the best score, from which another case fits as well; when all are asked for
_MAX_CASES = 8
_LISTED = ("labels", "values", "threshold", "constant", "condition")
_SURE = 0.6  # how well a claim must be of the kind that is asked for, where no word names it
_UNAIMED = 0.15
_WEAK = 0.4  # a fit below which a question that is likely about something else is
_ELSEWHERE = 0.5  # likelihood of a question about something else, from which the core is no answer to it
_CUED = 0.15  # what a cue is worth to a claim of which nothing is named
_UNTOLD = ("a fixed dictionary", "a fixed list", "a fixed set", "a fixed tuple")


def _parts(clause: Clause) -> Iterator[ast.AST]:
    return (part for node in clause.claim.nodes for part in nodes_of(node))


def _limits(clause: Clause) -> bool:
    """Return whether a clause compares something with a number."""
    return any(
        isinstance(n, ast.Compare)
        and isinstance(n.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
        and any(isinstance(side, ast.Constant) for side in (n.left, *n.comparators))
        for n in _parts(clause)
    )


def _texts(clause: Clause) -> bool:
    return any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in nodes_of(clause.claim.node))


def _looks_up(clause: Clause) -> bool:
    return isinstance(clause.claim, c.TableEntry) or any(
        isinstance(n, ast.Compare)
        and isinstance(n.ops[0], (ast.Eq, ast.In, ast.NotEq, ast.NotIn))
        and any(isinstance(p, ast.Constant) and isinstance(p.value, str) for p in nodes_of(n))
        for n in _parts(clause)
    )


def _works_out(clause: Clause) -> bool:
    return any(isinstance(n, (ast.BinOp, ast.AugAssign)) for n in nodes_of(clause.claim.node))


def _numbers(clause: Clause) -> bool:
    return any(isinstance(n, ast.Constant) and type(n.value) in (int, float) for n in nodes_of(clause.claim.node))


_FITS: dict[str, Callable[[Clause], bool]] = {
    "threshold": _limits,
    "boundary": _limits,
    "constant": _numbers,
    "condition": lambda clause: clause.claim.conditional or _limits(clause),
    "priority": lambda clause: clause.claim.conditional,
    "combine": lambda clause: clause.claim.conditional,
    "otherwise": lambda clause: clause.claim.fallback,
    "formula": _works_out,
    "effect": lambda clause: _works_out(clause) or clause.claim.conditional,
    "labels": lambda clause: _texts(clause) and isinstance(clause.claim, (c.Returns, c.Assigns, c.Does)),
    "values": _looks_up,
    "error": lambda clause: isinstance(clause.claim, c.Raises),
    "cap": lambda clause: "larger of" in clause.text or "smaller of" in clause.text,
    "random": lambda clause: "random" in clause.text,
    "partial": _looks_up,
}


def fit(asked: Asked, clause: Clause) -> float:
    """Return from 0 to 1 how well a clause is of the kind that is asked for."""
    return fsum(asked.shares[intent] for intent in _intents_of(clause))


@lru_cache(maxsize=16384)
def _intents_of(clause: Clause) -> tuple[str, ...]:
    """Return the kinds of question that a clause can answer."""
    return tuple(intent for intent, fits in _FITS.items() if fits(clause))


def ranked(asked: Asked) -> list[tuple[float, Clause]]:
    """Return the claims that a question may be about, the best first."""
    q = asked.question
    scored: list[tuple[float, int, Clause]] = []
    understood = fsum(asked.shares[intent] for intent in _FITS)
    cues = [cue for cue in CUES if q.has(cue.asked)]
    strange = bool(cues and _foreign(asked))  # what names something that nobody spoke of is hardly about any claim
    for place, clause in enumerate(asked.said.clauses):
        own = fit(asked, clause)
        target = score(asked, clause)
        value = target * (0.3 + 1.7 * own) + (_UNAIMED * own if understood > 0.5 else 0.0)
        for cue in cues:
            if cue.fits(clause):
                value = value * cue.factor + (0.0 if strange else _CUED)
        if isinstance(clause.claim, c.Uses):
            value *= 0.5 if asked.likely("library") < 0.5 else 1.5
        if _renames(clause):
            value *= 0.4
        if is_start(getattr(clause.claim, "statement", None)) or clause.text.endswith(_UNTOLD):
            value *= 0.3
        if clause.claim.fallback and not q.said(FALLBACK) and asked.likely("otherwise") < 0.3:
            value *= 0.5
        if value > 0:
            scored.append((round(value, 6), -place, clause))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    return [(value, clause) for value, _, clause in scored]


def about(asked: Asked) -> list[Part]:
    """Tell the claim that fits best, or all cases of the decision that it belongs to."""
    q = asked.question
    if len(q.stems) < 2 and not q.text.rstrip().endswith("?"):
        return []
    order = ranked(asked)
    if not order:
        return []
    told: frozenset[int] = frozenset()
    if asked.likely("meta") > _ELSEWHERE and order[0][0] < _WEAK:
        return []
    if order[0][0] <= _UNAIMED:  # names nothing known: what was not told yet
        if _foreign(asked) and fit(asked, order[0][1]) < _SURE:
            return []
        told = _told_before(asked)
        order = [entry for entry in order if id(entry[1]) not in told] or order
    value, best = order[0]
    values = {id(clause): own for own, clause in order}
    family = next((f for f in families(asked.said) if any(member is best for member in f.members)), None)
    if family is not None and _all_cases(asked, family, values, value):
        return [asked.part(sentence(_percent_off(q.lower, family.told())), "about", True)]
    chosen = [best]
    if q.has(_MANY) and not _table(best):
        alike = [clause for clause in asked.said.clauses if _beside(clause, best)]
        chosen = [clause for own, clause in order[:5] if own >= _SIBLING * value or (alike and clause in alike)]
        chosen += [clause for clause in alike if clause not in chosen][:3]
        if family is not None and best in (named := _named_cases(asked, family)):
            chosen = [clause for clause in chosen if clause in named or clause not in family.members]
        chosen.sort(key=asked.said.clauses.index)
    elif not _table(best) and len(order) > 1 and order[1][0] >= _SIBLING * value:
        chosen = sorted([best, order[1][1]], key=asked.said.clauses.index)  # a person would tell both
    elif len(best.text) < 60 and isinstance(best.claim, c.Returns):
        chosen += _definitions(asked, best)[:1]
    if asked.likely("constant", "formula", *_LISTED) > 0.3:
        cases = family.members if family is not None else ()
        defined = [cl for cl in _definitions(asked, best) if (_constant(cl) or _table(cl)) and cl not in cases]
        chosen += [cl for cl in defined if cl not in chosen]
    chosen = [clause for clause in chosen if clause is best or id(clause) not in told]
    lead = polarity(asked, best)
    text = _percent_off(q.lower, _told(chosen, best, family, asked.room))
    return [asked.part(f"{lead}{text}." if lead else sentence(text), "about", any(cl.literals for cl in chosen))]


def _told_before(asked: Asked) -> frozenset[int]:
    """Return the identities of the claims that were told before, each by itself or with all cases of its decision."""
    alone = {id(clause) for clause in asked.said.clauses if clause.text.lower() in asked.before}
    together = (family.members for family in families(asked.said) if family.told().lower() in asked.before)
    return frozenset(alone.union(id(clause) for members in together for clause in members))


def _told(chosen: list[Clause], best: Clause, family: Family | None, room: int) -> str:
    """Return as many clauses as there is room for, the best of them in any case."""
    if family is not None and len(chosen) > 1 and all(clause in family.members for clause in chosen):
        while len(text := family.told_of(chosen)) > room and len(chosen) > 1:
            chosen = [clause for clause in chosen if clause is not _least(chosen, best)]
        return text
    texts: list[str] = [best.text]
    for clause in chosen:
        if clause is not best and len("; ".join([*texts, clause.text])) < room:
            texts.append(clause.text)
    return "; ".join(clause.text for clause in chosen if clause.text in texts)


def _least(chosen: list[Clause], best: Clause) -> Clause:
    """Return the clause to leave out first: the one furthest from the best."""
    return max(chosen, key=lambda clause: abs(chosen.index(clause) - chosen.index(best)))


def _singles_out(asked: Asked, family: Family) -> bool:
    """Return whether a question names a number or text of some cases only."""
    return len(_named_cases(asked, family)) not in (0, len(family.members))


def _named_cases(asked: Asked, family: Family) -> list[Clause]:
    """Return the cases of which a question names a number or text."""
    words = f" {' '.join(re.findall(r'[a-z0-9.]+', asked.question.lower.replace(',', '')))} "
    return [
        member
        for member in family.members
        if any(f" {literal.lower()}{ending} " in words for literal in member.literals for ending in ("", "s"))
    ]


def _foreign(asked: Asked) -> frozenset[str]:
    """Return the stems of a question that neither the task nor the language of questions has."""
    known = asked.said.knowledge
    return asked.question.about - asked.said.vocabulary - known.topics - classifier().vocabulary


def _all_cases(asked: Asked, family: Family, values: dict[int, float], best: float) -> bool:
    """Return whether a question is about all cases of a decision: it says so, or several fit it equally well."""
    if family.distinct < 2 or len(family.members) > _MAX_CASES or set(family.outcomes) <= {"True", "False"}:
        return False
    if not family.fits and asked.likely("labels") < 0.5:
        return False
    if asked.question.has(_MANY) and family.fits and asked.likely(*_LISTED) > 0.4 and not _singles_out(asked, family):
        return True
    many = asked.question.has(_MANY) or asked.likely("labels", "values", "threshold", "constant") > 0.5
    share = _LOOSE if asked.question.has(_MANY) and asked.likely(*_LISTED) > 0.4 else _SIBLING
    near = sum(values.get(id(member), 0.0) >= share * best for member in family.members)
    return near > 1 and (many or 2 * near > len(family.members))


def _renames(clause: Clause) -> bool:
    """Return whether a clause only gives another name to an argument's entry."""
    value = getattr(getattr(clause.claim, "statement", None), "value", None)
    if not isinstance(clause.claim, c.Assigns):
        return False
    while isinstance(value, (ast.Subscript, ast.Attribute)):
        value = value.value
    return isinstance(value, ast.Name)


def _percent_off(asked: str, text: str) -> str:
    """Return a text in which factors below one are told as reductions too, when the question speaks of these."""
    if not re.search(_DISCOUNT, asked):
        return text
    return re.sub(
        r"times (0\.\d+)(?![\w.])", lambda m: f"times {m[1]} ({round(100 - 100 * float(m[1]), 6):g} % off)", text
    )


def _beside(clause: Clause, other: Clause) -> bool:
    """Return whether two claims set names that differ in one word under like circumstances: sugar level, salt level."""
    mine, theirs = (_target(one).split("_") for one in (clause, other))
    if clause is other or len(mine) != len(theirs) or len(mine) < 2 or type(clause.claim) is not type(other.claim):
        return False
    kinds = [[type(w) for w in one.claim.where] for one in (clause, other)]
    return kinds[0] == kinds[1] and sum(a != b for a, b in zip(mine, theirs, strict=True)) == 1


def _target(clause: Clause) -> str:
    """Return the name that a claim gives a value; empty when it gives none."""
    statement = getattr(clause.claim, "statement", None)
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return targets[0].id if isinstance(targets[0], ast.Name) else ""


def _table(clause: Clause) -> bool:
    """Return whether a clause tells a whole list or dictionary."""
    value = getattr(getattr(clause.claim, "statement", None), "value", None)
    return isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Tuple)) and not isinstance(clause.claim, c.Returns)


def _constant(clause: Clause) -> bool:
    return isinstance(getattr(getattr(clause.claim, "statement", None), "value", None), ast.Constant)


def _definitions(asked: Asked, clause: Clause) -> list[Clause]:
    """Return the clauses that say what the names in another one are."""
    names = {n.id for n in nodes_of(clause.claim.node) if isinstance(n, ast.Name)}
    found = []
    for other in asked.said.clauses:
        statement = getattr(other.claim, "statement", None)
        targets = (
            statement.targets
            if isinstance(statement, ast.Assign)
            else [statement.target]
            if isinstance(statement, ast.AugAssign)
            else []
        )
        if any(isinstance(n, ast.Name) and n.id in names for t in targets for n in nodes_of(t)) and not is_start(
            statement
        ):
            found.append(other)
    return found


def is_start(statement: Any) -> bool:
    """Return whether a statement only sets up an empty container or a zero."""
    value = getattr(statement, "value", None)
    if isinstance(value, (ast.List, ast.Dict, ast.Set)):
        return not (value.elts if not isinstance(value, ast.Dict) else value.values)
    return isinstance(value, ast.Constant) and not value.value and isinstance(statement, ast.Assign)


def core_answer(asked: Asked) -> list[Part]:
    """Answer a question about the code that names nothing known with the claim that matters most."""
    q = asked.question
    asks = (
        q.polar
        or (q.either and bool(q.about))
        or (q.either and asked.likely("formula", "result", "condition", "constant", "values") > 0.3)
        or q.has(_OF_THE_CODE)
        or q.has(r"^\W*(?:could|can|would) you\b.*\b(?:list|name|give)\b")
    )
    if asked.likely("foreign", "meta") > _ELSEWHERE and len(_foreign(asked)) > 1:
        return []
    clause = core_clause(asked.said)
    if not asks or clause is None or not q.text.rstrip().endswith("?"):
        return []
    return [asked.part(sentence(clause.text), "core", bool(clause.literals))]


_OF_THE_CODE = (
    r"\b(?:which|what|how|when)\b.*\b(?:values?|characters?|entities|items|keywords?|options?"
    r"|rules?|conditions?|criteria"
    r"|limits?|thresholds?|formula|calculat\w*|removed?|replaced?|returned?|allowed|supported|decoded|needed?|combined"
    r"|include\w*|count\w*|treated|handled|compared|covered|relevant|matter)\b"
)


_PROPOSAL = (
    r"^\W*(?:and |so |but |also )?(?:.{0,60}[,:.;] )?(?:should|shall|must|do you want"
    r"|would you like|do i|do quotes|is there (?:an?|any)|does the function|will the function"
    r"|is a|do(?:es)? .{1,40} (?:have|need) to|may i)\b"
)
_CONCEPTS = stems(
    ["tier threshold limit condition rule bound cutoff case formula order default range minimum maximum band level"]
)

_KEPT = r"\b(?:kept|keep|stay\w*|remain\w*|unchanged|preserved?|left as)\b"


def foreign_proposal(asked: Asked) -> list[Part]:
    """Deny what the reference knows nothing of."""
    q, known = asked.question, asked.said.knowledge
    if not q.polar or not q.has(_PROPOSAL) or q.about & _CONCEPTS or q.has(PROPOSED_VALUE):
        return []
    words = q.about
    vocabulary = sorted(asked.said.vocabulary)
    told = asked.said.vocabulary | frozenset(w for cl in asked.said.clauses for w in cl.stems)
    foreign = [
        w
        for w in words
        if w not in told and w not in known.topics and not close(w, vocabulary) and not related([w]) & told
    ]
    if not foreign or len(foreign) < 0.4 * len(words):
        return []
    main = re.sub(r"\([^)]*\)", " ", q.lower.split("?")[0])
    content = [w for w in stem_list(main) if w in words]
    if content and content[-1] in told:
        clause = best_clause(asked, lambda cl: content[-1] in cl.stems)
        if (
            clause is not None
            and len(words & clause.stems) >= 2
            and not q.has(r"\b(?:not|never|without|all|every|both|only)\b")
        ):
            return [asked.part(f"Yes, {clause.text}.", "proposal", bool(clause.literals))]
        return []
    if q.has(_KEPT) and (len(foreign) < len(words) or len(words) < 4):
        return [asked.part("Yes, that stays as it is.", "proposal")]
    clause = next((cl for _, cl in ranked(asked) if len(cl.text) < 200), None) or _short_core(asked)
    if clause is not None:
        return [asked.part(f"All that is done there is this: {clause.text}.", "proposal", bool(clause.literals))]
    return [asked.part("There is nothing of that kind in it.", "proposal")]


def _short_core(asked: Asked) -> Clause | None:
    core = core_clause(asked.said)
    return core if core is not None and len(core.text) < 250 else None
