"""Colours as questions name them, held against the names of colours that are seen."""

from __future__ import annotations

import re

from colbench_gym.humans.page_critic.questions.vocabulary import COLOR, DEPTH_WORDS, DEPTHS, HUES, NEAR_HUES


def proposed_colors(text: str) -> list[tuple[int | None, str]]:
    """Return the colours that a text names, as (how dark, hue); None where it does not say how dark."""
    found: list[tuple[int | None, str]] = []
    for match in COLOR.finditer(text):
        word, depths = match[2], [DEPTH_WORDS[part.removesuffix("er")] for part in re.findall(r"[a-z]+", match[1])
                                  if part.removesuffix("er") in DEPTH_WORDS]  # fmt: skip
        depth = sum(depths) if depths else DEPTH_WORDS.get(word)
        found.append((depth, HUES.get(word, word)))
    return found


def is_like(name: str, depth: int | None, hue: str) -> bool:
    """Return whether a colour of one name may be called by such a hue, and is about as dark."""
    *shade, base = name.split()
    actual = DEPTHS.get(" ".join(shade), 0)
    if base == "brown" and hue == "orange":
        return depth is None or depth > 0
    near = base == hue or {base, hue} in NEAR_HUES
    if hue == "white":
        return name in ("white", "very pale grey")
    if hue == "black":
        return name in ("black", "very dark grey")
    return near and (depth is None or abs(actual - depth) <= 1)
