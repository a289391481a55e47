"""Every message of the official environments, worded by a user's own checkout of the released code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from colbench_gym.errors import InputFileError
from colbench_gym.prompts import OFFICIAL_CUE, OFFICIAL_FILES, Captions, Prompts, load_prompts, read_text
from colbench_gym.rules import Rules, Track

# Modules of the released code (arXiv 2503.15478) that word what the human is sent. They are read as text, never run.
OFFICIAL_MODULES: dict[Track, str] = {
    "backend": "human_interaction_env.py",
    "frontend": "human_design_interaction_env.py",
}
# The Holistic Agent Leaderboard's harness: the agent's text file, and the constant of colbench.py that words the human.
_HAL: dict[Track, tuple[str, str]] = {
    "backend": ("code_agent_prompt.txt", "CODE_USER_PROMPT"),
    "frontend": ("html_agent_prompt.txt", "HTML_USER_PROMPT"),
}
_REQUEST = "invoke_model"  # the method that sends the human's request
_STRING = r"""(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
_SYSTEM = re.compile(rf"""["']role["']\s*:\s*["']system["']\s*,\s*["']content["']\s*:\s*{_STRING}""")
_CAPTION = re.compile(rf"""["']text["']\s*:\s*{_STRING}""")
_ELSE = re.compile(r"^[ \t]*else[ \t]*:", re.MULTILINE)
_read = partial(read_text, hint="name an unchanged checkout")
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


@dataclass(frozen=True)
class OfficialPrompts(Prompts):
    """Official wording to the letter: nothing is stripped, and only what the released code fills is filled.

    The agent's system message keeps its literal placeholder. The human of the frontend track gets its text as it
    stands; that of the backend track is filled by ``str.format``, as the released code does it.
    """

    def agent_brief(self, rules: Rules) -> str:  # noqa: ARG002  as Prompts has it
        """Return the agent's instructions as they stand in the file."""
        return self.agent

    def human_brief(self, description: str, hidden_information: str, rules: Rules, transcript: str = "") -> str:
        """Return the human's instructions: filled on the backend track, as they stand on the frontend track."""
        if rules.track == "frontend":
            return self.human
        return self.human.format(
            problem_description=description,
            hidden_information=hidden_information,
            dialogue_history=transcript + self.human_cue,
        )


def load_official(checkout: str | Path, track: Track, profile: str = "paper") -> OfficialPrompts:
    """Read the official wording of a track from a checkout of the released code.

    The text files and the environment's module are found by name, wherever they lie in it. For the profile ``hal`` it
    holds a checkout of the harness too, which words both seats; the released code has the rest of the human's messages.

    Raises:
        InputFileError: a file is missing, there twice, cannot be read, or does not hold what it should.
    """
    folder = Path(checkout)
    if not folder.is_dir():
        raise InputFileError(
            f"{folder}: no such folder; expected your checkout of the released code of arXiv 2503.15478; name it with "
            "--official or COLBENCH_OFFICIAL"
        )
    if profile == "hal":
        human_file = _find(folder, "colbench.py")
        prompts = Prompts(_read(_find(folder, _HAL[track][0])), _constant(human_file, _HAL[track][1]))
    else:
        agent_file, human_file = (_find(folder, name) for name in OFFICIAL_FILES[track])
        if agent_file.parent != human_file.parent:
            raise InputFileError(f"{agent_file} and {human_file}: got two folders, expected one; move one of the files")
        prompts = load_prompts(agent_file.parent, track)
    module = _find(folder, OFFICIAL_MODULES[track])
    source = _COMMENT.sub("", _read(module))
    if track == "frontend":
        return OfficialPrompts(prompts.agent, prompts.human, OFFICIAL_CUE, captions=_captions(source, module))
    made = OfficialPrompts(prompts.agent, prompts.human, OFFICIAL_CUE, human_system=_system_line(source, module))
    try:
        made.human_brief("", "", Rules("backend", 0))
    except (KeyError, IndexError, ValueError) as e:
        raise InputFileError(
            f"{human_file}: cannot be filled by str.format ({type(e).__name__}: {e}); expected the placeholders "
            "{problem_description}, {hidden_information} and {dialogue_history} only; name an unchanged checkout"
        ) from e
    return made


def _constant(module: Path, name: str) -> str:
    """Return the text of a constant of a module, which is read as text."""
    text = re.search(rf'^{name}\s*=\s*("{{3}}.*?"{{3}})', _read(module), re.MULTILINE | re.DOTALL)
    if text is None:
        raise InputFileError(f"{module}: got no text {name}, expected one; name an unchanged checkout")
    return str(ast.literal_eval(text[1]))


def _find(folder: Path, name: str) -> Path:
    found = sorted(folder.rglob(name))
    if len(found) != 1:
        many = f"{len(found)} files named {name}" if found else f"no file named {name}"
        raise InputFileError(
            f"{folder}: got {many}, expected one; name an unchanged checkout of the released code of arXiv 2503.15478 "
            "with --official or COLBENCH_OFFICIAL"
        )
    return found[0]


def _system_line(source: str, module: Path) -> str:
    line = _SYSTEM.search(_request(source, module))
    if line is None:
        raise InputFileError(f"{module}: got no system message in {_REQUEST}, expected one; name an unchanged checkout")
    return str(ast.literal_eval(line["text"]))


def _captions(source: str, module: Path) -> Captions:
    """Return the captions by their place: before ``else:`` with a draft, in it without one, and the last one."""
    request = _request(source, module)
    texts = [(match.start(), str(ast.literal_eval(match["text"]))) for match in _CAPTION.finditer(request)]
    branch = _ELSE.search(request)
    if len(texts) == 3 and branch is not None and texts[0][0] < branch.start() < texts[1][0]:
        return Captions(draft=texts[0][1], no_draft=texts[1][1], wanted=texts[2][1])
    if len(texts) == 2 and branch is None:
        return Captions(draft=texts[0][1], no_draft="", wanted=texts[1][1])
    raise InputFileError(
        f"{module}: got {len(texts)} captions in {_REQUEST}, expected one for a draft, one for none and one for the "
        "wanted page; name an unchanged checkout"
    )


def _request(source: str, module: Path) -> str:
    """Return the text of the method that sends the request, also of a module that Python could not parse."""
    methods = list(_methods(source))
    request = next((text for name, text in methods if name == _REQUEST), None)
    if request is None:
        raise InputFileError(f"{module}: got no method {_REQUEST}, expected one; name an unchanged checkout")
    return request


def _methods(source: str) -> Iterator[tuple[str, str]]:
    heads = list(re.finditer(r"^[ \t]*def (\w+)", source, re.MULTILINE))
    for at, head in enumerate(heads):
        yield head[1], source[head.start() : heads[at + 1].start() if at + 1 < len(heads) else len(source)]
