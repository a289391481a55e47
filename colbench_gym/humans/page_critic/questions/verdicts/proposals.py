"""Proposals in yes/no questions that the wanted page decides: a colour, a number, a size, a place, a wording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from colbench_gym.humans.page.geometry import in_a_row
from colbench_gym.humans.page_critic.questions import facts, looks, positions
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.qualified import IN_A_COLORED, boxed, is_any, proposed_colors
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target
from colbench_gym.humans.page_critic.questions.verdicts.presence import with_verdict
from colbench_gym.humans.page_critic.questions.vocabulary import (
    ALIGNED,
    NUMBERS,
    OF_THE_THING,
    ROW_WORDS,
    SIDE_WORDS,
    TONE,
    Concept,
    Quality,
)
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.humans.page_critic.ways import WAY_WORDS, way_before
from colbench_gym.page_language.color_names import oklab, rgb_of
from colbench_gym.page_language.statements import CENTRE, SHARES, SIDES, Statement, Subject

_EQUAL_WIDTH_PX = 24.0  # columns that differ by less look equally wide
_DARK, _LIGHT = 0.55, 0.72  # lightness in OKLab: what is called dark at most, and light at least
_FULL, _LARGE = 0.9, 0.5  # of the page's width: what "full-width" and "large" ask for at least
_NUMBER = re.compile(
    rf"\b(\d{{1,2}}|{'|'.join(word for word in NUMBERS if word not in ('no', 'one', 'single'))})\b[\w -]{{0,24}}$"
)
FULL_WIDTH = re.compile(
    r"\bfull[- ](?:width|bleed|screen)\b|"
    r"\bas wide as (?:the|my|your) (?:\w+ )?(?:page|screen|window|site)\b|\bedge to edge\b|\bspan\w*\b|"
    r"\bentire width\b|\bwhole width\b|"
    r"\ball the way\b|\bside to side\b|\b(?:cover|fill)\w*\b|\b(?:entire|whole|full) (?:screen|page|window|viewport)\b"
)
_HALF = re.compile(r"\bhalf\b|\b(?:a|one|two) thirds?\b|\b(?:a|one|three) quarters?\b")
_WITH_LETTERS = re.compile(r"\b(?:with|and) (?:\w+ ){0,2}(?:text|letters|lettering|writing|font)\b")
_NEGATED = re.compile(r"\b(?:no|not|without|never|n't|isn't|shouldn't)\b")


def _color_of(target: Target, question: Question, regions: Regions) -> list[Statement]:
    text = question.text
    return looks.color_facts(
        target,
        regions,
        ground="background" in text,
        letters=bool(re.search(r"\b(?:text|letter\w*|font|writing|links?) ?colou?r|\bletter|\bfont", text)),
    )


def _of_color(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there]
    if not targets or not targets[0].is_there:
        return []
    if held := _in_a_colored_box(question, targets[0], regions):
        return held
    text = re.split(r"\b(?:while|whereas)\b", question.text)[0]
    if targets[0].mention.concept not in ("text", "letters", "title", "heading", "link"):
        text = _WITH_LETTERS.sub(" ", text)  # "dark with white text": the bar is meant to be dark
    if len(proposed_colors(text)) > 1 or question.quality not in ("color", None):
        text = OF_THE_THING.sub(" ", text)  # "is the white card centred"
    colors, tone = proposed_colors(text), TONE.search(text)
    if len(present) > 1 and _SAME_COLOR.search(question.text):
        both = [
            fact for target in present[:2] for fact in _color_of(target, question, regions)[:1] if fact.kind == "color"
        ]
        return with_verdict(both, len({fact.wanted for fact in both}) == 1) if len(both) == 2 else []
    if not present or not (colors or (tone and question.quality in ("color", None))):
        return []
    stated = [fact for fact in _color_of(present[0], question, regions) if fact.kind in ("color", "face", "backdrop")]
    if not stated:
        return []
    stated = stated[:1]
    if stated[0].kind == "backdrop":
        return with_verdict(stated, False)
    name = stated[0].wanted.split(" with ")[0]
    if colors:
        return with_verdict(stated, is_any(name, colors))
    lightness = oklab(rgb_of(name))[0]
    return with_verdict(stated, lightness < _DARK if tone is not None and tone[1] == "dark" else lightness > _LIGHT)


_SAME_COLOR = re.compile(r"\b(?:same|matching|identical) (?:\w+ )?(?:colou?r|background|shade|tone)s?\b|\bmatch\b")


def _in_a_colored_box(question: Question, target: Target, regions: Regions) -> list[Statement]:
    """Judge whether a thing stands in a box of some colour: "Is the text in a white box?"."""
    named = IN_A_COLORED.match(question.text[target.mention.end :])
    part = next((part for part in target.parts if part.block), None)
    box = regions.view.box(part) if part is not None else None
    if named is None or part is None:
        return []
    if box is None:
        return with_verdict(looks.color_facts(Target(Mention("page", "page", 0)), regions)[:1], False)
    told = looks.color_facts(boxed(Mention("card", "box", 0), [box], regions), regions)[:1]
    fits = told and told[0].kind == "color" and is_any(told[0].wanted, proposed_colors(named["color"]))
    return with_verdict(told, bool(fits)) if told else []


def _of_count(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    for target in targets:
        before = question.text[: target.mention.start]
        number = _NUMBER.search(before)
        one_column = target.mention.concept == "column" and re.search(r"\b(?:one|single) $", before)
        only = one_column or (
            re.search(r"\b(?:one|single)\b[\w -]{0,12}$", before)
            and re.search(r"\b(?:only|just|single)\b", question.text)
        )
        if number is None and target.mention.plural and _SEVERAL.search(before):
            counted = facts.count_facts(target, regions)
            few = counted and counted[0].wanted.split()[0] in ("no", "none", "1")
            return with_verdict(counted[:1], False) if few else []
        if (number is None and not only) or not (target.mention.plural or only or target.mention.concept == "column"):
            continue
        if question.quality == "compare" or (number and _KNOWN.search(before[: number.start()])):
            continue
        wanted = 1 if number is None else int(number[1]) if number[1].isdigit() else NUMBERS[number[1]]
        counted = facts.count_facts(target, regions)
        words = counted[0].wanted.split()[0] if counted and counted[0].wanted else ""
        actual = 0 if words in ("no", "none") else 1 if words == "a" else int(words) if words.isdigit() else None
        if actual is None:
            continue
        if actual != wanted or question.form == "yesno":
            return with_verdict(counted, actual == wanted)
    return []


_SEVERAL = re.compile(r"\b(?:several|multiple|many|a few|a couple of)\b[\w -]{0,24}$")
_KNOWN = re.compile(r"\b(?:the|these|those|your|my|all|both) $")  # "the two buttons": their number is no proposal


def _of_width(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there]
    if question.quality == "compare" and not _AS_THE_PAGE.search(question.text):
        present = [target for target in present if target.mention.concept != "page"]
        rects = [area.rect for target in present if isinstance(target, ColumnsTarget) for area in target.areas]
        stated = [fact for target in present for fact in positions.sizes(target, regions, high=False)]
        if len(rects) < 2 and present and len(present[0].boxes) > 1:
            rects = [box.rect for box in present[0].boxes]
        if len(rects) < 2:
            rects = [target.rect for target in present[:2] if target.rect]
        if len(rects) < 2 and present and len(present[0].parts) > 1:
            rects, several = [part.rect for part in present[0].parts], present[0].parts[:2]
            stated = [
                fact
                for part in several
                for fact in positions.sizes(replace(present[0], parts=(part,)), regions, high=False)
            ]
        if len(rects) < 2 or not stated:
            return []
        if len(present) > 1 and not any(isinstance(target, ColumnsTarget) for target in present):
            return with_verdict(stated[:2], len({fact.wanted for fact in stated[:2]}) == 1)
        widths = [rect.width for rect in rects]
        return with_verdict(stated[:2], max(widths) - min(widths) <= _EQUAL_WIDTH_PX)
    if not (FULL_WIDTH.search(question.text) or _HALF.search(question.text)) or not present:
        return []
    stated = positions.widths(present[0], regions)[:1]
    if not stated or stated[0].kind != "width":
        return []
    rect = present[0].rect
    if _SCREEN.search(question.text) and rect is not None and not _HALF.search(question.text):
        full = rect.width >= _FULL * regions.view.layout.width and rect.height >= _FULL * min(
            SCREEN_PX, _page_px(regions)
        )
        high = [fact for fact in positions.sizes(present[0], regions, wide=False) if fact.kind == "height"]
        return with_verdict([*high, *stated] if not full and high else [*stated, *high], full)
    share = SHARES[stated[0].wanted]
    if FULL_WIDTH.search(question.text):
        return with_verdict(stated, share >= _FULL)
    named = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}
    said = next((value for word, value in named.items() if word in question.text), 0.5)
    said *= 2 if "two thirds" in question.text else 3 if "three quarters" in question.text else 1
    return with_verdict(stated, abs(share - said) < 0.06)


_AS_THE_PAGE = re.compile(r"\bas wide as (?:the|my|your) (?:\w+ )?(?:page|screen|window|site)\b")
_SCREEN = re.compile(
    r"\b(?:screen|window|viewport|everything)\b(?!'s? width)|\b(?:whole|entire|full) page\b(?!'s? width)"
)
SCREEN_PX = 720.0  # the height of the window that pages are shown in


def _page_px(regions: Regions) -> float:
    return regions.view.layout.height


def _of_wording(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    if not question.quoted or question.quality not in ("wording", "presence", None, "contents"):
        return []
    if any(target.mention.concept not in _TEXTUAL for target in targets if target.mention.end):
        return []  # "does the “Contact” section have a form": the words name a thing, and are not asked for
    if _BY_QUOTE.search(question.text):
        return []  # "a text under “Contact”"
    said = {" ".join(words.lower().split()).strip(" .,") for words in question.quoted}
    texts = [part for target in targets for part in target.parts if part.block]
    stated = [
        fact for target in targets for fact in facts.wordings(target, regions) if fact.kind in ("wording", "order")
    ]
    if not texts:
        held = [part for part in regions.view.texts if part.name.lower() in said]
        words = question.quoted[0].strip(" .,!?")
        nowhere = all(words.lower() not in part.block.text.lower() for part in regions.view.texts if part.block)
        if not held and len(question.quoted) == 1 and nowhere and "”" not in words:
            return with_verdict([Statement("mention", None, words)], False)
        return with_verdict([Statement("wording", Subject(held[0].kind), held[0].name)], True) if held else []
    yes = any(
        part.block and " ".join(part.block.text.lower().split()).strip(" .,") in said for part in texts[:MAX_COMPARED]
    )
    return with_verdict(stated[:1], yes) if stated else []


def _of_larger(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge whether one text has larger letters than another, or one thing is wider."""
    than = _THAN.search(question.text)
    sides = [
        [t for t in targets if t.is_there and t.mention.concept != "page" and (t.mention.start > than.start()) == after]
        for after in (False, True)
        if than is not None
    ]
    if than is None or not all(sides):
        return []
    first, second = sides[0][0], sides[1][0]
    texts = [side.parts[0] for side in (first, second) if side.parts and side.parts[0].block]
    sizes = [part.block.font_px for part in texts if part.block]
    smaller = than[1].startswith(("small", "narrow"))
    if len(sizes) == 2 and sizes[0] != sizes[1] and "wid" not in than[1]:
        stated = [fact for side in (first, second) for fact in looks.letter_sizes(side, regions)[:1]]
        return with_verdict(stated, (sizes[0] < sizes[1]) == smaller)
    rects = [side.rect for side in (first, second)]
    if rects[0] is None or rects[1] is None or isinstance(first, ColumnsTarget) or isinstance(second, ColumnsTarget):
        return []
    stated = positions.comparison([first, second], regions)
    return with_verdict(stated, (rects[0].width < rects[1].width) == smaller) if stated else []


_BY_QUOTE = re.compile(rf"\b(?:{WAY_WORDS}) (?:the )?(?:\w+ )?['\"]")
_TEXTUAL: tuple[Concept, ...] = (
    "title", "subtitle", "heading", "text", "link", "button", "caption", "copyright", "label", "item", "page",
    "paragraph", "letters", "brand", "input", "search field", "navigation bar", "header", "footer", "contact", "logo",
)  # fmt: skip
MAX_COMPARED = 10  # texts that quoted words are held against
_THAN = re.compile(r"\b(larger|bigger|smaller|wider|broader|narrower)(?: (?:\w+ ){0,2}than\b)")


_SHAPES: tuple[Quality, ...] = ("corners", "border", "bold", "letters")


def _of_arrangement(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge whether like things stand side by side or below one another."""
    stacked, abreast = _STACKED.search(question.text), _ABREAST.search(question.text)
    present = [target for target in targets if target.is_there and target.mention.concept not in ("page", "column")]
    if bool(stacked) == bool(abreast) or not present:
        return []
    if len(present) > 1 and present[0].rect is not None and present[1].rect is not None:
        told = positions.places(present[0], present[1], regions)[:1]
        beside = in_a_row(present[0].rect, present[1].rect)
        return with_verdict(told, beside == bool(abreast)) if told and told[0].kind == "place" else []
    stated = [fact for fact in facts.arrangement(present[0], regions) if fact.kind == "columns"]
    return with_verdict(stated, (stated[0].wanted == "1 column") == bool(stacked)) if stated else []


_STACKED = re.compile(r"\bvertical(?:ly)?\b(?! cent)|\bstacked\b|\b(?:below|under) (?:each other|one another)\b")
_ABREAST = re.compile(
    r"\bhorizontal(?:ly)?\b(?! cent)|\bside by side\b|\bin (?:a|one) row\b|\bnext to (?:each other|one another)\b|"
    r"\bin (?:\w+ )?columns\b|\bin a grid\b"
)


def _of_shape(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there]
    quality = next((one for one in (question.quality, *question.also) if one in _SHAPES), None)
    if quality is None or not present:
        return []
    text, negated = question.text, bool(_NEGATED.search(question.text))
    if quality == "bold":
        stated = looks.boldness(present[0], regions)[:1]
        heavy = bool(re.search(r"\bbold\b|\bheavy\b", text)) != negated
        return with_verdict(stated, (stated[0].wanted == "bold") == heavy) if stated else []
    if quality == "letters":
        stated = looks.letter_sizes(present[0], regions)[:1]
        large = bool(re.search(r"\blarge|\bbig", text))
        return with_verdict(stated, ("large" in stated[0].wanted) == large) if stated else []
    stated = looks.shapes(present[0], regions, quality)[:1]
    if not stated:
        return []
    if quality == "border":
        return with_verdict(stated, (stated[0].wanted != "no border") != negated)
    square = bool(re.search(r"\bsquare|\bsharp", text)) != negated
    return with_verdict(stated, (stated[0].wanted == "square") == square)


def _of_way(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Judge how one thing stands to another: "Is the menu below the picture?"."""
    present = [target for target in targets if target.is_there and target.mention.concept != "page"]
    if len(present) < 2 or len(present) < len(targets) or _HAS_ONE.search(question.text):
        return []
    first, second = present[:2]
    link = way_before(question.text, second.mention.start)
    if link is None or link[1] < first.mention.end:
        return []
    stated = positions.places(first, second, regions)[:1]
    if not stated or stated[0].kind != "place":
        return []
    asked, actual = link[0], stated[0].wanted
    if actual == "on top of" and asked == "above":
        return []
    fits = {"beside": ("to the left of", "to the right of"), "left": ("to the left of",), "right": ("to the right of",),
            "below": ("below",), "above": ("above",), "on": ("on top of",)}[asked]  # fmt: skip
    return with_verdict(stated, (actual in fits) != bool(_NEGATED.search(question.text)))


_HAS_ONE = re.compile(r"\bthere\b|\b(?:need|want|add|include|have|has|show|insert|like|contain)\b")


def both(decisions: Sequence[list[Statement]]) -> list[Statement]:
    """Return one verdict on several proposals, "bold and white": no where one of them is not so, that one first."""
    ordered = sorted(decisions, key=lambda statements: statements[0].verdict != "no")
    first, *rest = ordered
    if first[0].verdict == "no":
        return first
    return [*first[:1], *(replace(statements[0], verdict="") for statements in rest if statements[0] != first[0])]


def _of_place(question: Question, targets: Sequence[Target], regions: Regions) -> list[Statement]:
    present = [target for target in targets if target.is_there and target.mention.concept != "page"]
    absent = [target for target in targets if not target.is_there]
    sides = [side for side, pattern in SIDE_WORDS.items() if re.search(pattern, question.text)]
    rows = [row for row, pattern in ROW_WORDS.items() if re.search(pattern, question.text)]
    upright = re.search(r"\bvertical", question.text) is not None
    if upright and sides == ["in the centre"]:
        sides, rows = [], ["in the middle"]
    justified = "justif" in question.text
    if (
        absent
        or not present
        or not (sides or rows or justified)
        or any(target.mention.side for target in targets if target.mention.concept != "column")
    ):
        return []
    present = [target for target in present if target.mention.concept != "column"] or present
    if len(present) > 1 and re.search(r"\band\b", question.text[present[0].mention.end : present[1].mention.start]):
        each = [_of_place(question, [one], regions) for one in present[:2]]
        return both(each) if all(each) else []
    stated = (
        positions.alignment(present[0], regions)
        if question.quality == "align" and not upright
        else positions.spot(present[0], regions)
    )
    if not stated:
        return []
    actual = stated[0].wanted
    if stated[0].kind == "align":
        wanted = [words for words, pattern in ALIGNED.items() if re.search(pattern, question.text)]
        return with_verdict(stated[:1], actual in wanted)
    central = actual == CENTRE and SIDES[1] in sides
    if sides and actual != CENTRE and not any(side in actual for side in SIDES):
        return []  # what is as wide as the page stands at no side
    fits = (not sides or central or any(side in actual for side in sides)) and (
        not rows or any(row in actual for row in rows)
    )
    return with_verdict(stated[:1], fits and not justified)


PREDICATES = (
    _of_color, _of_count, _of_larger, _of_width, _of_wording, _of_shape, _of_arrangement, _of_way, _of_place,
)  # fmt: skip
