"""Play the dialogue of README.md, run its ten lines, and write what was said and printed there and on the site's home.

python docs/site/update_readme.py
"""

from __future__ import annotations

import contextlib
import io
import re
import textwrap
from pathlib import Path

from colbench_gym.scenario import open_scenario

ROOT = Path(__file__).parents[2]
TASK, WIDTH = "podium", 88


def inside(text: str, heading: str, fence: str) -> slice:
    """Return where the first block below a heading stands, its fences left out."""
    start = text.index(fence, text.index(heading)) + len(fence)
    return slice(start, text.index("\n```", start))


def played(said: list[str]) -> tuple[str, list[str], str]:
    """Return the request, the human's replies, and the line about the reward."""
    with open_scenario("backend", tasks="examples") as scenario:
        episode = scenario.episode(TASK)
        request = str(episode.messages[-1]["content"])
        replies = [reply for text in said if (reply := episode.say(text)) is not None]
        outcomes = episode.info["test_outcomes"]
        reward = f"reward: {episode.reward} ({outcomes.count('passed')} of {len(outcomes)} hidden tests pass)"
    return request, replies, reward


def main() -> None:
    """Update both pages."""
    readme, home = ROOT / "README.md", ROOT / "docs" / "index.md"
    text = readme.read_text(encoding="utf-8")
    place = inside(text, "## One dialogue", "```text\n")
    shown = re.split(r"\n+(?=(?:human|agent|reward): )", text[place])
    said = [turn.removeprefix("agent: ").strip() for turn in shown if turn.startswith("agent: ")]
    request, replies, reward = played(said)
    human = [textwrap.fill(f"human: {t}", WIDTH, subsequent_indent=" " * 7) for t in (request, *replies)]
    turns = [f"agent: {question}\n{reply}" for question, reply in zip(said, human[1:], strict=False)]
    dialogue = "\n".join([human[0], "", *turns, "", f"agent: {said[-1]}", "", reward])
    text = text[: place.start] + dialogue + text[place.stop :]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(text[inside(text, "## Ten lines", "```python\n")], {})
    place = inside(text, "It prints", "```\n")
    readme.write_text(text[: place.start] + printed.getvalue().rstrip() + text[place.stop :], encoding="utf-8")
    lines = home.read_text(encoding="utf-8").split("\n")
    answers = [at for at, line in enumerate(lines) if line.startswith("human: ")][1:]
    for at, reply in zip(answers, replies, strict=True):
        lines[at] = f"human: {reply}"
    home.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
