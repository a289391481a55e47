"""Leaks of a reply about a page: HTML, CSS or class names, which a person who only sees pictures would not say."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from colbench_gym.humans.leaks.disguises import decoded
from colbench_gym.humans.leaks.plain_characters import plain
from colbench_gym.rendering.character_references import unescape
from colbench_gym.tasks import FrontendTask, Task

READ_CHARS = 8_000  # of a reply; the rules cut it at 1000, but before that it may be of any length
_SHORTEST_RUN = 3  # tokens of the source in a row
_TOKEN = re.compile(r"[\w-]+|[^\s\w]")
_CLASS_RUN = 3  # class names of one element in a row that count even when each is a word

_TAGS = (
    "a|abbr|article|aside|audio|b|blockquote|body|br|button|canvas|code|div|em|fieldset|figure|figcaption|footer|form|"
    "h[1-6]|head|header|hr|html|i|iframe|img|input|label|legend|li|link|main|meta|nav|ol|option|p|path|picture|pre|"
    "script|section|select|small|span|strong|style|sub|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|u|ul|"
    "video"
)
_COLORS = (
    "gray|grey|red|yellow|green|blue|indigo|purple|pink|slate|zinc|neutral|stone|orange|amber|lime|emerald|teal|cyan|sky|"
    "violet|fuchsia|rose"
)
_SIZES = r"(?:px|auto|full|screen|min|max|none|xs|sm|base|md|lg|[2-9]?xl|prose|\d+(?:\.5)?|\d+/\d+)"
_UNITS = r"(?:#[0-9a-fA-F]{3,8}\b|rgba?\(|[\d.]+(?:px|rem|em|vh|vw|%)|none|auto|flex|grid|block|inline|bold|solid)"
_CLASSES = (  # Tailwind's, of which no part is said in plain English
    rf"(?:[a-z]+-)?(?:{_COLORS})-\d{{2,3}}",
    r"bg-[a-z][\w/-]*",
    r"(?:text|border|ring|divide|fill|stroke|placeholder)-(?:white|black|transparent|current)",
    r"text-(?:center|left|right|justify|xs|sm|base|lg|[2-9]?xl)",
    rf"-?(?:[mp][xytblr]?|[wh]|gap(?:-[xy])?|space-[xy]|(?:min|max)-[wh])-{_SIZES}",
    rf"(?:grid-(?:cols|rows)|(?:col|row)-(?:span|start|end)|z|opacity|scale|duration|inset|leading|rotate)-{_SIZES}",
    r"flex-(?:row|col|wrap|grow|shrink|1|auto|none)(?:-reverse|-0)?|(?:top|left|right|bottom)-0",
    r"(?:items|justify|self|content|place)-(?:start|end|center|between|around|evenly|stretch|baseline|items-center)",
    r"rounded-(?:[tblr]{1,2}-)?(?:none|sm|md|lg|[23]?xl|full)|shadow-(?:sm|md|lg|[23]?xl|inner|none)",
    r"border-(?:[xytblr](?:-\d)?|\d|solid|dashed|none)|divide-[xy](?:-\d)?",
    r"font-(?:thin|light|normal|medium|semibold|bold|extrabold|black|sans|serif|mono)",
    r"tracking-(?:tight|normal|wide|wider|widest)|leading-(?:none|tight|snug|normal|relaxed|loose)",
    r"object-(?:cover|contain|fill|center)|overflow-(?:hidden|auto|scroll)|cursor-pointer|inline-(?:block|flex)|sr-only",
    r"list-(?:disc|decimal|none|inside)|whitespace-nowrap|float-(?:left|right)|transition-(?:all|colors)|ease-in-out",
    r"(?:sm|md|lg|[2]?xl|hover|focus|active|group-hover):[a-z][\w:./-]*",
)
_PROPERTIES = (  # of CSS, written with a hyphen
    "background-color|background-image|font-size|font-weight|font-family|text-align|text-decoration|border-radius|"
    "border-color|border-bottom|border-top|box-shadow|line-height|letter-spacing|max-width|min-height|margin-top|"
    "margin-bottom|margin-left|margin-right|padding-top|padding-bottom|padding-left|padding-right|flex-direction|"
    "justify-content|align-items|grid-template-columns"
)
_WORDS = "color|background|margin|padding|display|width|height|border|font|position|gap|opacity"  # also of CSS
_CLASS = re.compile(rf"(?<![\w-])(?:{'|'.join(_CLASSES)})(?![\w-])")
_TAG = re.compile(rf"</?(?:{_TAGS})(?=[\s>/])[^<>]*>|<(?:{_TAGS})\s+[a-z-]+\s*=|<!doctype|<!--", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    r"(?<!\w)(?:class|classname|style|href|src|alt|rel|placeholder|srcset)\s*=\s*[\"'“‘]", re.IGNORECASE
)
_CSS = re.compile(rf"(?<![\w-])(?:(?:{_PROPERTIES})\s*:|(?:{_WORDS})\s*:\s*{_UNITS}[^;}}\n]*[;}}])")
_FENCE = re.compile(r"```\s*(?:html|css|xml|jsx|svg)", re.IGNORECASE)
_PATTERNS = (_TAG, _CLASS, _ATTRIBUTE, _CSS, _FENCE)
_SPELT_TAG = re.compile(rf"</?(?:{_TAGS})(?:>|class=|href=|src=)", re.IGNORECASE)
_CLASS_LIST = re.compile(r"\bclass(?:name)?\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_UNSPOKEN = re.compile(r"-\d|\w:\w|/")
_NAMED_CLASS = re.compile(
    r"`\.?([\w:/.-]+)`|\bclass(?:es)?(?: name[sd]?| called)? [\"'“‘`]?\.?([\w:/.-]+)", re.IGNORECASE
)


def pastes_html(task: Task, reply: str) -> bool:
    """Return whether a reply on a frontend task holds markup, plain or thinly encoded; False on other tasks."""
    if not isinstance(task, FrontendTask):
        return False
    written, reply = reply[:READ_CHARS], plain(reply[:READ_CHARS])[:READ_CHARS]
    if any(markup_in(task.reference, text) for text in dict.fromkeys((written, reply))):
        return True
    return any(
        markup_in(task.reference, text[:READ_CHARS]) or _SPELT_TAG.search("".join(text.split())) is not None
        for text in decoded(reply)
    )


def measure_page(reference: str, reply: str) -> tuple[float, float]:
    """Return what a reply gives away of a page's source: the share of its tokens told in runs, and the longest run.

    A reply without markup gives nothing away, whatever texts of the page it reads out.
    """
    reply = reply[:READ_CHARS]
    if not markup_in(reference, reply):
        return 0.0, 0.0
    theirs, ours = (_TOKEN.findall(text) for text in (reference, unescape(reply)))
    blocks = SequenceMatcher(None, theirs, ours, autojunk=False).get_matching_blocks()
    runs = [block.size for block in blocks if block.size >= _SHORTEST_RUN]
    return (sum(runs) / len(theirs), float(max(runs))) if runs else (0.0, 0.0)


def markup_in(reference: str, text: str) -> tuple[str, ...]:
    """Return the pieces of a text that are HTML, CSS or class names, also those of the reference that are words."""
    plain = unescape(text)
    found = [match.group() for pattern in _PATTERNS for match in pattern.finditer(plain)]
    names, runs = _classes_of(reference)
    named = (one or other for one, other in _NAMED_CLASS.findall(plain))
    found += [name for name in named if name in names]
    words = [word.strip(".;\"'“”‘’()") for word in plain.replace("`", " ").replace(",", " ").split()]
    found += [word for word in words if word in names and _UNSPOKEN.search(word)]
    found += [
        " ".join(run) for run in zip(*(words[start:] for start in range(_CLASS_RUN)), strict=False) if run in runs
    ]
    return tuple(found)


@lru_cache(maxsize=1024)
def _classes_of(reference: str) -> tuple[frozenset[str], frozenset[tuple[str, ...]]]:
    """Return every class name of a page, and every run of :data:`_CLASS_RUN` of them on one element."""
    lists = [(one or other).split() for one, other in _CLASS_LIST.findall(reference)]
    runs = (tuple(names[at : at + _CLASS_RUN]) for names in lists for at in range(len(names) - _CLASS_RUN + 1))
    return frozenset(name for names in lists for name in names), frozenset(runs)
