"""The request: written from a plan in somebody's voice, and read back into the plan and what is told and pointed at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, repeat

from colbench_gym.tasks.generated_backend.matters import Matter, Settings, grid, quoted, several, upper
from colbench_gym.tasks.generated_backend.ontology import Domain, domains
from colbench_gym.tasks.generated_backend.ontology.needs import asks
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan, Role
from colbench_gym.tasks.generated_backend.shapes.registry import SHAPES, all_matters, composed, fits, named, slots_of
from colbench_gym.tasks.generated_backend.wordings import voices
from colbench_gym.tasks.permutation import Draw

_SIGNATURE = " The signature of the function is: "
_DEFINITION = re.compile(r"def (\w+)\(([^\n]*)\)\s*$")
_VERB = re.compile(r"\b(\w+)~")  # a verb of a goal, which stands behind "to" or behind "that"
_LITERAL = re.compile(r"(\"[^\"]*\"|`[^`]*`|(?<!\w)'[^']*'(?!\w))")  # nobody mistypes these here
_LAST = re.compile(r" and (?=the |how |wh|their |its |in |')")  # of a list: most people put a comma before it
_UNSURE = re.compile(r"I(.m not|.d have| don.t (know|have|really|remember)| have no idea| haven.t)\b")
_IS = re.compile(r"\bis (never )?(?=more|at least)")
_JOINED = re.compile(r"([.?!]) , (\w+ \w+)")  # a sentence that goes on, unless it is a question
_APART = re.compile(r"( but |n't | not |(^|[.?!] )(Please|Write|Make) )([^.?!]|[.?!](?! |$))*[.?!]*$")
_ENDS = re.compile(r"(?<![.?!])[.?!]+(?=\s)")
_ASKS = re.compile(r"\?|[Pp]lease|[Aa]gent|[Ww]rite (it|me|the|a) |[Mm]ake (me )?a |^(Create|Help|I (want|need) you)")
_CONSIDERS = re.compile(r"account|consider|based on|depends|combine|matter")  # more than arguments can be named
SPLITS_BY_VOICE = ("train", "validation", "test")  # these share domains and compositions, but no request
_PER_CENT = {"brief": 45, "greeting": 14, "closing": 18, "upper": 45, "key": 8, "early": 8}
_SLIPS = {"apostrophes": 3, "comma": 6, "typo": 2, "stop": 3}  # per cent: how often somebody makes one
_QUOTES = ("'", "'", '"', "`", "")  # around names of fields
_STOCK = 5  # one request in so many is put in a stock frame where somebody wrote whole ones
_TURNS = 24  # whole requests are tried, before a stock frame is taken
_OFTEN = 2  # times as often as other frames are the plain ones


@dataclass(frozen=True)
class Voice:
    """Manner in which a request is said: who asks, in which order.

    Attributes:
        greeting: may be empty.
        frame: sentences that the parts of the request are put in.
        closing: may be empty.
    """

    greeting: str
    frame: str
    closing: str


def draw_voice(plan: Plan, told: Sequence[str], split: str, draw: Draw) -> Voice:
    """Return a voice; nothing tells the same of a domain and shape in it in two of train, validation and test."""
    domain, shape = plan.domain, plan.shape
    kind = "factor" if shape == "charge" else "say" if any("~" in text for text in told) else "bare"
    unsure = any(map(_UNSURE.match, told))  # is said once
    whole = asks(domain, shape, plan.operators, kind) if draw.below(_STOCK) else ()
    every = voices()[kind] + voices()[f"often {kind}"] * _OFTEN
    stock = [frame for frame in every if not (unsure and _UNSURE.search(frame))]
    own = [frame for frame in whole if not (unsure and _UNSURE.search(frame))] or stock
    pools = chain(repeat(own, _TURNS), repeat(stock))  # whole requests are few, and may all be of other splits
    while True:
        frames = next(pools)
        brief = _rarely("brief", draw)
        frame = min((draw.pick(frames) for _ in range(1 + 2 * brief)), key=len)
        said = {p: draw.pick(voices()[p]) * (_rarely(p, draw) and not brief) for p in ("greeting", "closing")}
        closing = said["closing"] if not _ASKS.search(frame) or "?" not in said["closing"] else ""
        voice = Voice(said["greeting"] * ("agent" not in frame), frame, closing)
        text = repr((voice, domain.key, shape, told)).encode()
        owner = {0: "validation", 1: "test"}.get(blake2b(text, digest_size=4).digest()[0] % 10, "train")
        if split not in SPLITS_BY_VOICE or owner == split:
            return voice


def _rarely(part: str, draw: Draw) -> bool:
    return draw.below(100) < {**_PER_CENT, **_SLIPS}[part]


def request(plan: Plan, told: Sequence[str], points: Sequence[str], voice: Voice, draw: Draw, reference: str) -> str:
    """Write a request: what the program is for, what is handed in, what is told, what is pointed at.

    Args:
        plan: the public part of the program.
        told: sentences, and the verb phrase of what comes back.
        points: clauses that point at something, and noun phrases behind a question mark that do.
        voice: whose words they are.
        draw: draws the wordings.
        reference: names of fields that stand in it stand in the request too.
    """
    goal, result, *handed = (draw.pick(slot or ("",)) for slot in slots_of(plan.shape, plan.domain, plan.number))
    if plan.shape == "charge":  # a frame that hands over arguments wants nouns
        clauses = _CONSIDERS.search(voice.frame) and draw.below(3)
        handed = [_with_comma(slots_of(plan.shape, plan.domain, plan.number)[2][bool(clauses)])]
    result = next((text for text in told if "~" in text), result)
    verbs = (("", goal), ("ret_", result))
    parts = {f"{name}{form}": in_form(text, form) for form in ("to", "that") for name, text in verbs}
    asked, _, last = voice.frame.format(np=", and ".join(handed), **parts).partition(" || ")
    sentences = [*(text for text in told if "~" not in text), *_handed(plan)]
    early = _rarely("early", draw)
    apart = any("~" in text for text in told) or _APART.search(asked) is not None
    hints = [*_pointing(points, apart or bool(sentences and not early), draw)]
    text = " ".join(filter(None, [asked, *(hints + sentences if early else sentences + hints), last, voice.closing]))
    text = _JOINED.sub(lambda m: f", {m[2]}" if m[1] == "." else f"{m[1]} {upper(m[2].partition(' ')[2])}", text)
    if voice.greeting.endswith(",") and not text.startswith(("I ", "I'")):
        text = text[0].lower() + text[1:]
    text = _slipped(f"{voice.greeting} {text}".strip(), draw)
    if "{keys}" in text:
        text = text.replace("{keys}", _fields(plan, reference, "look like {keys}" in text, draw))
    return f"{text}{_SIGNATURE}{plan.signature}"


def _fields(plan: Plan, reference: str, as_example: bool, draw: Draw) -> str:
    """Return the fields of a thing, one after the other or with a value each; all are there that a program reads."""
    domain, main = plan.domain, int(plan.operators["main"])
    every = {} if plan.operators["source"] == "nested" else {"name": quoted(domain.names[0])}
    every |= {m.name: grid(m, 0.5)[0] for m in (domain.measures * 2)[main : main + 2]}
    every |= {domain.kind: quoted(domain.kinds[0]), domain.flags[0][0]: "True"}
    shown = [name for name in every if repr(name) in reference or _rarely("key", draw)]
    fields = shown if len(shown) > 1 else list(dict.fromkeys([*shown, *every]))[:2]
    if as_example:
        return f"{{{', '.join(f'{quoted(name)}: {every[name]}' for name in fields)}}}"
    quote = draw.pick(_QUOTES)
    return _with_comma(several(f"{quote}{name}{quote}" for name in fields))


def _with_comma(text: str) -> str:
    """Return a list of three or more with a comma before its last part."""
    last = max((match.start() for match in _LAST.finditer(text)), default=-1)
    return f"{text[:last]},{text[last:]}" if 0 <= text.find(", ") <= last - 2 else text


def _handed(plan: Plan) -> list[str]:
    """Return a sentence for each parameter by which a caller decides; a unit behind its name is left out."""
    every = {m.key: m for m in all_matters(plan.shape, plan.domain, plan.number)}
    handed = [(name := plan.names[k], every[k].handed(code, name).says[0]) for k, code in plan.defaults.items()]
    shorter = [re.sub(f"(than|least) {name} .*", rf"\1 {name}.", text) for name, text in handed]
    return [_IS.sub(lambda m: f"should {m[1] or ''}be ", text) for text in shorter]


def _pointing(points: Sequence[str], apart: bool, draw: Draw) -> Iterator[str]:
    """Yield sentences that point at something; the first may go on with what is before it."""
    listed = several(point[1:] for point in points if point[0] == "?")
    pairs = [("mine" if _UNSURE.match(point) else "hint", point, "") for point in points if point[0] != "?"]
    topics = [("topic", listed, "")] * bool(listed)
    if len(pairs) > 1 and draw.below(4):  # two in one sentence
        pairs[:2] = [("hints", pairs[0][1], pairs[1][1])]
    elif pairs and topics:
        pairs[-1:] = [("both", pairs[-1][1], topics.pop(0)[1])]
    for kind, clause, other in [*pairs, *topics]:
        frames = [frame for frame in voices()[kind] if frame[0] != "," or not apart]
        yield draw.pick(frames).format(p=clause, P=upper(clause), q=other, Q=upper(other), t=other or clause)
        apart = True


def _slipped(text: str, draw: Draw) -> str:
    """Return a text as somebody types it: the spelling of one country, now and then a slip, never in a literal."""
    slips = {slip: _rarely(slip, draw) for slip in _SLIPS}
    swaps = [pair.split(">") for pair in voices()["spellings"]] if draw.below(2) else []
    right, wrong = draw.pick(voices()["typos"]).split(">")
    pieces = _LITERAL.split(text)
    for place in range(0, len(pieces), 2):
        piece = pieces[place]
        for british, american in swaps:
            piece = piece.replace(british, american)
        if _rarely("upper", draw):
            piece = piece.replace("python", "Python")
        if slips["apostrophes"]:
            piece = piece.replace("'", "")
        if slips["comma"]:
            piece = re.sub(r", (?=(?:and|but|so|it|please|can|I) )", " ", piece)
        pieces[place] = piece.replace(right, wrong, 1) if slips["typo"] else piece
    return "".join(pieces).rstrip("." if slips["stop"] else " ")


@lru_cache(maxsize=65536)
def in_form(goal: str, form: str) -> str:
    """Return a goal with its verbs as they stand behind "to" or "that"."""
    return _VERB.sub(lambda match: match[1] if form == "to" else third_person(match[1]), goal)


def third_person(verb: str) -> str:
    """Return a verb with its ending in the third person."""
    if verb.endswith(("s", "sh", "ch", "x", "z", "go")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


@lru_cache(maxsize=1)
def _respelled() -> tuple[re.Pattern[str], dict[str, str]]:
    known = {new: old for pair in voices()["typos"] + voices()["spellings"] for old, new in [pair.split(">")]}
    return re.compile("|".join(known)), known


@lru_cache(maxsize=262144)
def plain(text: str) -> str:
    """Return a text between blanks, without what people leave out or spell in more than one way."""
    pattern, known = _respelled()
    text = pattern.sub(lambda match: known[match[0]], re.sub("[,'()]", "", text.lower()))
    return f" {_ENDS.sub(' /', text.rstrip('.?! '))} "  # what is said does not go on in the next sentence


@lru_cache(maxsize=262144)
def _forms(wording: str) -> tuple[str, ...]:
    """Return how a wording may stand in a plain text, up to what differs from request to request."""
    wording = wording.partition("{keys}")[0].strip("? ")
    return tuple(dict.fromkeys(plain(in_form(wording, form)) for form in ("to", "that")))


def _said(wordings: Iterable[str], text: str) -> bool:
    return any(form in text for wording in wordings for form in _forms(wording))


def told_in(text: str, matters: Iterable[Matter]) -> dict[str, str | None]:
    """Return the alternatives whose sentences stand in a text; None is told where there is nothing of the kind."""
    found: dict[str, str | None] = {}
    text = plain(text)
    for matter in matters:
        if _said(matter.off, text) or _said(matter.off_tells, text):
            found[matter.key] = None
        for option in matter.options:
            if _said(option.says, text) or _said(option.tells, text):
                found[matter.key] = option.code
    return found


def pointed_in(text: str, matters: Iterable[Matter]) -> set[str]:
    """Return the keys of matters that a text points at."""
    text = plain(text)
    special = _said(voices()["special"], text)
    return {m.key for m in matters if _said(m.points + m.around, text) or (special and m.group)}


def may_be_open(description: str, matters: Sequence[Matter]) -> list[Matter]:
    """Return what a request may leave open: what it points at (if at anything), needs, or anybody would ask."""
    text = description.rpartition(_SIGNATURE)[0]
    told, pointed = told_in(text, matters), pointed_in(text, matters)
    shown = pointed or {m.key for m in matters if m.usual}
    return [m for m in matters if m.key not in told and (m.core or m.asked or m.key in shown)]


def read_request(description: str) -> Plan | None:
    """Return the plan that a request was written from; None when it is not one of ours."""
    text, _, signature = " ".join(description.split()).rpartition(_SIGNATURE.strip())
    definition = _DEFINITION.fullmatch(signature.strip())
    if definition is None:
        return None
    parts = [part.partition("=") for part in definition[2].split(", ")]
    given = [(name.strip(), default) for name, _, default in parts]
    return next(_plans(plain(text.strip()), definition[1], given), None)


def _plans(text: str, function: str, given: list[tuple[str, str]]) -> Iterator[Plan]:
    for domain in domains().values():
        for name, shape in SHAPES.items():
            for number in _told(text, function, name, domain):
                operators = composed(name, domain)[number]
                roles = shape.roles(domain, operators)
                required, rest = given[: len(roles)], given[len(roles) :]
                if len(required) < len(roles) or not all(fits(r, n) for (n, _), r in zip(required, roles, strict=True)):
                    continue
                names = {role.key: parameter for role, (parameter, _) in zip(roles, required, strict=True)}
                choices = [Role(*choice) for choice in shape.parameters(domain, operators).items()]
                defaults = {role.key: d for parameter, d in rest for role in choices if fits(role, parameter)}
                names |= {role.key: parameter for parameter, _ in rest for role in choices if fits(role, parameter)}
                if len(defaults) == len(rest):
                    yield Plan(name, domain, number, operators, function, names, defaults)


def _told(text: str, function: str, shape: str, domain: Domain) -> list[int]:
    """Return the compositions that have such a function and all phrases in a text, that with the longest first."""
    here: dict[tuple[str, ...], int] = {}
    found = {}
    for number in named(shape, domain).get(function, ()):
        goal, _, *given = slots_of(shape, domain, number)
        for slot in (goal, *given):
            if slot not in here:
                here[slot] = max((len(form) for wording in slot for form in _forms(wording) if form in text), default=0)
        every = asks(domain, shape, composed(shape, domain)[number])
        standing = (ask for ask in every if all(plain(part).strip() in text for part in ask.split("{np}")))
        whole = max(map(len, standing), default=0)
        if whole or all(here[slot] for slot in (goal, *given)):
            found[number] = whole + sum(here[slot] for slot in (goal, *given))
    return sorted(found, key=lambda number: -found[number])


def as_settings(told: Mapping[str, str | None]) -> Settings:
    """Return what is told without that of which there is nothing."""
    return {key: code for key, code in told.items() if code is not None}
