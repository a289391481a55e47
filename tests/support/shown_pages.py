"""Show a human the pages of a dialogue, as a task episode does."""

from colbench_gym.action import extract_page
from colbench_gym.humans import Shown


def shown(renderer, task, dialogue):
    """Return the last page that the agent proposed and the wanted page, rendered."""
    spoken = [turn.content for turn in dialogue.turns if turn.seat == "agent"]
    page = next(filter(None, (extract_page(message) for message in reversed(spoken))), None)
    return Shown(renderer.render(page) if page else None, renderer.render(task.reference))
