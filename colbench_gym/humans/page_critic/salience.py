"""Salience of a difference to a person, and the order in which differences are said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.humans.page_critic.content import Difference
from colbench_gym.page_language.sentences import say

SAID_BEFORE = 0.5  # ours: how much less a thing stands out each time it has been said


def ranked(found: Iterable[Difference], said: Sequence[str] = ()) -> list[str]:
    """Return differences as sentences, the most outstanding first; what was said before stands out less each time."""
    sentences = [(difference.weight, say(difference.statements)) for difference in found]
    weighed = [(weight * SAID_BEFORE ** sum(text in reply for reply in said), text) for weight, text in sentences]
    return [text for _, text in sorted(weighed, key=lambda weighted: -weighted[0])]
