"""Questions of a message about the wanted page, and the statements that answer it."""

from __future__ import annotations

from collections.abc import Sequence

from colbench_gym.humans.page.view import View
from colbench_gym.humans.page_critic.questions.answers import answer, without_verdict
from colbench_gym.humans.page_critic.questions.reading import Message, read_message
from colbench_gym.humans.page_critic.questions.verdicts.scrolling import staying_areas
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.sentences import ENOUGH, TOPICS, UNKNOWN
from colbench_gym.page_language.statements import Statement

__all__ = ["MAX_ANSWERS", "Message", "answers", "read_message"]

MAX_ANSWERS = 2  # ours: in one reply


def answers(message: Message, wanted: View, said: Sequence[str] = (), html: str = "") -> list[list[Statement]]:
    """Return the answers to the questions of a message, each as its statements; none of them twice.

    Args:
        message: the message, as :func:`read_message` understands it.
        wanted: the wanted page.
        said: the replies so far.
        html: of the wanted page, for what no picture shows.
    """
    regions = Regions(wanted, staying_areas(html) if html else None)
    told: dict[Statement, None] = {}
    found: list[list[Statement]] = []
    for question in message.questions:
        statements = [hint(said, regions)] if question.form == "else" else answer(question, regions)
        new = [statement for statement in statements if without_verdict(statement) not in told]
        told |= dict.fromkeys(map(without_verdict, new))
        if new:
            found.append(new)
    known = [statements for statements in found if statements != [UNKNOWN]]
    return (known or found)[:MAX_ANSWERS]


def hint(said: Sequence[str], regions: Regions) -> Statement:
    """Return a topic that was not yet talked about, or that nothing more comes to mind."""
    there = {
        "the navigation bar": regions.navigation is not None,
        "the heading": regions.title is not None,
        "the pictures": bool(regions.pictures),
        "the buttons": any(part.kind == "button" for part in regions.view.texts),
        "the columns": len(regions.columns) > 1,
        "the form": regions.form is not None,
        "the footer": regions.footer is not None,
        "the colours": True,
    }
    spoken = " ".join(said).lower()
    asked = "you could ask me about" in spoken
    for topic in TOPICS:
        word = topic.removeprefix("the ").removesuffix("s")
        heard = word in spoken or (topic == "the colours" and "should be" in spoken)
        if there[topic] and not heard and not asked:
            return Statement("hint", None, topic)
    return ENOUGH
