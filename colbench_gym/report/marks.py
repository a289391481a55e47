"""Marks on pictures of pages: where the things are that the human names, on the draft and on the wanted page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from colbench_gym.humans.page.view import View
from colbench_gym.page_language.sentences import read_statements
from colbench_gym.page_language.statements import TEXT_KINDS, Subject, quote
from colbench_gym.page_language.subjects import named
from colbench_gym.rendering.layout import Layout, Rect

MAX_MARKS = 9  # ours: of one reply
_QUOTED = re.compile(r"“([^”]{2,300})”|\"([^\"]{2,300})\"")
_ON_A_TEXT = (*TEXT_KINDS, "quote", "writing on")
_AROUND_A_TEXT = ("box around", "background behind")

Json = dict[str, Any]  # Any: JSON


def parts_of(layout: Layout) -> Json:
    """Return a page as JSON: ``size``, and its named ``parts`` as kind, name, number, rectangle and box around."""
    view = View(layout)
    parts = [[*part.key, _numbers(part.rect), (box := view.box(part)) and _numbers(box.rect)] for part in view.things]
    bars = {"header": view.header, "footer": view.footer}
    parts += [[name, "", 1, _numbers(bar.rect), None] for name, bar in bars.items() if bar is not None]
    return {"size": [layout.width, layout.height], "parts": parts}


def _numbers(rect: Rect) -> list[float]:
    return [round(number, 1) for number in (rect.x, rect.y, rect.width, rect.height)]


def subjects_said(reply: str) -> tuple[Subject, ...]:
    """Return the things that a reply names: those of statements that can be read back, else whatever it quotes."""
    read = ((of.subject, of.other, *of.items) for of in read_statements(reply))
    said = [subject for subjects in read for subject in subjects if subject is not None and subject.kind != "page"]
    if not said:
        said = [Subject("quote", quote(curly or straight)) for curly, straight in _QUOTED.findall(reply)]
    return tuple(dict.fromkeys(said))[:MAX_MARKS]


def place_of(subject: Subject, page: Json) -> list[float] | None:
    """Return where a thing is on a page, in its pixels; None where it is not there."""
    around = subject.kind in _AROUND_A_TEXT
    key = ["text" if around or subject.kind in _ON_A_TEXT else subject.kind, subject.text, subject.ordinal or 1]
    found = (box if box and around else rect for *known, rect, box in page["parts"] if known == key)
    place = next(found, None)
    return place and [float(number) for number in place]


def marks(reply: str, pages: Mapping[str, Json | None], max_shape: float) -> tuple[list[str], Json]:
    """Return the names of what a reply marks, and its places on each page, numbered from 1, in shares of the picture.

    Args:
        reply: what the human said.
        pages: parts of pages, by what they are called; None for a page that has no picture.
        max_shape: how many times as high as wide a picture is at most; a longer page is cut there.
    """
    names: list[str] = []
    places: Json = {name: [] for name in pages}
    for subject in subjects_said(reply):
        found = {name: (page, place_of(subject, page)) for name, page in pages.items() if page is not None}
        if any(place for _, place in found.values()):
            names.append(named(subject))
            for name, (page, place) in found.items():
                places[name] += _in_shares(len(names), place, page["size"], max_shape) if place else []
    return names, places


def _in_shares(number: int, place: Sequence[float], size: Sequence[float], max_shape: float) -> list[list[float]]:
    width, height = size[0], min(size[1], size[0] * max_shape)
    x, y, w, h = place
    if y >= height:
        return []
    return [[number, *(round(share, 4) for share in (x / width, y / height, w / width, min(h, height - y) / height))]]


def add_marks(dialogues: Sequence[Json], tasks: Sequence[Json], folder: Path, max_shape: float) -> None:
    """Add to each draft that the human replied to its ``marks``, and to the reply what they mean.

    ``folder`` holds the parts of pages as ``KEY.json``; ``max_shape`` is as in :func:`marks`.
    """
    for dialogue in dialogues:
        wanted = _parts(folder, tasks[dialogue["task"]]["page"])
        for draft, reply in zip(dialogue["turns"], dialogue["turns"][1:], strict=False):
            if draft.get("page") and reply["seat"] == "human":
                pages = {"page": _parts(folder, draft["page"]), "wanted": wanted}
                names, places = marks(reply["text"], pages, max_shape)
                if names:
                    draft["marks"], reply["marked"] = places, names


def _parts(folder: Path, key: str | None) -> Json | None:
    """Return the parts of a page; None where it has no picture."""
    with suppress(OSError, ValueError):
        page: Json = json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))
        return page
    return None
