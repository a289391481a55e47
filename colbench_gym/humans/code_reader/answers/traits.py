"""Properties that a reference has or lacks, such as rounding, an order or letter case, each decided from the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from colbench_gym.humans.code_reader.answers.limits import conjunction, containment, marginal
from colbench_gym.humans.code_reader.claims import When
from colbench_gym.humans.code_reader.judging.rounding import capping, rounding
from colbench_gym.humans.code_reader.lexicon import stems
from colbench_gym.humans.code_reader.orders import Finding, base, called, calls_of, order, position
from colbench_gym.humans.code_reader.questions import Question, compiled
from colbench_gym.humans.code_reader.reader import names_in
from colbench_gym.humans.code_reader.situations import guards
from colbench_gym.humans.code_reader.verbalizer import Spoken
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.syntax import ATOM
from colbench_gym.humans.code_reader.verbalizer.wording import listing
from colbench_gym.python_code.syntax import nodes_of

RECASED = ("capitalize", "title")  # methods after which a text's own letter case makes no difference


@dataclass(frozen=True)
class Trait:
    """A property: how a question about it is recognised, and how it is decided."""

    name: str
    asked: str
    decide: Callable[[Spoken, Question], Finding | None]


def case(said: Spoken, question: Question) -> Finding | None:
    """Decide whether letter case makes a difference."""
    lowered = calls_of(said.knowledge, "lower", "casefold", "upper")
    if not lowered and calls_of(said.knowledge, *RECASED):
        return None  # whether what it is done to is compared or only shown, the code has to tell
    flipped = question.has(
        r"case[- ]sensitiv|distinguish|matters?\b|agree|be the same|match|exact|differ|\bas (?:in"
        r"|they are|it is|given)\b"
    ) and not question.has(r"insensitiv|ignor|regardless")
    if not lowered:
        return Finding(
            False, "upper and lower case are not treated alike, texts have to match exactly (case-sensitive).", flipped
        )
    owners = [said.words.say(n.func.value, ATOM) for n in lowered if isinstance(n.func, ast.Attribute)]
    owners = list(dict.fromkeys(owners))[:3]
    covered = stems(owners)
    uncovered = (question.about & _fields(said)) - covered
    if uncovered:
        return Finding(
            False,
            (
                f"only {listing(owners)} {'are' if len(owners) > 1 else 'is'} put in lower case; the rest has"
                f" to match exactly."
            ),
            flipped,
        )
    return Finding(True, f"Case is ignored for {listing(owners)}.", flipped)


def _fields(said: Spoken) -> frozenset[str]:
    """Return stems of the arguments and of the keys that the code reads."""
    keys = [key for clue in said.knowledge.clues.values() for key in clue.keys]
    return stems([*keys, *(parameter.name for parameter in said.knowledge.parameters)])


def trimming(said: Spoken, question: Question) -> Finding | None:  # noqa: ARG001 - one signature for all
    """Decide whether blanks around a text are taken off."""
    strips = calls_of(said.knowledge, "strip", "lstrip", "rstrip")
    compared = [n for n in said.knowledge.nodes if isinstance(n, ast.Compare)]
    if strips and all(any(part is call for test in compared for part in nodes_of(test)) for call in strips):
        return Finding(
            False, ("blanks at the ends do not count in the comparison, but the texts themselves stay as they are.")
        )
    if strips:
        return Finding(True, "Blanks at the ends are trimmed.")
    if any(
        n.args and isinstance(n.args[0], ast.Constant) and n.args[0].value == " "
        for n in calls_of(said.knowledge, "replace")
    ):
        return Finding(True, "Spaces are removed.")
    return Finding(False, "nothing is trimmed.")


def deduplication(said: Spoken, question: Question) -> Finding | None:
    """Decide whether duplicates are dropped."""
    known = said.knowledge
    sets = list(calls_of(known, "set", "fromkeys", "unique")) + [n for n in known.nodes if isinstance(n, ast.SetComp)]
    flipped = question.has(r"\b(?:keep|kept|stay|remain|allowed|count\w* (?:twice|separately|again|each))\b")
    if sets:
        return Finding(True, "Duplicates are removed, each one counts once.", flipped)
    if any(isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Subscript) for n in known.nodes):
        return None
    return Finding(False, "duplicates are not removed, they all stay and count.", flipped)


def validation(said: Spoken, question: Question) -> Finding | None:
    """Decide whether the input is checked."""
    known = said.knowledge
    raising = [clause for clause in said.clauses if isinstance(clause.claim.node, ast.Raise)]
    if raising:
        return Finding(True, sentence(raising[0].text), reveals=bool(raising[0].literals))
    if any(isinstance(n, (ast.Try, ast.Assert)) for n in known.nodes):
        return None
    tests = guards(known)
    guarded = next(
        (cl for cl in said.clauses if any(w.test is t for w in cl.claim.where if isinstance(w, When) for t in tests)),
        None,
    )
    if guarded is not None:
        raising_asked = question.has(r"\b(?:raise|throw|error|exception)")
        return Finding(not raising_asked, f"{guarded.text}.", reveals=bool(guarded.literals))
    return Finding(False, "nothing is validated and no error is raised on purpose; there is no special handling.")


def libraries(said: Spoken, question: Question) -> Finding | None:
    """Decide which libraries are used."""
    uses = [clause.text for clause in said.clauses if isinstance(clause.claim.node, (ast.Import, ast.ImportFrom))]
    if uses:
        wanted = [
            w
            for w in ("numpy", "pandas", "math", "datetime", "re", "statistics", "scipy", "random")
            if question.has(rf"\b{w}\b")
        ]
        imported = " ".join(
            n
            for node in said.knowledge.nodes
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for n in [*names_in(node), getattr(node, "module", "") or ""]
        )
        if wanted and not any(w in imported for w in wanted):
            return Finding(False, f"only {uses[0]}.")
        return Finding(True, f"{sentence(uses[0]).rstrip('.')}, that is fine.")
    return Finding(False, "no library is needed, plain Python will do.")


def changed(said: Spoken, question: Question) -> Finding | None:
    """Decide whether an argument is modified."""
    methods = ("sort", "append", "extend", "remove", "pop", "insert", "reverse", "update", "clear")
    mutating = [node.func for node in calls_of(said.knowledge, *methods) if isinstance(node.func, ast.Attribute)]
    given = {parameter.name for parameter in said.knowledge.parameters}
    touched = any(isinstance(func.value, ast.Name) and func.value.id in given for func in mutating)
    stored = [n for n in said.knowledge.nodes if isinstance(n, (ast.Assign, ast.AugAssign))]
    touched = touched or any(
        isinstance(t, ast.Subscript) and isinstance(t.value, ast.Name) and t.value.id in given
        for n in stored for t in (n.targets if isinstance(n, ast.Assign) else [n.target])
    )  # fmt: skip
    fresh = question.has(r"\b(?:untouched|unchanged|new (?:list|string|dict\w*|object)|a copy)\b")
    if touched:
        return Finding(True, "what is passed in is itself changed (in place) and returned.", flipped=fresh)
    return Finding(False, "what is passed in stays unchanged, a new value is returned.", flipped=fresh)


def sign(said: Spoken, question: Question) -> Finding | None:  # noqa: ARG001 - one signature for all
    """Decide whether the result can be negative, as far as the code tells."""
    if any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub) for n in said.knowledge.nodes) and not calls_of(
        said.knowledge, "abs", "max"
    ):
        return Finding(True, "it can be negative, there is no lower limit.")
    return None


def weighting(said: Spoken, question: Question) -> Finding | None:  # noqa: ARG001 - one signature for all
    """Decide whether weights or a score are used."""
    if said.vocabulary & stems(["weight", "weighted", "score", "scores"]):
        return None
    return Finding(False, "there is no weighting and no score.")


def averaging(said: Spoken, question: Question) -> Finding | None:
    """Decide whether things are added up, averaged or counted."""
    known = said.knowledge
    divides = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div) for n in known.nodes)
    mean = bool(calls_of(known, "mean", "average", "fmean")) or any(
        isinstance(n, ast.BinOp)
        and isinstance(n.op, ast.Div)
        and isinstance(n.right, ast.Call)
        and called(n.right) == "len"
        for n in known.nodes
    )
    summed = bool(calls_of(known, "sum")) or any(
        isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add) for n in known.nodes
    )
    if question.has(r"\b(?:missing|none|gaps?|empty|left out|skipped|ignored)\b"):
        return None  # what is averaged, not whether
    if mean:
        return Finding(True, "It is the average.") if question.has(r"averag|mean\b(?! by)") else None
    if summed and question.either:
        ones = any(
            isinstance(n, ast.AugAssign) and isinstance(n.value, ast.Constant) and n.value.value == 1
            for n in known.nodes
        )
        return Finding(False, "They are counted." if ones else "They are summed up: it is the sum.")
    if not question.either and question.has(r"averag") and not divides:
        return Finding(False, "nothing is averaged.")
    return None


TRAITS: tuple[Trait, ...] = (
    Trait("marginal", (
        r"\bmarginal\w*|\bincremental\w*|\bprogressive\w*|\b(?:only|just) (?:to|on|for) the (?:\w+ )?(?:part|excess"
        r"|portion|amount|\w+s) (?:above|over|beyond|exceeding)\b|\bto the (?:whole|entire|full) (?:amount|bill|sum"
        r"|price|total|income)\b"
    ), marginal),
    Trait("changed", (
        r"\b(?:untouched|in[- ]place(?! of)|modif(?:y|ied|ies)|mutat\w+|new (?:list|string|dict\w*|object)"
        r"|a copy|(?:original|given|input) (?:list|dict\w*|data) (?:be |stay |remain )?(?:left"
        r"|unchanged|kept|changed|modified))\b"
    ), changed),
    Trait("rounding", (
        r"\bround(?:ed|ing|s)?\b(?! (?:trip|of\b|is the diff))|\bdigits after\b|\bdecimal places?\b"
            r"|\b(?:how many|two|three|\d|which|to) decimals?\b|\bdecimals\?"
        r"|\bto (?:the nearest )?cents?\b|\bnearest\b|\bprecision\b|\bsignificant digits\b"
        r"|\btruncat\w+ (?:to )?(?:an? )?(?:int|whole)|\b(?:floor|integer) (?:\(\w+\) )?division\b"
        r"|\bwhole numbers?\b.{0,20}\bdecimals?\b|\bunrounded\b|\ball (?:the )?(?:digits|decimals)\b"
    ), rounding),
    Trait("libraries", (
        r"\b(?:numpy|pandas(?! dataframe)|scipy|librar(?:y|ies)|third[- ]party|external (?:package"
        r"|module|librar)|built-?in (?:module|function)s?|packages?|import)\b"
    ), libraries),
    Trait("case", (
        r"\bcase[- ]?(?:in)?sensitiv\w*|\b(?:upper|lower)(?:[ -]?case|/lower)|\bletter case\b"
        r"|\bignor\w+ (?:the )?case\b|\bcapitali[sz]ation\b|\bcapital (?:letters?|first)"
        r"|\bcase[- ]insensitiv"
    ), case),
    Trait("trimming", (
        r"\btrim\w*|\bstrip(?:ped|ping)?\b(?! everything)|\b(?:leading|trailing|surrounding"
        r"|extra) (?:or trailing )?(?:white ?space|blank|space)s?"
    ), trimming),
    Trait("duplicates", r"\bduplicat\w*|\bde-?dup\w*|\bunique\b|\bdistinct\b", deduplication),
    Trait("order", (
        r"\bsort(?:ed|ing|s)?\b(?! of\b)"
        r"|(?<!\ban )(?<!per )(?<!each )(?<!minimum )(?<!maximum )(?<!your )\border(?:ed|ing)?\b"
        r"(?! to\b| (?:value|total|amount|size|quantity|price|number|id|line)s?\b| of (?:the )?(?:check|operation"
        r"|magnitude))|\bascending\b|\bdescending\b|\balphabetical\w*|\branked? (?:by|from|in)\b"
        r"|\branking\b|\b(?:high|low|larg|small|heav|light|new|old|great)\w*est\b.{0,40}\b(?:first"
        r"|rank|top|last)\b|\b(?:best|most \w+) first\b|\bin (?:what|which) order\b"
    ), order),
    Trait("containment", (
        r"\b(?:partial\w*|substring|part of|whole words?|entire|exact(?:ly)? match\w*"
        r"|match\w* exactly|fuzzy|(?:equal|match|compared?)\b.{0,40}\b(?:exactly|one|exact|requested"
        r"|same))"
    ), containment),
    Trait("sign", (
        r"\b(?:be|become|come out|go|return) negative\b|\b(?:be|go|fall|drop) (?:below|under) zero\b"
            r"|\bnegative (?:result|number"
        r"|value)s?\b.{0,20}\ballowed\b"
    ), sign),
    Trait("conjunction", (
        r"\b(?:all|any|one|every|both) (?:of (?:the|these|them|those) )?(?:\w+ )?(?:criteria"
        r"|conditions?|requirements?|of them|factors|rules)?\b.{0,40}\b(?:at once|simultaneously"
        r"|satisfied|met|hold|enough|sufficient|fulfil\w*)\b"
    ), conjunction),
    Trait("position", (
        r"\bby (?:position|index)\b|\bi-th\b|\bsame (?:position|index)\b|\blists? correspond"
        r"|\bcorrespond\w* (?:by|to (?:each|the same|one))|\bbelong(?:s)? to the i|\bindex[- ]?wise\b"
        r"|\bin parallel\b"
    ), position),
    Trait("base", (
        r"\b(?:0|1|zero|one)[- ]based\b|\b(?:start\w*|begin\w*|count\w*) (?:at|from|with"
        r"|counting from) (?:0|1|zero|one)\b"
    ), base),
    Trait("averaging", (
        r"\baverag\w*|\bsumm?(?:ed)?\b.{0,30}\b(?:or|versus)\b|\bmean\b(?= (?:of|size|value))"
        r"|\bcount or sum"
    ), averaging),
    Trait("weighting", r"\bweight(?:s|ed|ing)\b|\bscor(?:e|es|ing) (?:system|formula|each)\b", weighting),
    Trait("validation", (
        r"\bvalidat\w*|\bsanity[- ]check|\bguard (?:against|for)\b|\bsanit\w+|\b(?:raise"
        r"|throw)\b.{0,30}\b(?:error|exception|\w+error)\b|\bany (?:error|exception)s?\b"
        r"|\bwhich (?:error|exception)s?\b|\berror handling\b|\binput check"
    ), validation),
    Trait("capping", (
        r"\bcapp?(?:ed)?\b|\bclamp\w*|\bupper bound\b|\bupper limit\b|\bmaximum value\b"
        r"|\bnever (?:exceed|go (?:above|below))"
    ), capping),
)  # fmt: skip


_INTENTS = {
    "changed": "mutate", "rounding": "rounding", "libraries": "library",
    "duplicates": "duplicates", "order": "order", "containment": "partial", "sign": "sign", "conjunction": "combine",
    "position": "pairing", "validation": "error",
}  # fmt: skip
_SURE = 0.75  # likelihood of an intent from which a property is what the question is about
_WITHOUT = re.compile(
    r"\b(?:no|not|never|without|nothing|none|skip|leave out|omit|do not|avoid|isn't|aren't|don't|doesn't)\b"
    r"[^,;:?]{0,25}$"
)


_COUNTS = {"one": "1", "two": "2", "three": "3", "four": "4", "no": "0"}


def _other_precision(question: Question, finding: Finding) -> bool:
    """Return whether a question proposes another number of decimals than the reference rounds to."""
    asked = re.search(r"\b(\d|one|two|three|four) (?:decimal|digit|place)", question.lower)
    whole = re.search(r"\b(?:whole|integer|nearest (?:whole|integer|int))\b", question.lower)
    told = re.search(r"\b(\d|no|one|two|three|four) decimal", finding.text)
    wanted = _COUNTS.get(asked[1], asked[1]) if asked else "0" if whole else ""
    own = _COUNTS.get(told[1], told[1]) if told else "0" if "whole number" in finding.text else ""
    return finding.present and bool(wanted and own) and wanted != own


def findings(said: Spoken, question: Question, likely: Callable[[str], float]) -> Iterator[tuple[Trait, Finding]]:
    """Yield what the properties that a question is about come to.

    Args:
        said: the reference.
        question: what is asked.
        likely: tells how likely an intent is.
    """
    bare = question.bare
    for name in (p.name.lower() for p in said.knowledge.parameters if "_" in p.name):
        bare = bare.replace(name.replace("_", " "), "_" * len(name))  # "order hours" asks for no order
    for trait in TRAITS:
        match = compiled(trait.asked).search(bare)
        intent = _INTENTS.get(trait.name, "")
        if match is None and not (intent and likely(intent) > _SURE):
            continue
        finding = trait.decide(said, question)
        if finding is None:
            continue
        if trait.name == "rounding" and _other_precision(question, finding):
            finding = replace(finding, present=False)
        denied = match is not None and not finding.flipped and _WITHOUT.search(question.bare[: match.start()])
        if denied or (match is not None and match[0].lower().startswith(("unrounded", "all "))):
            finding = replace(finding, flipped=True)
        yield trait, finding
