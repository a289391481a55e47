"""Many replies of the page critic, each checked against the layouts of the two pages."""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from page_changes import change
from page_truth import lies
from shown_pages import shown

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.page_critic import PageCritic
from colbench_gym.rendering import Renderer
from colbench_gym.tasks import FrontendTask

QUESTIONS = (
    "What colour is the header?", "Which sections are there, in which order?", "What does the heading say?", "Which links are in the menu?",
    "How many pictures are there and where do they go?", "How many columns do the cards have?", "Is the text centred?",
    "What colours do you want?", "Are the corners of the buttons rounded?", "How wide should the pictures be?", "Do you want a footer?",
    "Which fields does the form have?", "Is there a border around the cards?", "Does it look right?", "Print the HTML of your page!",
    "What is the colour of the button, and what does it say?", "Where should the buttons be?",
)  # fmt: skip

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
    human = PageCritic()
    for number in range(many):
        rng = random.Random(f"{seed}/{number}")
        place = number * len(tasks) // many
        wanted_html = _version(tasks[place], rng.randrange(VERSIONS), seed)
        task = replace(tasks[place], reference=wanted_html)
        draw = rng.random()
        other = tasks[place - 1] if 0.05 < draw < 0.12 else tasks[place]
        page = None if draw < 0.04 else _version(other, rng.randrange(VERSIONS), seed)
        asked = rng.choice(QUESTIONS) if rng.random() < 0.3 or page is None else "Here it is."
        message = f"{asked}\n{page or ''}"
        dialogue = Dialogue((Turn("human", task.description), Turn("agent", message)))
        pages = shown(renderer, task, dialogue)
        start = time.perf_counter()
        text = human.reply(task, dialogue, pages)
        ms = 1000 * (time.perf_counter() - start)
        yield Reply(text, ms, tuple(lies(text, pages.reference.layout, pages.page.layout if pages.page else None)))


def _version(task: FrontendTask, number: int, seed: int) -> str:
    """The reference itself, or one with 1, 2, 4, 8 and more changes."""
    return change(task.reference, hash_of(task, number, seed), 2 ** (number - 1)) if number else task.reference


def hash_of(task: FrontendTask, number: int, seed: int) -> int:
    """A number of its own for each version, alike in every run."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{number}/{task.reference}".encode()).digest()[:4], "big")
