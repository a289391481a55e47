"""Answers to open-ended questions, which bring topics and no values, and to what the reference leaves open."""

from __future__ import annotations

import ast
import re

from colbench_gym.humans.code_reader.answers.alternatives import options_in
from colbench_gym.humans.code_reader.answers.asked import (
    Asked,
)
from colbench_gym.humans.code_reader.answers.forms import kinds_named
from colbench_gym.humans.code_reader.intents.concepts import does
from colbench_gym.humans.code_reader.lexicon import PLAIN, related, stem, stems
from colbench_gym.humans.code_reader.situations import (
    mentioned,
)
from colbench_gym.humans.code_reader.verbalizer import Spoken
from colbench_gym.humans.code_reader.verbalizer.wording import be, listing, the
from colbench_gym.humans.replies import Part
from colbench_gym.python_code.syntax import nodes_of

MORE = (
    r"\b(?:anything|something|what|any) (?!if\b)(?:\w+ )?(?:else|more|further|additional"
    r"|other (?:requirement|detail|thing|point)\w*|missing)\b(?! (?:is|are) \w+ed\b)|\bother (?:requirements|details"
    r"|considerations|things)\b|\banything (?:\w+ ){0,2}(?:left out|missed)\b"
)

NOTHING_MORE = "Nothing more comes to mind; ask me about a particular case."

_VAGUE = (
    r"\b(?:how|in which way) (?:is|are|does|do|should|will) (?:it|this|that"
    r"|the (?:final )?(?:result|output|value|answer|outcome)s?) (?:be )?"
    r"(?:worked out|determined|obtained|derived|computed|calculated|produced|found|built|made|decided)\b|"
    r"\b(?:more|further|additional|some|any|other) (?:\w+ )?(?:details?|information|info|context"
    r"|clarification|specifics|requirements?|guidance|background)\b"
    r"|\btell me more\b|\belaborate\b(?! on (?:the|how|what))|\bwhat (?:exactly )?(?:do"
    r"|would) you (?:need|want|like|expect)(?: (?:me )?(?:to|it|the function|this"
    r"|from)\b.{0,25})?\?"
    r"|\bdescribe (?:the |your )?(?:requirements?|task|problem|needs?|function)\b|\bhow (?:should"
    r"|does|do|must|would|will|can) (?:it|this|that|the (?:\w+ )?(?:function|result|output|value"
    r"|calculation|thing)s?|everything|i|you)(?: \w+){0,2} (?:work|be (?:calculated|computed|done"
    r"|implemented|determined|derived)|behave|calculated|done|look|go)\b"
    r"|\bhow is (?:it|the (?:result|output|value|function)) (?:calculated|computed|done"
    r"|determined)|\bwhat (?:is|are) (?:the |your )?(?:requirements?|goal|purpose|specification)"
    r"|\bwalk me through\b(?! the expected)|\bwhat should (?:i|the function|it) (?:do|know)\b"
    r"|\bwhat (?:else )?should i know\b|\bwhat do you (?:mean|have in mind)\b"
    r"|\bcan you help me understand (?:the|your|what)\b"
)


def more(asked: Asked) -> list[Part]:
    """Give one topic that was not touched yet, and none the second time."""
    q = asked.question
    if (
        not q.has(MORE)
        or (q.about - stems(["thing", "requirement", "detail", "else", "know", "aware", "consider"]))
        & asked.said.vocabulary
    ):
        return []
    topics = [topic for topic in topics_of(asked.said) if topic.lower() not in asked.before]
    if "you could ask me about" in asked.before or not topics:
        return [asked.part(NOTHING_MORE, "more", kind="hint")]
    return [asked.part(f"You could ask me about {topics[0]}.", "more", kind="hint")]


def topics_of(said: Spoken) -> list[str]:
    """Return what one can ask about, without any value."""
    known = said.knowledge
    topics = []
    if known.parameters:
        topics.append(
            f"what {the(known.parameters[0].name)} look{'' if be(the(known.parameters[0].name)) == 'are' else 's'} like"
        )
    topics.append("the exact form of the result")
    if any(claim.conditional for claim in known.claims):
        topics.append("the conditions and limits")
    if any(isinstance(n, ast.BinOp) for n in known.nodes):
        topics.append("the formula")
    if known.called & {"sorted", "sort"}:
        topics.append("the order")
    if known.called & {"round"}:
        topics.append("rounding")
    if len(known.strings) > 2:
        topics.append("the texts that occur")
    topics.append("special cases such as empty or missing input")
    return topics


def outline(asked: Asked) -> str:
    """Return what the function is about in general: no numbers, no conditions."""
    known = asked.said.knowledge
    names = [the(parameter.name) for parameter in known.parameters if parameter.used]
    takes = f"It works on {listing(names[:5])}" if names else "It takes no input"
    return f"{takes}. You could ask me about {listing(topics_of(asked.said)[:4], 'or')}."


_EMPTY_WORDS = stems(
    [
        "more",
        "detail",
        "details",
        "information",
        "info",
        "requirement",
        "requirements",
        "context",
        "need",
        "needs",
        "know",
        "describe",
        "task",
        "problem",
        "specification",
        "elaborate",
        "work",
        "works",
        "behave",
        "do",
        "mind",
        "purpose",
        "goal",
        "clarification",
        "background",
        "tell",
        "explain",
        "it",
        "exactly",
        "further",
        "additional",
        "else",
        "please",
        "could",
        "describe",
        "guidance",
        "specifics",
        "aware",
        "should",
    ]
)


def entirely_vague(asked: Asked) -> list[Part]:
    """Give the outline to a question that names nothing at all."""
    q = asked.question
    named = any(phrase.lower() in q.whole for decision in asked.task.decisions for phrase in decision.about)
    if named or q.about_all - _EMPTY_WORDS or not q.has(_VAGUE):
        return []
    return [asked.part(outline(asked), "outline", kind="hint")]


def vague(asked: Asked) -> list[Part]:
    """Give the outline, without numbers or special cases."""
    q = asked.question
    if not q.has(_VAGUE):
        return []
    if mentioned(q, asked.said.knowledge) or len(q.about & asked.said.vocabulary) > 1:
        return []
    return [asked.part(outline(asked), "outline", kind="hint")]


_LIKELY = 0.3  # likelihood of a question about what the reference leaves open, for one that may as well be about a case
_NAMED_KIND = (
    r"\bwhich (?:\w+ )?(?:countr|version|models?\b|brands?\b|compan|animals?\b|years?\b)"
    r"|\bcurrency (?:symbol|code|sign)s?\b.*\b(?:matter|strip|remov|accept|allow)"
    r"|\bunits? (?:is|are) (?:something|not)\b|\bunits? is\b"
)
_SURE = 0.8  # likelihood from which the reference is taken to leave it open
_META = (
    r"\b(?:given|measured|expressed|specified|stated|recorded|reported|counted) in (?:\w+(?:, "
    r"| or | and | )){0,4}(?:inch\w*|feet|foot|cm|metres|meters"
    r"|pounds|dollars|euros|kilo\w+|hours|days|weeks|months|minutes|seconds|miles|celsius|fahrenheit)\b|"
    r"\bwhich units?\b|\bunits? (?:of measure\w*|are|is)\b|\bin (?:which|what) (?:\w+ )?(?:unit"
    r"|currency|currencies)\b|\bcurrenc(?:y|ies)\b|\bmeasured in\b|\brecorded in\b"
    r"|\b(?:given|expressed|stored) in (?:kilo|pound|dollar|euro|meter|metre|mile|kg|celsius|hour|second|minute|gram)"
    r"|\bwhat (?:will|would|are) you (?:be )?(?:us|plan|do)\w*|\bused for\b|\bwhere (?:does|do|is"
    r"|will) the \w+ (?:come|stored)|\bhow many \w+ (?:will|would|do you (?:expect|have))"
    r"|\bhow (?:large|big) (?:is|are|will|can)|\broughly how many\b"
    r"|\bwho (?:will|is|are)\b|\bdeadline\b|\bwhich (?:\w+ )?(?:models?|brands?|countr(?:y|ies)"
    r"|compan(?:y|ies)|animals?|version|years?|source|dataset|survey)\b|\bdefinition of\b"
    r"|\bwhat is your definition\b|\breal[- ]world\b|\bdata source\b|\bpython version\b"
)


def meta(asked: Asked) -> list[Part]:
    """Admit what the reference leaves open."""
    q, known = asked.question, asked.said.knowledge
    if asked.likely("meta") > _SURE and not q.polar:
        return [asked.part("I don't know, that isn't specified; it makes no difference here.", "open", kind="unknown")]
    noun = re.search(r"\bwhich (?:\w+ )?(\w+)", q.lower)
    if noun and stem(noun[1]) in known.vocabulary:
        return []
    if not q.has(_META) or (q.polar and not q.has(r"\bcurrenc|\bunit")):
        return []
    if q.has(_NAMED_KIND) and (asked.likely("meta", "unit") < _LIKELY or mentioned(q, known)):
        return []
    units = stems(
        [
            (
                "pound kilogram dollar euro meter metre mile kg celsius fahrenheit hour second minute gram"
                " week month year percent cm mm inch feet km"
            )
        ]
    )
    if units & q.stems & known.vocabulary:
        return []
    return [asked.part("I don't know, that isn't specified; it makes no difference here.", "open", kind="unknown")]


def open_choice(asked: Asked) -> list[Part]:
    """Admit that none of the offered alternatives is determined."""
    q = asked.question
    told = asked.said.vocabulary | frozenset(w for clause in asked.said.clauses for w in clause.stems)
    if q.has(r"\bformat\b|\bdates?\b|\btimes?\b") and asked.said.knowledge.called & {"strptime", "fromisoformat"}:
        return []
    if q.either and _all_foreign(asked, told):
        return [asked.part("I don't know, that isn't specified.", "open", kind="unknown")]
    if (
        not q.either
        or asked.likely("formula", "combine", "result", "labels", "condition") > 0.4
        or q.has(KINDS_OF_MATTER)
        or set(kinds_named(q)) - {"number"}
        or q.has(_NUMBER_KIND)
        or q.has(r"\b(?:do you (?:want|need|expect)|only|just|return|give back)\b")
    ):
        return []
    tail = q.lower[max(q.lower.rfind(":"), q.lower.rfind(","), 0) :] if " or " in q.lower else q.lower
    options = stems(list(re.split(r",| or ", tail))) - PLAIN
    foreign = [w for w in q.about if w not in told]
    if options and not options & told and len(foreign) >= 0.65 * max(len(q.about), 1):
        return [asked.part("I don't know, that isn't specified.", "open", kind="unknown")]
    return []


_OTHER_MATTER = r"\b(?:how|if|when)\b|\bcategor|\b(?:words|names|ids|codes)\b"
_BEING = r"^\W*(?:and |so |but )?(?:is|are|was|were)\b"


def _all_foreign(asked: Asked, told: frozenset[str]) -> bool:
    """Return whether a question asks which of several things something is, and the reference knows none of these."""
    q = asked.question
    options = options_in(q)
    if len(options) < 2 or not q.has(_BEING) or set(kinds_named(q)) - {"number"} or q.has(_OTHER_MATTER):
        return False
    subject = stems(p.name for p in mentioned(q, asked.said.knowledge))
    own = [option.own - subject for option in options]
    if any(re.search(r"\b(?:is|are|does|do|has|have|should)\b", option.text) for option in options[1:]):
        return False
    if any(
        f"{negation}{word}" in q.lower for words in own for word in words for negation in ("un", "non", "in", "dis")
    ):
        return False
    if any(does(concept, asked.said.knowledge) for option in options for concept in option.concepts):
        return False
    foreign = [words for words in own if words and not words & told and not related(words) & told]
    return 3 * len(foreign) >= 2 * len(own) and len(foreign) > 1


_NUMBER_KIND = (
    r"\b(?:(?:single|whole|a|bare) number|numbers?(?:,| or)|share between|multiply by|look like"
    r"|looks like)\b"
)
KINDS_OF_MATTER = (
    r"\b(?:add|sum|average|highest|lowest|largest|smallest|first|last|multipl\w+|names?|labels?|texts?|sentences?|once|twice"
    r"|skip\w*|ignore\w*|loop|formula|string|list|dict\w*|equal|exact\w*|partial|match\w*"
    r"|substring|sum|sort\w*|order|"
    r"ascending|percent\w*|fraction|error|none|zero|empty|return\w*|include\w*|entire|all"
    r"|each|both|absolute|relative|fixed|built-?in|keys?)\b"
)


_UNIT_SURE = 0.6  # likelihood of a question about a unit from which it needs no other sign


def unit(asked: Asked) -> list[Part]:
    """Tell the unit of an argument as far as the reference gives it away."""
    q, known = asked.question, asked.said.knowledge
    if asked.likely("unit") < _UNIT_SURE and not (q.either and q.has(_ABBREVIATED)):
        return []
    if q.polar and not q.either:
        return []
    spoken_of = {stem(word) for word in _UNITS.split()} & q.stems
    if not spoken_of and not q.has(rf"\bunits?\b|\bcurrenc|{_ABBREVIATED}"):
        return []
    if spoken_of & known.vocabulary:
        return []
    for parameter in mentioned(q, known):
        for node in known.nodes:
            if (
                isinstance(node, ast.BinOp)
                and isinstance(node.op, ast.Div)
                and isinstance(node.right, ast.Constant)
                and node.right.value == _HOUR
                and any(isinstance(n, ast.Name) and n.id == parameter.name for n in nodes_of(node.left))
            ):
                return [asked.part("In seconds: it is divided by the 3600 seconds of an hour.", "unit", True)]
    return [asked.part("I don't know, the unit isn't specified; it makes no difference here.", "open", kind="unknown")]


_ABBREVIATED = (
    r"\b(?:[kmgtµnp]?(?:g|l|b|m|s|w|hz|bit|mol|byte)s?/(?:[mµnk]?[lgm]|s|h|min|day))\b|\b[kmgt]i?b(?:it|yte)?s?\b"
)
_HOUR = 3600  # seconds
_UNITS = (
    "pound kilogram dollar euro cent metre meter mile kilometre kg celsius fahrenheit hour second minute gram week"
    " month year day cm mm inch feet foot km ounce litre liter gallon degree gigabyte megabyte"
    " terabyte kilobyte milligram unit milliliter decibel volt watt"
)
