"""Questions that name nothing but a look or a place: what is blue, what is largest, what stands at the bottom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from colbench_gym.humans.page.geometry import TOLERANCE_PX, overlap_x
from colbench_gym.humans.page.view import Part
from colbench_gym.humans.page_critic.questions import facts, looks, positions
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.qualified import (
    Shade,
    color_of,
    colored_boxes,
    is_any,
    largest,
    proposed_colors,
)
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.targets import Target, subject_of
from colbench_gym.humans.page_critic.questions.verdicts.presence import with_verdict
from colbench_gym.humans.page_critic.questions.vocabulary import COLOR, Concept
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.color_names import name_of
from colbench_gym.page_language.statements import CENTRE, ROWS, SIDES, Statement, Subject

_MOST_NAMED = 3  # things in one answer
_SCREEN_PX = 720.0  # the height of the window that pages are shown in
_EITHER = re.compile(r"\bor\b|\bversus\b|\bvs\b|\brather than\b")
_THINGS = r"(?:elements?|things?|parts?|components?|objects?|areas?|accents?|details?|stuff|bits?|spots?|items?)"
_IS_COLORED = re.compile(
    rf"\b(?:what|which)(?:'s| else)?(?: {_THINGS})?(?: of the page| on the page)? ?(?:is|are|should be|comes? in|uses?|"
    rf"has|have|appears?)? ?(?:in )?{COLOR.pattern}|\b(?:where|what for)\b.*\b(?:use|used|appears?|see)\b"
)
_SOME_COLORED = re.compile(
    rf"\b(?:any|some)(?:thing|where)?(?: {_THINGS})?(?: on the page| on it| that)?(?: (?:is|are|be|in))? ?(?:in )?"
    rf"{COLOR.pattern}(?: {_THINGS})?\W*(?:on the page|anywhere|at all|as well|too|there)?\W*$"
)
_SOME = re.compile(r"\b(?:any|some)\b(?! of the)")
_SUPERLATIVE = re.compile(r"\b(largest|biggest|widest|tallest|highest|smallest|tiniest|narrowest)\b")
_SMALL = ("smallest", "tiniest", "narrowest")
_LAST = re.compile(
    r"\b(?:last|lowest|final|bottommost|closing) (?:thing|element|item|part|block|bit|piece|line)\b|"
    r"\b(?:ends?|closes?|finish(?:es)?) with\b|"
    r"\b(?:at|to) the (?:very )?(?:end|bottom|foot)\b(?! of the (?!page|site|screen))|"
    r"\bdown the (?:very )?bottom\b|\bcomes? last\b"
)
_FIRST = re.compile(
    r"\b(?:first|topmost|uppermost|opening) (?:thing|element|item|part|block|bit|piece)\b(?! (?:below|under|after|in))|"
    r"\b(?:starts?|begins?|opens?) with\b|\bat the (?:very )?(?:top|beginning|start)\b(?! of the (?!page|site|screen))|"
    r"\b(?:comes?|see|seen|shown) first\b"
)
_MIDDLE = re.compile(r"\bin the (?:very |dead )?(?:middle|cent(?:er|re))\b(?! of the (?!page|site|screen))")
_AT_SIDE = re.compile(
    r"\b(?:on|at|to|down) the (?:far )?(left|right)(?:[- ]?hand)?(?: side| edge)?\b(?! of the (?!page|site|screen))"
)
_ASKS_WHAT = re.compile(r"\b(?:what|which|anything|something|nothing|anyone)\b")
_SOMETHING = re.compile(r"\b(?:any|some|no)thing\b")
_AT_AN_END = re.compile(r"^(?:bottom|top) of the page|^page bottom")
_CORNER = re.compile(r"\b(?:top|upper|bottom|lower)[- ](?:left|right)\b")
_BETWEEN = re.compile(r"\bbetween\b")
_SPACE = re.compile(r"\b(?:space|spacing|gap|margin|distance|room|far)\b")
_EVERY = re.compile(r"\b(?:all|every|each|everything|both|entire(?:ly)?|throughout)\b")
_LENGTH = re.compile(
    r"\b(?:one|single|a) (?:screen|window|viewport)\b|"
    r"\bhow (?:long|tall|high) (?:is|should|will|would) the (?:\w+ )?page\b|"
    r"\b(?:need|have) to scroll\b|\bpage\b.*\bscroll(?:s|ing)?\b(?! (?:down|along))"
)
_LIGHTER = re.compile(r"\b(darker|lighter|brighter|paler) than\b")
_WHOLE: tuple[Concept, ...] = ("page", "text", "letters", "background")
_ALIGN = {"centred": r"cent(?:er|re)", "aligned left": r"\bleft", "aligned right": r"\bright", "justified": r"justif"}


def survey(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return the answer where a question looks for things by their colour, size or place; nothing for any other."""
    either = _EITHER.search(question.text) is not None
    if not either:
        for look_for in (_by_color, _by_size, _by_place, _between, _of_all, _lighter):
            if told := look_for(question, targets, regions):
                return told
    return _length(question, targets, regions)


def _unnamed(targets: Sequence[Target]) -> bool:
    """Return whether a question names no thing in particular."""
    return all(target.mention.concept in ("page", "background") for target in targets)


def _by_color(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    colors = proposed_colors(question.text)
    if not colors:
        return []
    if question.form == "wh" and _unnamed(targets) and _IS_COLORED.search(question.text):
        return things_colored(colors, regions)
    if question.form != "yesno":
        return []
    if _unnamed(targets) and _SOME_COLORED.search(question.text):
        found = things_colored(colors, regions)
        return with_verdict(found[:2], True) if found else with_verdict(looks.palette(regions)[:2], False)
    if targets and _SOME.search(question.text[: targets[0].mention.start]) and targets[0].mention.concept != "page":
        parts = targets[0].parts
        if targets[0].mention.concept == "text":
            parts = regions.view.texts
        like = [part for part in parts if is_any(color_of(part), colors)]
        told = looks.color_facts(replace(targets[0], parts=tuple(like or parts)[:2], boxes=()), regions)[:1]
        return with_verdict(told, bool(like)) if parts and told and told[0].kind in ("color", "face") else []
    return []


def things_colored(colors: Sequence[Shade], regions: Regions) -> list[Statement]:
    """Return what of a page has one of some colours: the page, its areas, its boxes and buttons, then its texts."""
    found: list[Statement] = []
    if regions.backdrop is None and is_any(name_of(regions.view.layout.background), colors):
        found.append(Statement("color", Subject("page"), name_of(regions.view.layout.background)))
    for area in (regions.header, regions.navigation, regions.sidebar, regions.footer):
        own = area is not None and area.box is not None and area.color is not None
        if own and area is not None and area.color is not None and is_any(name_of(area.color), colors):
            found.append(Statement("color", Subject(area.kind), name_of(area.color)))
    bars = [area.box for area in (regions.header, regions.footer, regions.sidebar, regions.navigation) if area]
    if colors:
        words = " ".join(hue for _, hue in colors)
        boxes = [box for box in colored_boxes(words, regions) if box.kind == "box" and box not in bars]
        labels = [part for box in boxes if (part := regions.view.label(box)) is not None]
        told = looks.color_facts(Target(_CARDS, tuple(labels), boxes=tuple(boxes)), regions) if labels else []
        found += [fact for fact in told if is_any(fact.wanted, colors)]
    for kind in ("button", "heading", "link", "text", "input"):
        like = [part for part in regions.view.things if part.kind == kind and is_any(color_of(part), colors)]
        found += looks.color_facts(Target(_TEXT, tuple(like[:2])), regions)
    return list(dict.fromkeys(found))[:_MOST_NAMED]


_CARDS = Mention("card", "boxes", 0, plural=True)
_TEXT = Mention("text", "text", 0)


def _by_size(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return the largest text or picture where one is asked for."""
    most = _SUPERLATIVE.search(question.text)
    if most is None or question.form != "wh" or len(targets) > 2 or not targets:
        return []
    target, text = targets[0], question.text
    among = regions.view.texts if target.mention.concept == "text" and target.mention.where is None else target.parts
    if len(among) < 2 or target.mention.concept == "title":
        return []
    part = largest(among, smallest=most[1] in _SMALL)
    single = replace(target, parts=(part,), boxes=(), region=None)
    if most.start() < target.mention.start and question.quality not in (None, "wording", "width", "contents"):
        return []  # "what colour is the largest button": the button is told apart by its size
    said = facts.wordings(single, regions) if part.block else positions.spot(single, regions)
    if re.search(r"\bhow\b", text) or question.quality in ("width", "letters"):
        return positions.sizes(single, regions)
    return said


def _by_place(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return what stands at a place of the page where only the place is named."""
    text = question.text
    named = [
        target
        for target in targets
        if target.mention.concept not in (*_WHOLE, "column", "section") and not _AT_AN_END.search(target.mention.words)
    ]
    if (
        named
        or _CORNER.search(text)
        or not _ASKS_WHAT.search(text)
        or question.quality in ("color", "align", "width", "height", "count")
    ):
        return []
    yesno = question.form == "yesno"
    if yesno and not _SOMETHING.search(text):
        return []
    things = [part for part in regions.view.things if part.kind != "blank box"]
    if not things:
        return []
    side = _AT_SIDE.search(text)
    if _LAST.search(text):
        return _edge(things[-1], ROWS[2], regions, yesno=yesno)
    if side and len(regions.columns) < 2:
        words = SIDES[0] if side[1] == "left" else SIDES[2]
        found = [part for part in things if positions.spot_side(part, regions) == words]
        told = [fact for part in found[:_MOST_NAMED] for fact in positions.spot(Target(_TEXT, (part,)), regions)]
        if yesno:
            return with_verdict(told[:1], True) if told else []
        return told
    if side:
        return []
    if _FIRST.search(text):
        return _edge(things[0], ROWS[0], regions, yesno=yesno)
    if _MIDDLE.search(text):
        layout = regions.view.layout

        def apart(part: Part) -> float:
            rect = part.rect
            across = abs(rect.x + rect.width / 2 - layout.width / 2)
            return across + abs(rect.y + rect.height / 2 - layout.height / 2)

        central = [part for part in things if positions.spot_words(part.rect, regions) in (CENTRE, ROWS[1])]
        nearest = sorted(central or things, key=apart)[:2]
        return [fact for part in nearest for fact in positions.spot(Target(_TEXT, (part,)), regions)]
    return []


def _edge(part: Part, row: str, regions: Regions, *, yesno: bool) -> list[Statement]:
    """Return what stands first or last: the bar there, or the thing itself."""
    area = regions.footer if row == ROWS[2] else regions.header
    if area is not None and area.box is not None and regions.held(area.rect):
        concept: Concept = "footer" if row == ROWS[2] else "header"
        told = facts.contents(Target(Mention(concept, concept, 0), region=area), regions)
        return with_verdict(told, True) if yesno else told
    spots = positions.spot(Target(_TEXT, (part,)), regions)[:1]
    if yesno:
        return with_verdict(spots, spots[0].wanted.startswith(row)) if spots else []
    said = facts.wordings(Target(_TEXT, (part,)), regions) if part.block else []
    return [*said, *spots]


def _between(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return what stands between two things, or the space that is there where nothing does."""
    found = _BETWEEN.search(question.text)
    if found is None or _SPACE.search(question.text) or question.quality in ("gap", "count"):
        return []
    ends = [target for target in targets if target.mention.start > found.start() and target.rect is not None]
    if len(ends) < 2 or not _ASKS_WHAT.search(question.text):
        return []
    first, second = (target.rect for target in ends[:2])
    if first is None or second is None:
        return []
    upper, lower = sorted((first, second), key=lambda rect: rect.y)
    inner = [
        part
        for part in regions.view.things
        if part.kind != "blank box"
        and part.rect.y >= upper.y + upper.height - TOLERANCE_PX
        and part.rect.y + part.rect.height <= lower.y + TOLERANCE_PX
        and (overlap_x(part.rect, lower) > 0 or overlap_x(part.rect, upper) > 0)
    ]
    if not inner:
        return positions.gaps(ends[:2], regions)
    told: list[Statement] = []
    for part in inner[:_MOST_NAMED]:
        target = Target(_TEXT, (part,))
        told += facts.wordings(target, regions)[:1] if part.block else positions.spot(target, regions)[:1]
    return with_verdict(told, True) if question.form == "yesno" else told


def _of_all(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge what is proposed of all things of a kind: that they are centred, bold, or of one colour."""
    text = question.text
    if question.form != "yesno" or not _EVERY.search(text) or len(targets) > 1:
        return []
    target = targets[0] if targets else Target(Mention("text", "text", 0))
    parts = regions.view.texts if _unnamed(targets) or target.mention.concept == "text" else target.parts
    if not parts or target.boxes or parts[0].block is None:
        return []
    wanted = [words for words, pattern in _ALIGN.items() if re.search(pattern, text)]
    colors = proposed_colors(text)
    judged: list[tuple[list[Statement], bool]] = []
    for part in parts:
        single = Target(replace(target.mention, concept="text"), (part,))
        if question.quality in ("align", "place") and wanted:
            told = positions.alignment(single, regions)
            fits = bool(told) and told[0].kind == "align" and told[0].wanted in wanted
            fits = fits or (
                bool(told) and told[0].kind == "spot" and "centred" in wanted and SIDES[1] in told[0].wanted
            )
        elif question.quality == "bold":
            told = looks.boldness(single, regions)
            fits = bool(told) and told[0].wanted == "bold"
        elif colors and question.quality in ("color", None):
            told = looks.color_facts(single, regions)[:1]
            fits = is_any(color_of(part), colors)
        else:
            return []
        judged.append((told, fits))
    lost = next((told for told, fits in judged if not fits), None)
    if lost is not None:
        return with_verdict(lost[:1], False) if lost else []
    return with_verdict([fact for told, _ in judged[:2] for fact in told[:1]], True)


def _lighter(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge which of two things is darker."""
    than = _LIGHTER.search(question.text)
    if than is None or len(targets) < 2 or question.form != "yesno":
        return []
    both = [fact for target in targets[:2] for fact in looks.color_facts(target, regions)[:1] if fact.kind == "color"]
    if len(both) < 2:
        return []
    first, second = (looks.lightness(fact.wanted) for fact in both)
    if both[0].wanted == both[1].wanted:
        return with_verdict(both, False)
    return with_verdict(both, (first < second) == (than[1] == "darker"))


def _length(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return how high the page is where a question asks if it fits on a screen."""
    if not _LENGTH.search(question.text) or not _unnamed(targets):
        return []
    told = positions.sizes(Target(Mention("page", "page", 0)), regions)
    if question.form == "yesno" and not _EITHER.search(question.text):
        fits = regions.view.layout.height <= _SCREEN_PX
        return with_verdict(told, fits != ("scroll" in question.text))
    return told


def sequence(targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return the order, from top to bottom, of two and more things that are named; of one card where it is named."""
    named = [target for target in targets if target.mention.concept not in ("page", "section", "item")]
    card = next((target for target in named if target.mention.concept == "card" and target.boxes), None)
    rest = [target for target in named if target is not card]
    inner = [part for part in regions.held(card.boxes[0].rect) if part.name or part.kind == "picture"] if card else []
    if card is not None and len(rest) > 1 and len(inner) > 1:
        return [
            Statement("outline", None, items=tuple(regions.view.subject(part) for part in inner[: facts.MAX_NAMED]))
        ]
    items: list[tuple[float, Subject]] = []
    for target in rest:
        if target.region is not None:
            items.append((target.region.rect.y, Subject(target.region.kind)))
        elif target.parts:
            items.append((target.parts[0].rect.y, subject_of(target.parts[0], regions)))
    if len(items) < 2 or len(items) < len(rest):
        return []
    return [Statement("outline", None, items=tuple(subject for _, subject in sorted(items, key=lambda one: one[0])))]
