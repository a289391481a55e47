"""The wording of what each seat is told before the dialogue: our own wording, or a user's copy of the official one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import resources
from pathlib import Path

from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.rules import Rules, Track

# The names of the official files (arXiv 2503.15478, released code); load_prompts looks for them.
OFFICIAL_FILES: dict[Track, tuple[str, str]] = {
    "backend": ("llm_agent_code_prompt.txt", "human_simulator_code_prompt.txt"),
    "frontend": ("llm_agent_html_prompt.txt", "human_simulator_html_prompt.txt"),
}
OFFICIAL_CUE = "agent:"  # official protocol: what the dialogue given to the human ends with
_SHOWN_CHARS = 60  # of a wording in an error message
_DIALOGUE = "{dialogue_history}"
_HUMAN_FIELDS = ("{problem_description}", "{hidden_information}", _DIALOGUE)


@dataclass(frozen=True)
class Captions:
    """Lines between the pictures that a model human of the frontend track is sent; an empty one is left out."""

    draft: str = "The designer's latest draft:"
    no_draft: str = "There is no draft that can be shown."
    wanted: str = "The page you have in mind:"


_BUDGET = "Questions that the person answers in all, however many stand in one message: {}."


@dataclass(frozen=True)
class Prompts:
    """Wording for both seats of one track.

    Attributes:
        agent: may hold ``{max_turns}``, ``{thinking_marker}``, ``{answer_marker}``.
        human: may hold ``{problem_description}``, ``{hidden_information}``, ``{dialogue_history}``, ``{human_chars}``.
        human_cue: stands after the dialogue in the human's brief, once there is one.
        human_system: system message of a model human; "" for none.
        captions: frontend: lines between the pictures of a model human.
    """

    agent: str
    human: str
    human_cue: str = ""
    human_system: str = ""
    captions: Captions = Captions()

    def agent_brief(self, rules: Rules) -> str:
        """Return the agent's instructions. It holds nothing of the task."""
        brief = _fill(self.agent, _rule_fields(rules) | {_DIALOGUE: ""}).strip()
        return brief if rules.max_questions is None else f"{brief}\n\n{_BUDGET.format(rules.max_questions)}"

    def human_brief(self, description: str, hidden_information: str, rules: Rules, transcript: str = "") -> str:
        """Return the human's instructions, with the hidden reference and the dialogue so far."""
        dialogue = transcript and transcript + self.human_cue
        fields = dict(zip(_HUMAN_FIELDS, (description, hidden_information, dialogue), strict=True))
        return _fill(self.human, _rule_fields(rules) | fields).strip()

    def content(self) -> dict[str, object]:
        """Return what a run's wording is told by: the texts, and the later fields where they are not ours."""
        always = ("agent", "human", "human_cue")
        return {
            field.name: str(getattr(self, field.name))
            for field in fields(self)
            if field.name in always or getattr(self, field.name) != field.default
        }


def _rule_fields(rules: Rules) -> dict[str, str]:
    return {
        "{max_turns}": str(rules.max_turns),
        "{human_chars}": str(rules.human_chars),
        "{thinking_marker}": rules.thinking_marker,
        "{answer_marker}": rules.answer_marker,
    }


def _fill(template: str, fields: dict[str, str]) -> str:
    """Replace each field once, left to right, so that a field's own text is never filled again."""
    parts: list[str] = []
    rest = template
    while True:
        places = [(rest.index(name), name) for name in fields if name in rest]
        if not places:
            return "".join([*parts, rest])
        start, name = min(places)
        parts += [rest[:start], fields[name]]
        rest = rest[start + len(name) :]


def default_prompts(track: Track, person: bool = False) -> Prompts:
    """Return our own wording; ``person`` for one at the agent's seat, who needs no rules of a model's output."""
    folder = resources.files(__name__)
    return Prompts(
        agent=folder.joinpath(f"{track}_{'person' if person else 'agent'}.txt").read_text(encoding="utf-8"),
        human=folder.joinpath(f"{track}_human.txt").read_text(encoding="utf-8"),
    )


def load_prompts(folder: str | Path, track: Track) -> Prompts:
    """Read a user's own copy of the official wording, under its official file names.

    Raises:
        InputFileError: a file is missing or no UTF-8 text.
    """
    names = ", ".join(name for pair in OFFICIAL_FILES.values() for name in pair)
    hint = f"a prompts folder has the official files: {names}"
    agent, human = (read_text(Path(folder) / name, hint) for name in OFFICIAL_FILES[track])
    return Prompts(agent=agent, human=human, human_cue=OFFICIAL_CUE)


def read_prompts(source: str | Path | Mapping[str, str] | Prompts | None, track: Track) -> Prompts:
    """Return the wording that the option ``prompts`` stands for.

    Raises:
        UsageError: it stands for none.
        InputFileError: as :func:`load_prompts`.
    """
    if source is None:
        return default_prompts(track)
    if isinstance(source, Prompts):
        return source
    if isinstance(source, (str, Path)):
        _check_folder(source, track)
        return load_prompts(source, track)
    if not isinstance(source, Mapping) or set(source) != {"agent", "human"}:
        raise UsageError(
            f"got prompts={source!r}, expected None, a folder with the official files, or a dict with the texts "
            "'agent' and 'human'"
        )
    for seat, text in source.items():
        if not isinstance(text, str):
            raise UsageError(
                f"got prompts[{seat!r}] of type {type(text).__name__}, expected what the seat is told; give it as "
                "a string"
            )
    return Prompts(agent=source["agent"], human=source["human"])


def _check_folder(source: str | Path, track: Track) -> None:
    """Refuse a text that names no folder, such as a wording itself."""
    try:
        if Path(source).is_dir():
            return
    except (OSError, ValueError):  # longer than a path may be, or with a zero byte
        pass
    text = str(source)
    shown = text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + " ..."
    raise InputFileError(
        f"got prompts={shown!r}, but there is no such folder; expected a folder with the official files "
        f"{' and '.join(OFFICIAL_FILES[track])}, or None for our own wording; to word the seats yourself give a dict: "
        "prompts={'agent': '...', 'human': '...'}"
    )


def check_human_wording(prompts: Prompts, track: Track) -> None:
    """Refuse a wording from which whoever plays the human could not learn the task; pictures show it on the frontend.

    Raises:
        UsageError: a placeholder is missing.
    """
    missing = [name for name in _HUMAN_FIELDS if name not in prompts.human] if track == "backend" else []
    if missing:
        raise UsageError(
            f"got a wording for the human without {', '.join(missing)}, expected each of {', '.join(_HUMAN_FIELDS)}, "
            f"as the human is told nothing else; put them into {OFFICIAL_FILES[track][1]}, or into prompts['human']"
        )


def read_text(path: Path, hint: str) -> str:
    """Return the text of a file; ``hint`` says what to do where it has none.

    Raises:
        InputFileError: it is missing or no UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        raise InputFileError(f"{path}: cannot be read ({e}); {hint}") from e
