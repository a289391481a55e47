"""Many replies of the page critic, each checked against the layouts of the two pages."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from page_changes import change
from page_truth import lies

from colbench_gym.action import extract_page
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


@dataclass(frozen=True)
class Reply:
    """One reply, the milliseconds it took once both pages were rendered, and what of it is not true."""

    text: str
    ms: float
    lies: tuple[str, ...]


def replies(tasks: Sequence[FrontendTask], renderer: Renderer, many: int, seed: int = 0) -> Iterator[Reply]:
    """Replies to pages that are the wanted one with some changes, another task's page, or none at all."""
    human = PageCritic(renderer)
    for number in range(many):
        rng = random.Random(f"{seed}/{number}")
        task = tasks[number % len(tasks)]
        page = _page(task, tasks, rng)
        asked = rng.choice(QUESTIONS) if rng.random() < 0.3 or page is None else "Here it is."
        message = f"{asked}\n{page or ''}"
        dialogue = Dialogue((Turn("human", task.description), Turn("agent", message)))
        shown = extract_page(message)
        wanted = renderer.render(task.reference).layout
        got = renderer.render(shown).layout if shown else None
        start = time.perf_counter()
        text = human.reply(task, dialogue)
        ms = 1000 * (time.perf_counter() - start)
        yield Reply(text, ms, tuple(lies(text, wanted, got)))


def _page(task: FrontendTask, tasks: Sequence[FrontendTask], rng: random.Random) -> str | None:
    draw = rng.random()
    if draw < 0.05:
        return None
    if draw < 0.10:
        return task.reference
    other = rng.choice(tasks).reference if draw < 0.2 else task.reference
    return change(other, rng.randrange(10**9), rng.choice([1, 1, 2, 3, 6, 12]))
