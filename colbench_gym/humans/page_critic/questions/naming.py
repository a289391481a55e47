"""Things of the wanted page that a question calls by their own words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colbench_gym.humans.page.view import Part, View
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.humans.page_critic.ways import standing

MIN_NAME_CHARS = 4  # of a text that a question may name without quotes
_LONG_CHARS = 6  # of a word of which an ending like "-ation" is left out
_CLEAR_CHARS = 8  # of two words and more that nobody says by chance
# Words before a noun that say how it is or which, but not what it reads.
PLAIN_WORDS = frozenset(
    """
    the a an my your our its this that these those each every all any some no both one two three four five six
    first second third last next main primary big large small biggest bottom top left right middle upper lower
    hand side center centre centred centered white black red green blue dark light pale bright bold exact whole
    entire full other same new current nice visible of for in on at and or is are be do does should what which
    how many call action page site web website prominent single separate additional clear simple long short
    specific certain particular different actual rounded round square hero welcome
    menu nav navigation navbar footer header sidebar banner card column section grid logo input form image text
    """.split()  # noqa: SIM905
)


def named_parts(question: Question, view: View) -> dict[Part, int]:
    """Return the texts whose words stand in the question, and where: in quotes, as several words, or capitalised.

    Of two that overlap the longer one counts.
    """
    quoted = {" ".join(words.lower().split()).rstrip(".,!?") for words in question.quoted}
    found: dict[Part, tuple[int, int]] = {}
    for part in view.texts:
        name = part.name.lower()
        start = question.text.find(name)
        if name.rstrip(".,!?") in quoted:
            found[part] = (max(start, 0), max(start, 0) + len(name))
        elif len(name) >= MIN_NAME_CHARS and start >= 0:
            several = " " in name and len(name) >= _CLEAR_CHARS
            capital = part.name[0].isupper() and re.search(
                rf"(?<=\w )['\"]?{re.escape(part.name)}\b", question.original
            )
            if several or capital:
                found[part] = (start, start + len(name))
    spans = set(found.values())
    return {
        part: start
        for part, (start, end) in found.items()
        if not any(one <= start and end <= other and other - one > end - start for one, other in spans)
    }


def told_apart(
    parts: tuple[Part, ...],
    mention: Mention,
    question: Question,
    regions: Regions,
    or_else: tuple[Part, ...] | None = None,
) -> tuple[Part, ...]:
    """Return of several things those that the words before the noun name: "the donate button", "the news heading".

    These words may also be those of the heading that a thing stands under. Where they name none, all are returned, or
    what the caller falls back to; for a yes/no question on a button or link that has no such words none is.
    """
    words = _words_before(mention, question) or _words_after(mention, question)
    called = [part for part in parts if any(word in _flat(part.name) for word in words)]
    if called:
        return tuple(called)
    if words and mention.concept == "picture" and len(parts) > 1:
        told = tuple(part for part in parts if any(word in _flat(_nearest_text(part, regions)) for word in words))
        return told or parts
    under = _under_a_heading(parts, words, regions) if words else ()
    if under:
        return under
    if words and mention.concept in ("button", "link") and question.form != "wh" and _acts(question, mention):
        return ()
    return parts if or_else is None else or_else


def _nearest_text(picture: Part, regions: Regions) -> str:
    """Return the words of the text right below a picture."""
    low = standing(regions.view.texts, "below", picture.rect)
    return low[0].name if low else ""


def _words_before(mention: Mention, question: Question) -> list[str]:
    """Return what stands between the article and the noun, and what the noun itself is made of but its last word."""
    before = re.split(r"[^\w' -]", question.text[max(0, mention.start - 40) : mention.start])[-1]
    nouns = mention.words.split()
    inner = (
        nouns
        if mention.concept == "heading" and not _A_HEADING.search(nouns[-1])
        else nouns[:-1]
        if mention.concept in ("heading", "button", "link", "input", "text", "picture")
        else []
    )
    words = [*words_near(before), *inner]
    return [stem for word in words if (stem := stem_of(word)) and word not in PLAIN_WORDS and len(stem) > 2]


def _words_after(mention: Mention, question: Question) -> list[str]:
    """Return the words that say what a thing is about: "the paragraph on pricing"."""
    about = _ABOUT.match(question.text[mention.end :])
    words = about[1].split() if about else []
    return [stem for word in words if word not in PLAIN_WORDS and len(stem := stem_of(word)) > 2]


_ABOUT = re.compile(r"^ (?:text |section )?(?:on|about|regarding|concerning|describing) ((?:[\w'-]+ ?){1,4})")
_A_HEADING = re.compile(r"^(?:head|title|line|greeting|name)")
_BREAKS = frozenset(
    """
    of in on at for with to the a an and or is are be should does do from by as about
    """.split()  # noqa: SIM905
)


def words_near(before: str) -> list[str]:
    """Return the words right before a noun, back to its article."""
    near: list[str] = []
    for word in reversed(before.replace("-", " ").split()):
        if word in _BREAKS or len(near) == 3:
            break
        near.append(word)
    return near


def _under_a_heading(parts: Sequence[Part], words: Sequence[str], regions: Regions) -> tuple[Part, ...]:
    heads = [part for part in regions.headings if any(word in _flat(part.name) for word in words)]
    low = [one for head in heads for one in regions.under(head)]
    return tuple(part for part in parts if part in low)


_ACTION = re.compile(
    r"\b(log[- ]?in|sign[- ]?up|sign[- ]?in|register|subscribe|donate|volunteer|book|buy|order|shop|search|"
    r"contact|learn more|read more|download|submit|send|apply|join|reserve|start)\b"
)


def _acts(question: Question, mention: Mention) -> bool:
    """Return whether a button or link is named by what it does."""
    before = question.text[max(0, mention.start - 30) : mention.start]
    after = question.text[mention.end : mention.end + 40]
    like = re.match(r"\W*(?:such as|like|for|to)\b", after)
    return bool(_ACTION.search(before) or (like and _ACTION.search(after)))


def stem_of(word: str) -> str:
    """Return a word without the ending of a plural, in letters alone."""
    plain = re.sub(r"(?:ies|es|s|y)$", "", re.sub(r"\W|'s$", "", word)) if len(word) > 3 else word
    return re.sub(r"(?:ation|ion|ing|e)$", "", plain) if len(plain) > _LONG_CHARS else plain


def _flat(name: str) -> str:
    return re.sub(r"\W", "", name.lower())
