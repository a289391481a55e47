"""Judge a short plan that is about one property of the reference only, such as not to round."""

from __future__ import annotations

import re

from colbench_gym.humans.code_reader.answers.asked import Asked
from colbench_gym.humans.code_reader.answers.traits import findings
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.trials.clauses import is_tagged
from colbench_gym.humans.replies import Part

MAX_CHARS = 150
_JUDGED = frozenset(["rounding", "trimming", "duplicates", "case", "order", "validation", "libraries"])


def planned_property(asked: Asked) -> list[Part]:
    """Agree or disagree with what is planned for one property."""
    q = asked.question
    if len(q.whole) > MAX_CHARS or not is_tagged(q) or re.search(r"[=*/+<>]|\d|\b(?:if|when)\b", q.whole):
        return []
    stated = Question(q.whole) if q.context else q
    found = [(t, f) for t, f in findings(asked.said, stated, lambda _: 0.0) if t.name in _JUDGED]
    if len(found) != 1:
        return []
    trait, finding = found[0]
    lead = "Yes, " if finding.polarity == "yes" else "No, "
    return [asked.part(f"{lead}{finding.text[0].lower()}{finding.text[1:]}", trait.name, finding.reveals)]
