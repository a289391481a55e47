"""All that the scripted human would say about a task, for a model that is to play the human without the source."""

from __future__ import annotations

from contextlib import closing
from functools import lru_cache

from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.tasks import BackendTask


@lru_cache(maxsize=256)
def known_claims(task: BackendTask) -> str:
    """Return the facts as a list, a line each; without any source, and without what nothing in the task suggests."""
    with closing(FunctionHuman()) as human:
        _, index = human.knowledge(task)
    claims = dict.fromkeys(fact.text for fact in index.facts if fact.source not in ("request", "concept"))
    return "\n".join(f"- {claim}" for claim in claims) or "- Nothing is known beyond the request."
