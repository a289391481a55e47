"""Answers to a recognised kind of question: limits, ties, properties, forms, plans, proposals."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.answers.asked import (
    SURE,
    Asked,
    finding_part,
    polarity,
    score,
)
from colbench_gym.humans.code_reader.answers.forms import looked_up
from colbench_gym.humans.code_reader.answers.limits import side_of_limit
from colbench_gym.humans.code_reader.answers.traits import RECASED, findings
from colbench_gym.humans.code_reader.examples import example_in, mentions
from colbench_gym.humans.code_reader.intents.decisions import decision_for, decision_words
from colbench_gym.humans.code_reader.judging.plans import judge_plan
from colbench_gym.humans.code_reader.lexicon import stems
from colbench_gym.humans.code_reader.situations import mentioned
from colbench_gym.humans.code_reader.verbalizer.families import Family, families
from colbench_gym.humans.code_reader.verbalizer.phrases import sentence
from colbench_gym.humans.code_reader.verbalizer.syntax import is_limit
from colbench_gym.humans.code_reader.verbalizer.wording import be, listing, quoted, the
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of

EXACT = (
    r"\bexactly (?!how|what|which|one|the same|should|do|does|is|as)|\b(?:precisely|right) (?:at"
    r"|on|\d)|\binclusive\b|\bexclusive\b|\bstrictly\b|\binclud(?:ed|es|ing) (?:the )?(?:limit"
    r"|bound|end|threshold)|\bends? (?:of .{0,30} )?included\b|\bequal(?:s)? (?:to )?(?:the |its "
    r"|that |this )?(?:\w+ )?(?:threshold|limit|bound|cut-?off|maximum|minimum)|\bequals the\b"
    r"|\bon the (?:very )?(?:day|boundary|limit|border)\b|\bborderline\b"
    r"|\bgreater than or equal\b|\bat least or\b|\bstayed the same\b|\b(?:same|equal) (?:value"
    r"|amount|number|age|use)s?\b|\bvery day\b"
)


def boundary(asked: Asked) -> list[Part]:
    """Tell on which side of a limit its own value falls."""
    q = asked.question
    if not q.said(EXACT):
        return []
    if q.said(r"\bexact(?:ly)? (?:match|equal|same)|\bmatch\w* exactly|\bequal\w* exactly|exactly (?:one|two|three) "):
        return []
    if q.polar and any(
        mention.value in asked.said.knowledge.strings for mention in mentions(q.text) if isinstance(mention.value, str)
    ):
        return []  # a result is proposed: running decides whether it is the right one
    finding = side_of_limit(asked.said, q)
    return [finding_part(asked, "limit", finding)] if finding else []


def trait(asked: Asked) -> list[Part]:
    """Tell a property of the reference."""
    told: list[Part] = []
    for trait, finding in findings(asked.said, asked.question, asked.likely):
        if trait.name == "order" and asked.question.said(r"\b(?:tie|ties|tie-?break\w*)\b"):
            continue
        told.append(finding_part(asked, trait.name, finding))
        if not asked.question.has(_SEVERAL):
            break
    return told[:2]


_SEVERAL = r"\([ab12]\).*\([bc23]\)|\band whether\b"  # matters that one question asks of


def letter_case(asked: Asked) -> list[Part]:
    """Tell whether a text counts that differs from one of the reference in its letter case only."""
    q, known = asked.question, asked.said.knowledge
    texts = [a or b for a, b in re.findall(r"\"([^\"]{1,60})\"|(?<!\w)'([^']{1,60})'(?!\w)", q.text)]
    like = {text.lower() for text in known.strings}
    own = {t for t in known.strings if t.lower() in {text.lower() for text in texts}} - set(texts)
    if q.has(r"\bcapital") and own:
        told = f"it is written exactly like this: {listing([quoted(t, known.source) for t in sorted(own)], 'and')}"
        return [asked.part(f"No, {told}." if q.polar else sentence(told), "case", True)]
    if q.has(r"\bcase\b|\bcapital"):
        return []
    pair = len(set(texts)) > len({text.lower() for text in texts})
    if not pair and not any(t not in known.strings and t.lower() in like for t in texts):
        return []
    if (
        not q.polar
        or asked.likely("example", "labels") > 0.5
        or known.called & {"lower", "upper", "casefold", *RECASED}
    ):
        return []
    lead = "Yes" if q.has(r"\b(?:not|no|n't|never|\w+n't|fails?|rejected|differ\w*)\b(?! (?:it|they))") else "No"
    return [asked.part(f"{lead}, upper and lower case make a difference: a text has to match exactly.", "case")]


def outcomes(asked: Asked) -> list[Part]:
    """List all that can come out, when a question asks for all texts or categories there are."""
    q = asked.question
    if asked.likely("labels") < 0.5 and not q.has(_ALL_OUTCOMES):
        return []
    if not q.has(_OUTCOMES):
        return []
    for family in families(asked.said):
        texts = [text for text in family.outcomes if text[:1] in "\"'“"]
        if family.distinct > 1 and len(texts) > 1 and (family.subject.startswith("the result") or len(texts) > 2):
            return [asked.part(sentence(family.told()), "outcomes", True)]
    return []


_OUTCOMES = (
    r"\b(?:all|every|which|what)\b.{0,30}\b(?:outcomes?|states|labels|categories|values|results|texts|messages|strings"
    r"|levels|classes|ratings|answers|verdicts|possibilit\w+|returned)\b"
)
_ALL_OUTCOMES = (
    r"\b(?:all|every|possible|in total|spell out|list)\b.{0,40}\b(?:outcomes?|states|labels|categories|return values"
    r"|results|texts|messages|levels|ratings|answers|verdicts|strings)\b|\b(?:states|labels|categories|outcomes|results"
    r"|levels) (?:are|is) (?:there|possible)"
)


def unused(asked: Asked) -> list[Part]:
    """Tell that an argument makes no difference."""
    q, known = asked.question, asked.said.knowledge
    if q.has(PROPOSED_VALUE):
        return []
    named = mentioned(q, known)
    if not named or named[0].used:
        return []
    full = (
        q.polar and stems([named[0].name]) <= q.stems and asked.likely("type", "keys", "scale", "unit", "default") < 0.4
    )
    if (
        not full
        and asked.likely("effect", "meaning", "formula", "foreign") < 0.4
        and not q.has(
            r"\b(?:influenc|affect|chang|depend|difference|count|used?|matter|role|effect|impact|purpose"
            r"|what (?:is|does)|play|enter|consider|how)\w*"
        )
    ):
        return []
    verb = be(the(named[0].name))
    told = (
        f"{the(named[0].name)} {verb} not used, {'they do' if verb == 'are' else 'it does'} not influence the result."
    )
    if not q.polar:
        return [asked.part(sentence(told), "unused")]
    denied = q.has(
        r"\b(?:no|not|nothing|never|irrelevant|superfluous|redundant|unused|unnecessary|ignore\w*)\b"
        r"|n't\b(?! (?:it|they))"
    )
    return [asked.part(f"{'Yes' if denied else 'No'}, {told}", "unused")]


_GIVEN = r"\b(?:hard-?cod\w*|fixed|constant|built in|default)\b"


def default(asked: Asked) -> list[Part]:
    """Tell the default of an argument, or that it has none."""
    known = asked.said.knowledge
    named = mentioned(asked.question, known)
    if asked.likely("default") < SURE and not (
        named and asked.question.has(r"\b(?:the|a|any) defaults?\b(?! (?:case|min|max))")
    ):
        return []
    optional = [p for p in known.parameters if p.default is not None and not p.extra]
    chosen = list(named[:1]) or optional
    several = [p for p in optional if stems([p.name]) & asked.question.stems]
    if len(several) > 1 and asked.question.has(
        r"\b(?:defaults|\w+s) .{0,40}\b(?:are|ones|both|they|them)\b|\bare the\b"
    ):
        chosen = several
    told = [
        f"{the(p.name)} {be(the(p.name))} {asked.said.words.say(p.default)} by default"
        if p.default is not None
        else f"{the(p.name)} {'have' if be(the(p.name)) == 'are' else 'has'} no default, it is always passed in"
        for p in chosen[:3]
    ]
    asked.said.words.tables.clear()
    if not told:
        return []
    return [asked.part(_agreed(asked, chosen) + sentence("; ".join(told)), "default", True)]


def _agreed(asked: Asked, chosen: Sequence[c.Parameter]) -> str:
    """Return "Yes." or "No." where a question names numbers for the defaults."""
    defaults = {p.default.value for p in chosen if isinstance(p.default, ast.Constant)}
    named = {m.value for m in mentions(asked.question.text) if isinstance(m.value, (int, float)) and not m.percent}
    if not asked.question.polar or asked.question.either or not named or not defaults:
        return ""
    return "Yes. " if named <= defaults else "No. " if not named & defaults else ""


def given(asked: Asked) -> list[Part]:
    """Say of a value that it is no constant but an argument."""
    q, known = asked.question, asked.said.knowledge
    if not q.has(_GIVEN) or q.has(r"\bwhat (?:is|are) the default"):
        return []
    named = [p for p in mentioned(q, known) if p.default is None]
    if named and not (stems([named[0].name]) & stems([str(n) for n in known.strings])):
        told = f"none is fixed: {the(named[0].name)} {be(the(named[0].name))} passed in as an argument."
        return [asked.part(f"No, {told}" if q.polar else sentence(told), "given")]
    return []


_LIMITS = r"limits|boundar(?:y|ies)|thresholds|cut-?offs|tiers|bands|brackets|ranges"


def limits_of(asked: Asked) -> list[Part]:
    """List the numbers that an argument is compared with, when a question asks for all of them."""
    q, known = asked.question, asked.said.knowledge
    if not q.has(rf"\b(?:{_LIMITS}|levels)\b") or q.has(
        r"\b(?:discount|factor|rate|percentage|reduction|fee|price|label|message|bonus|score)s?\b.{0,30}\beach\b|\bgiven\b|\binclusive|\bexclusive|\bexactly\b"
    ):
        return []
    for parameter in mentioned(q, known):
        told: dict[str, None] = {}
        for node in known.nodes:
            if isinstance(node, ast.Compare) and any(
                isinstance(n, ast.Name) and n.id == parameter.name for n in nodes_of(node)
            ):
                for side in (node.left, *node.comparators):
                    if isinstance(side, ast.Constant) and isinstance(side.value, (int, float)) and side.value:
                        told[str(side.value)] = None
        if len(told) > 1:
            return [asked.part(f"The limits for {the(parameter.name)} are {listing(list(told))}.", "limits", True)]
    if q.polar or not q.has(rf"\b(?:{_LIMITS})\b"):
        return []
    banded = [family for family in families(asked.said) if family.distinct > 2 and family.fits and _in_bands(family)]
    return [asked.part(sentence(banded[0].told()), "limits", True)] if len(banded) == 1 else []


def _in_bands(family: Family) -> bool:
    """Return whether the cases of a decision are told apart by numbers that one thing is compared with."""
    compared: set[str] = set()
    for member in family.members:
        tests = [where.test for where in member.claim.where if isinstance(where, c.When) and where.holds]
        if not tests and not member.claim.fallback:
            return False
        for test in tests:
            limit = test.comparators[0] if isinstance(test, ast.Compare) and is_limit(test) else None
            if not isinstance(test, ast.Compare) or not isinstance(limit, ast.Constant):
                return False
            compared.add(ast.dump(test.left))
    return len(compared) == 1


def allowed(asked: Asked) -> list[Part]:
    """List the texts that an argument is compared with or looked up by."""
    q, known = asked.question, asked.said.knowledge
    if not q.has(
        r"\b(?:(?:which|what) (?:other )?(?:values?|options|kinds|types|choices|names|strings)"
        r"|possible|allowed|accepted|valid|covered|supported)\b"
    ):
        return []
    for parameter in mentioned(q, known):
        texts = looked_up(asked.said, parameter.name)
        if texts:
            told = f"It can be {listing([quoted(text, known.source) for text in texts[:8]], 'or')}."
            rest = fallback(asked)
            if rest and len(told) + len(rest[0].text) < asked.room:
                told += f" {rest[0].text}"
            return [asked.part(told, "allowed", True)]
    return []


FALLBACK = (
    r"\b(?:otherwise|(?:for|any|with|all|are there any) other \w+|never (?:reached|found|met"
    r"|happens)|not (?:found|reached)|isn't (?:among|in|found)|(?:besides|apart from|no"
    r"|without an?) \w+ (?:in|and)|none of (?:the|these|those|them)|grey zone|gray zone"
    r"|in[- ]between|neither"
    r"|any other|all other|other (?:cases|types|values|than)|remaining|outside|besides"
    r"|no (?:condition|rule|case)s? appl\w+|isn't clear|not clear|unclear|doesn't match"
    r"|does not match|don't match|nothing matches|no match\w*|unknown|unsupported|unrecogni[sz]ed"
    r"|(?:nothing|nobody|none(?: of (?:them|those|these|that))?) (?:\w+ )?(?:fits?|match\w*|applies"
    r"|apply|is true|works?|helps?)"
    r"|(?:don't|doesn't|do not|can't|not) recogni[sz]e\w*|(?:not|isn't|aren't|wasn't|haven't"
    r"|un)\s?(?:listed|mentioned|named)"
    r"|else)\b"
)


def fallback(asked: Asked) -> list[Part]:
    """Tell what happens when no case applies."""
    q, known = asked.question, asked.said.knowledge
    if not q.said(FALLBACK):
        return []
    last = [
        cl
        for cl in asked.said.clauses
        if cl.claim.fallback
        or any(isinstance(w, c.When) and not w.holds for w in cl.claim.where)
        or " if there is none" in cl.text
    ]
    if last:
        best = max(last, key=lambda clause: (score(asked, clause), isinstance(clause.claim, c.Returns)))
        lead = polarity(asked, best)
        text = f"{lead}{best.text}." if lead else sentence(best.text)
        return [asked.part(text, "otherwise", bool(best.literals))]
    if known.returns and all(claim.conditional for claim in known.returns) and known.function is not None:
        return [asked.part("Then the result is None (nothing is returned).", "otherwise")]
    return []


def plan(asked: Asked) -> list[Part]:
    """Judge a plan."""
    stated = example_in(asked.question.raw, asked.said.knowledge)
    if (
        stated
        and stated.complete
        and stated.expected
        and any(isinstance(v, (list, dict)) for v in stated.arguments.values())
    ):
        return []
    if re.search(r"\d\s*[-–/]\s*\d+\s*[-–/]\s*\d", asked.question.raw):  # a series of values, no formula
        return []
    verdict = judge_plan(asked.said, asked.question, asked.run)
    if verdict is None:
        return []
    if verdict.agrees is None:
        return [asked.part(sentence(f"what matters: {verdict.reason}"), "plan", True)]
    if verdict.agrees:
        return [asked.part("Yes, that's right, go ahead.", "plan")]
    reason = verdict.reason or "it works differently."
    return [asked.part(f"No, not quite: {reason}", "plan", True)]


def decision(asked: Asked) -> list[Part]:
    """Tell what the task's author decided, in the author's words."""
    if not asked.task.decisions:
        return []
    decision = decision_for(asked.task, asked.question)
    if decision is None:
        return []
    kind = "answer" if decision.says else "unknown"
    return [asked.part(decision_words(asked.task, decision), decision.key, bool(decision.says), kind)]


PROPOSED_VALUE = (  # whether it is right is found by running only
    r"\b(?:return|give back) (?:-?\d|none\b|null\b|zero\b|nothing\b|an? empty\b|\[|\{|['\"])"
)
