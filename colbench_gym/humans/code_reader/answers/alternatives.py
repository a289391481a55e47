"""Answers to either/or questions, and to proposals that name what a program may do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isclose

from colbench_gym.humans.code_reader.answers.asked import Asked, best_clause
from colbench_gym.humans.code_reader.answers.forms import described, entries_named, kinds_named, scale_of
from colbench_gym.humans.code_reader.answers.results import result_scale, result_shape, result_words
from colbench_gym.humans.code_reader.intents.concepts import Concept, concepts_in, does
from colbench_gym.humans.code_reader.lexicon import PLAIN, related, stem_list
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.situations import mentioned
from colbench_gym.humans.code_reader.verbalizer.families import families
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.wording import be, listing, the
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of

_CUTS = re.compile(
    r",\s*(?:or\s+|and not\s+)?|\s+or\s+(?:rather\s+|just\s+|else\s+)?|\s+rather than\s+|\s+instead of\s+"
)
_PARENTHESIS = re.compile(r"\([^()]*\)")
_HEAD = re.compile(r"(?:[:;–—]|\s-)\s")
_NEGATED = (
    r"\b(?:no|not|never|without|nothing|none|skip|ignore|leave out|omit|(?:\w+n't)|un(?:rounded|sorted|changed))\b"
)
_FORMS = ("type", "keys", "scale", "result")
_FORMAL = 0.45  # likelihood of a question about a form, from which the result is described
MAX_OPTIONS = 6


@dataclass(frozen=True)
class Option:
    """One alternative that a question offers.

    Attributes:
        text: its words.
        own: stems that no other alternative has.
        concepts: what it says that the program does.
    """

    text: str
    own: frozenset[str]
    concepts: tuple[Concept, ...]


def options_in(question: Question) -> list[Option]:
    """Return the alternatives that a question offers, at least two or none."""
    part = next(
        (
            p
            for p in re.split(r"[.?!](?:\s|$)", question.bare if "…" not in question.bare else question.lower)
            if _CUTS.search(p) and " or " in f" {p} "
        ),
        "",
    )
    part = _PARENTHESIS.sub(lambda match: match[0].replace(",", "").replace(" or ", " "), part)
    tail = _HEAD.split(part)[-1]
    if " or " in f" {tail} " and _CUTS.search(tail):
        part = tail
    texts = [text.strip() for text in _CUTS.split(part) if text.strip()][-MAX_OPTIONS:]
    if len(texts) < 2:
        return []
    words = [frozenset(stem_list(text)) - PLAIN for text in texts]
    shared = frozenset.intersection(*words)
    return [
        Option(
            text, own - shared, tuple(concepts_in(frozenset(stem_list(_PARENTHESIS.sub(" ", text))) - PLAIN - shared))
        )
        for text, own in zip(texts, words, strict=True)
    ]


def either(asked: Asked) -> list[Part]:
    """Choose between alternatives: by form, by what the program does, or by the words that the reference has."""
    q = asked.question
    options = options_in(q) if q.either else []
    if len(options) < 2 or asked.likely("edge", "example", "boundary") > 0.5:
        return []
    if asked.likely("meta") > 0.5:
        return _by_concept(asked, options) or _by_extent(asked, options)
    return (
        _by_feature(asked, options)
        or _by_form(asked, options)
        or _by_concept(asked, options)
        or _by_intent(asked)
        or _by_words(asked, options)
        or _by_extent(asked, options)
    )


def _by_extent(asked: Asked, options: Sequence[Option]) -> list[Part]:
    """Describe the result where it is asked how much of it is wanted: "the full tag or only its path?"."""
    q = asked.question
    if not q.has(r"\b(?:only|just|whole|full|entire|complete|bare)\b") or q.has(
        r"\b(?:if|when|count|each|every|round\w*)\b"
    ):
        return []
    told = frozenset(word for option in options for word in option.own) & asked.said.vocabulary
    if told or asked.likely("result", "type", "meta", "labels", "keys") < _FORMAL:
        return []
    return _result_form(asked)


def forms(asked: Asked) -> list[Part]:
    """Choose between alternatives that are all forms of a value, before anything else in them is read."""
    options = options_in(asked.question) if asked.question.either else []
    formed = [o for o in options if kinds_named(Question(o.text)) or re.search(r"[\[{(].*[\]})]", o.text)]
    if asked.likely(*_FORMS, "meaning") < 0.5:
        return []
    return _by_form(asked, formed) if len(formed) > 1 and len(formed) == len(options) else []


def _result_form(asked: Asked) -> list[Part]:
    shape, _ = result_shape(asked.said, asked.run)
    text, reveals = result_words(asked.said, shape)
    return [asked.part(sentence(text), "result", reveals)] if text else []


def _by_feature(asked: Asked, options: list[Option]) -> list[Part]:
    """Choose the only alternative of which the reference has a distinctive feature."""
    known = asked.said.knowledge
    right = [o for o in options if any(k.yes and k.done(known) and "add" not in k.stems for k in o.concepts)]
    if len(right) != 1 or any(o.concepts for o in options if o is not right[0]):
        return []
    told = next(concept.yes for concept in right[0].concepts if concept.yes and concept.done(known))
    return [asked.part(sentence(told), "choice")]


def _by_intent(asked: Asked) -> list[Part]:
    """Describe the result when that is what the alternatives are about, whatever they are."""
    if max(asked.shares, key=lambda intent: asked.shares[intent]) != "result" or mentioned(
        asked.question, asked.said.knowledge
    ):
        return []
    return _result_form(asked)


def scale(asked: Asked) -> list[Part]:
    """Tell whether percentages are given as 5 or as 0.05."""
    q, known = asked.question, asked.said.knowledge
    if not q.either or asked.likely("scale") < 0.3 or not q.has(r"%|\bpercent|\bfraction|\b0?\.\d+"):
        return []
    scales = {p.name: told for p in known.parameters if (told := scale_of(asked.said, p))}
    chosen = [p.name for p in mentioned(q, known) if p.name in scales] or (list(scales) if len(scales) == 1 else [])
    offered = _offered(q)
    if not chosen and len(offered) == 2 and isclose(offered[1], 100 * offered[0]):
        _, values = result_shape(asked.said, asked.run)
        scaled = result_scale(asked.said, values)
        return [asked.part(sentence(scaled), "scale")] if scaled else []
    if not chosen or q.has(r"\b(?:result|output|return\w*)\b"):
        return []
    name, told = the(chosen[0]), scales[chosen[0]]
    if len(offered) > 1 and offered[-1] == 100 * offered[0]:
        told = f"as {offered[-1] if 'as a percentage (' in told else offered[0]:g}, {told.partition(' (')[0]}"
    return [asked.part(sentence(f"{name} {be(name)} given {told}"), "scale", True)]


def _offered(question: Question) -> list[float]:
    """Return the numbers that a question offers, the smallest first."""
    return sorted({float(number) for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)", question.text)})


def _by_form(asked: Asked, options: list[Option]) -> list[Part]:
    q = asked.question
    formed = [option for option in options if kinds_named(Question(option.text))]
    if 2 * len(formed) < len(options) or asked.likely(*_FORMS) < 0.3:
        return []
    named = mentioned(q, asked.said.knowledge)
    fields = entries_named(asked.said, q, asked.said.knowledge.parameters)
    if fields and asked.likely("labels") < 0.3 and not q.has(r"\b(?:result|output|return\w*)\b"):
        return [asked.part(" ".join(fields), "arguments")]
    about_result = asked.likely("result") > asked.likely("type", "keys", "meaning") or not named
    if named and not about_result:
        return [asked.part(" ".join(described(asked.said, named[:2])), "arguments")]
    if not about_result or asked.likely("result", "scale", "labels") < 0.2:
        return []
    shape, values = result_shape(asked.said, asked.run)
    text, reveals = result_words(asked.said, shape)
    scaled = result_scale(asked.said, values) if q.has(r"\bpercent|\bfraction|\bshare\b|0 (?:and|to) 1|\b100\b") else ""
    return [asked.part(sentence(scaled or text), "result", reveals)] if text else []


def _by_concept(asked: Asked, options: list[Option]) -> list[Part]:
    known = asked.said.knowledge
    states = [[does(concept, known) for concept in option.concepts] for option in options]
    right = [o for o, state in zip(options, states, strict=True) if state and all(state)]
    wrong = [o for o, state in zip(options, states, strict=True) if state and not any(state)]
    denials = [concept.no for option in wrong for concept in option.concepts if concept.no]
    if not wrong or not denials or len(wrong) == len(options) or asked.likely("result") > 0.3:
        return []
    if right and len(right) < len(options):
        clause = best_clause(asked, lambda clause: True)
        said = [concept.yes for concept in right[0].concepts if concept.yes]
        told = said[0] if said else clause.text if clause is not None and len(clause.text) < 220 else ""
        return [asked.part(sentence("; ".join(part for part in (told, denials[0]) if part)), "choice")]
    return [asked.part(sentence(denials[0]), "choice")] if len(options) == len(wrong) + 1 else []


def _by_words(asked: Asked, options: list[Option]) -> list[Part]:
    known = asked.said.knowledge
    vocabulary = known.vocabulary
    hits = [option for option in options if option.own & vocabulary and not option.own - vocabulary - known.topics]
    foreign = [o for o in options if o.own and not o.own & vocabulary and not related(o.own) & vocabulary]
    if len(hits) != 1 or len(foreign) != len(options) - 1:
        return []
    clause = best_clause(asked, lambda clause: bool(hits[0].own & clause.stems))
    return [asked.part(sentence(clause.text), "choice", bool(clause.literals))] if clause is not None else []


def proposal(asked: Asked) -> list[Part]:
    """Deny what a program does not do at all."""
    q, known = asked.question, asked.said.knowledge
    if not q.polar or q.either or asked.likely("meta", "edge", "example", "boundary") > 0.5:
        return []
    main = re.split(r"[.?!](?:\s|$)|,? (?:if|when|eg|such as|for example|so that|so)\b", q.bare)[0]
    main = _HEAD.split(main)[-1]
    words = frozenset(stem_list(main)) - PLAIN
    named = list(concepts_in(words))
    concept_stems = frozenset[str]().union(*(concept.stems for concept in named))
    absent = [
        concept
        for concept in named
        if concept.no and not does(concept, known) and not concept.stems & words & known.topics
    ]
    denial = re.search(_NEGATED, main)
    negated = (
        denial is not None
        and not frozenset(stem_list(main[: denial.start()])) & concept_stems
        and not _ASIDE.search(main[: denial.start()])
    )
    if absent:
        return [asked.part(f"{'Yes' if negated else 'No'}, {absent[0].no}.", "proposal")]
    return []


_ASIDE = re.compile(r"\w\s+(?:i|you|we|they|that|which|who)\s+$")  # "lines I can't parse": no denial of the rest


def confirmed(asked: Asked) -> list[Part]:
    """Confirm that items are taken in turn or at random, which a program does not do by accident."""
    q = asked.question
    named = [k for k in concepts_in(frozenset(stem_list(q.bare)) - PLAIN) if k.stems & _DISTINCTIVE]
    if not q.polar or not named or not named[0].done(asked.said.knowledge) or re.search(_NEGATED, q.bare):
        return []
    return [asked.part(f"Yes, {named[0].yes}.", "proposal")]


_DISTINCTIVE = frozenset(["cycl", "random"])


def quantity(asked: Asked) -> list[Part]:
    """Tell whether one item of a loop is enough or all of them are needed."""
    q = asked.question
    all_asked = q.has(
        r"\b(?:all|every|each)\b.{0,40}\b(?:keyword|word|item|element|one|of them|of the|entr|value|\w+s)\b"
    )
    one_asked = q.has(r"\b(?:one|any|at least one|a single)\b.{0,40}\b(?:enough|suffic\w+|do)\b")
    if not (q.polar or q.either) or not (all_asked or one_asked):
        return []
    if not q.has(r"\b(?:must|have to|has to|need\w*|enough|suffic\w*|required?|contain|hold|satisf\w*|match)\b"):
        return []
    quantities = {_quantity(node) for node in asked.said.knowledge.nodes} - {""}
    if len(quantities) != 1:
        return []
    every = quantities == {"all"}
    told = "every one of them is needed" if every else "one of them is enough"
    if q.either:
        return [asked.part(sentence(told), "quantity")]
    return [asked.part(f"{'Yes' if every is (all_asked and not one_asked) else 'No'}, {told}.", "quantity")]


def _quantity(node: ast.AST) -> str:
    """Return "any" or "all" for a loop that ends the function at the first item that decides."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("any", "all"):
        return str(getattr(node.func, "id", ""))
    if not isinstance(node, ast.For):
        return ""
    ends = {
        part.value.value
        for part in nodes_of(node)
        if isinstance(part, ast.Return) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, bool)
    }
    return {frozenset([True]): "any", frozenset([False]): "all"}.get(frozenset(ends), "")


def other_label(asked: Asked) -> list[Part]:
    """Deny a label that a question proposes and that the reference does not have; name those that it has."""
    q, known = asked.question, asked.said.knowledge
    texts = [a or b for a, b in re.findall(r"\"([^\"]{1,60})\"|(?<!\w)'([^']{1,60})'(?!\w)", q.text)]
    own = {text.lower() for text in known.strings}
    if not q.polar or not texts or kinds_named(Question(q.bare)) or any(text.lower() in own for text in texts):
        return []
    if asked.likely("foreign", "labels", "result") < 0.4 and not q.has(_LABEL):
        return []
    for family in families(asked.said):
        labels = [t for t in family.outcomes if t[:1] in "\"'“"]
        if len(labels) == len(family.outcomes) and family.distinct > 1:
            told = listing(list(dict.fromkeys(labels)), "or")
            return [asked.part(f"No, it is always one of {told}.", "labels", True)]
    return []


_LABEL = (
    r"\b(?:categor\w+|labels?|class|classes|levels?|grades?|groups?|statuse?s?|third|fourth|additional|extra|another)\b"
)


def combined(asked: Asked) -> list[Part]:
    """Confirm or deny how two arguments are combined."""
    q, known = asked.question, asked.said.knowledge
    if not q.polar or q.either:
        return []
    proposed = [kind for words, kind in _COMBINING if q.has(words)]
    named = {p.name for p in mentioned(q, known)}
    if len(proposed) != 1 or len(named) < 2:
        return []
    for clause in asked.said.clauses:
        joints = [op for op, left, right in _joints(clause.claim.node, named) if not left & right]
        if joints and len(clause.text) < 300:
            agrees = any(issubclass(op, proposed[0]) for op in joints)
            return [asked.part(f"{'Yes' if agrees else 'No'}, {clause.text}.", "combined", bool(clause.literals))]
    return []


def _joints(node: ast.AST, names: set[str]) -> Iterator[tuple[type[ast.operator], set[str], set[str]]]:
    """Yield the operations that have different ones of some names on their two sides, and those names."""
    for part in nodes_of(node):
        if isinstance(part, ast.BinOp):
            left, right = (
                {n.id for n in nodes_of(side) if isinstance(n, ast.Name)} & names for side in (part.left, part.right)
            )
            if left and right:
                yield type(part.op), left, right


_COMBINING: tuple[tuple[str, type[ast.operator]], ...] = (
    (r"\bmultipl\w+\b|\btimes\b", ast.Mult),
    (r"\bdivid\w+\b", ast.Div),
    (r"\bsubtract\w*\b|\bdeduct\w*\b", ast.Sub),
    (r"\badd(?:ed|ing)?\b|\bsumm?(?:ed)?\b", ast.Add),
)
