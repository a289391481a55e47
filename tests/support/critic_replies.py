"""Many replies of the page critic, each checked against the layouts of the two pages."""

import hashlib
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from support.page_changes import change
from support.page_truth import lies
from support.shown_pages import shown
from support.tables import program

from colbench_gym import Dialogue, FrontendTask, Renderer, Turn
from colbench_gym.graders.layout_similarity.coarse_pixels import read_png
from colbench_gym.graders.layout_similarity.seen_parts import seen_parts
from colbench_gym.humans.page.human import PageHuman
from colbench_gym.page_language.sentences import read_statements

QUESTIONS = program(__file__, "critic_questions.txt").splitlines()

VERSIONS = 5  # of each task's page; pairs of them are compared


@dataclass(frozen=True)
class Reply:
    """One reply, the milliseconds it took once both pages were rendered, and what of it is not true."""

    text: str
    ms: float
    lies: tuple[str, ...]


def replies(tasks: Sequence[FrontendTask], renderer: Renderer, many: int, seed: int = 0) -> Iterator[Reply]:
    """Replies about pages of which each is the wanted one, or another version or another task's page shown for it.

    All versions of a task are in turn the wanted one, so that a page is rendered once for many replies.
    """
    human = PageHuman()
    for number in range(many):
        rng = random.Random(f"{seed}/{number}")
        place = number * len(tasks) // many
        wanted_html = _version(tasks[place], rng.randrange(VERSIONS), seed)
        task = replace(tasks[place], reference=wanted_html)
        draw = rng.random()
        other = tasks[place - 1] if 0.05 < draw < 0.12 else tasks[place]
        page = None if draw < 0.04 else _version(other, rng.randrange(VERSIONS), seed)
        asked = rng.choice(QUESTIONS) if rng.random() < 0.5 or page is None else "Here it is."
        message = f"{asked}\n{page or ''}"
        dialogue = Dialogue((Turn("human", task.description), Turn("agent", message)))
        pages = shown(renderer, task, dialogue)
        start = time.perf_counter()
        reply = human.compose(task, dialogue, pages)
        ms = 1000 * (time.perf_counter() - start)
        text = " ".join(one for part in reply.parts for one in checkable(part.text))
        wanted, got = (seen(one) if one and one.png else one and one.layout for one in (pages.reference, pages.page))
        yield Reply(text, ms, tuple(lies(text, wanted, got)))


def checkable(text):
    """The sentences of a part that can be read back; facts of a page also come in others."""
    sentences = re.findall(r"(?:“[^”]*”|[^“.])+\.", text)
    return [one.strip() for one in sentences if all(said.kind != "unread" for said in read_statements(one))]


def seen(page):
    """The layout without what the picture does not show, which neither the human nor the grader counts."""
    return seen_parts(page.layout, read_png(page.png))


def _version(task: FrontendTask, number: int, seed: int) -> str:
    """The reference itself, or one with 1, 2, 4, 8 and more changes."""
    return change(task.reference, hash_of(task, number, seed), 2 ** (number - 1)) if number else task.reference


def hash_of(task: FrontendTask, number: int, seed: int) -> int:
    """A number of its own for each version, alike in every run."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}/{task.reference}".encode()).digest()[:4], "big")
