"""Phrasings of the agent: natural questions and frames around a topic, another one for each task and each try."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from colbench_gym.jsonl import read_toml
from colbench_gym.tasks.generated_backend.matters import Matter, upper
from colbench_gym.tasks.permutation import Draw

_PHRASES = read_toml(Path(__file__).with_name("phrases.toml"))
_FRAMES, _BEFORE = (tuple(_PHRASES[name]) for name in ("frames", "before"))
_AS_WRITTEN = 70  # per cent: how often the natural question of the topic is asked as it is, without a frame


def question_about(matters: Sequence[Matter], tries: Sequence[int], description: str, turn: int) -> str:
    """Return one message that asks about some matters.

    Args:
        matters: what is asked for.
        tries: how often each was asked for before; another phrasing is taken each time.
        description: of the task; decides with the rest which phrasings are drawn.
        turn: how many questions were asked before.
    """
    draw = Draw("phrasing", description, turn)
    texts = [_phrased(matter, before, draw) for matter, before in zip(matters, tries, strict=True)]
    opening = draw.pick(_BEFORE) if turn else ""
    goes_on = opening.endswith(": ") and not texts[0].startswith("I ")
    first = texts[0][:1].lower() + texts[0][1:] if goes_on else texts[0]
    return " ".join([opening + first, *texts[1:]])


def _phrased(matter: Matter, tried: int, draw: Draw) -> str:
    if draw.below(100) < _AS_WRITTEN:
        return matter.asks[(draw.below(len(matter.asks)) + tried) % len(matter.asks)]
    return upper(draw.pick(_FRAMES).format(draw.pick(matter.about)))
