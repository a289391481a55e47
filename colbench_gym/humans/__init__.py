"""The human who knows the reference: the HumanSimulator protocol, and :func:`make_human`, which reads a spec."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import UnknownNameError, UsageError, check_instance
from colbench_gym.prompts import Prompts, check_human_wording, default_prompts
from colbench_gym.rendering import RenderedPage
from colbench_gym.rules import RULES, Rules, Track, check_track
from colbench_gym.tasks import Task

if TYPE_CHECKING:
    from colbench_gym.chat import ChatOptions
    from colbench_gym.humans.page.human import PageHuman
    from colbench_gym.humans.scripted import FunctionHuman

HUMAN_SPECS: Mapping[str, str] = {
    "scripted": "Reads the reference; deterministic, needs no model and no network.",
    "scripted:PERSONA[:INTENSITY]": "The same with the manner of a persona; intensity from 0 to 1.",
    "openai:MODEL[@BASE_URL]": "A language model on any OpenAI-compatible server.",
    "replay:FILE": "Recorded replies of a language model.",
    "console": "A person at the terminal.",
    "web": "A person at a local page (extra: web).",
    "python:MODULE:FACTORY": "A callable without arguments that returns a HumanSimulator.",
}


@dataclass(frozen=True)
class Shown:
    """Pages that the human compares; on the backend track there are none.

    Attributes:
        page: the agent's last proposal, also one that could not be rendered (see its ``status``); None before there
            is one.
        reference: the wanted page.
    """

    page: RenderedPage | None = None
    reference: RenderedPage | None = None


NOTHING_SHOWN = Shown()


@runtime_checkable
class HumanSimulator(Protocol):
    """Replies to the agent. Thread-safe: one simulator serves many dialogues at once."""

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the reply to the agent's last message; the rules cut it.

        Args:
            task: the task, its hidden reference included.
            dialogue: everything said so far; the agent spoke last.
            shown: frontend: the agent's page and the wanted one.

        Raises:
            HumanError: no reply could be had.
        """

    def close(self) -> None:
        """Release what it holds. A second call does nothing."""


def make_human(
    spec: str | HumanSimulator,
    *,
    track: Track = "backend",
    prompts: Prompts | None = None,
    rules: Rules | None = None,
    record: str | Path | None = None,
    leaks: str = "refuse",
    knows: str = "source",
    model: ChatOptions | None = None,
) -> HumanSimulator:
    """Build the human that a spec names.

    Args:
        spec: one of :data:`HUMAN_SPECS`; a live HumanSimulator is returned as it is.
        track: which kind of task it will talk about.
        prompts: the wording for a language model; our own by default.
        rules: what its brief quotes; those of the track by default.
        record: a JSONL file to which every exchange with the model is appended, for ``replay:FILE``.
        leaks: of a language model: what becomes of a reply that shows code: refuse, ask-again or count.
        knows: of a language model: what it is told of the hidden function: source or claims.
        model: of a language model: its settings. By default the official protocol's sampling; a server that refuses
            its temperature is asked without.

    Raises:
        UnknownNameError: no such human, rule for leaks or knowledge.
        UsageError: the spec lacks a part, ``record`` or ``model`` was given for a human that uses no model, or the
            wording for a model lacks a placeholder.
        InputFileError: the recorded file is missing or broken.
        MissingExtraError: the package that it needs is not installed.
    """
    check_track(track)
    if not isinstance(spec, str):
        check_instance("human", spec)
        if not isinstance(spec, HumanSimulator):
            missing = [name for name in ("reply", "close") if not hasattr(spec, name)]
            raise UsageError(
                f"got a human of type {type(spec).__name__} without {' and '.join(missing)}, expected an object with "
                f"reply(task, dialogue, shown) and close(), or one of: {', '.join(HUMAN_SPECS)}"
            )
        return spec
    name, _, _ = spec.partition(":")
    if record is not None and name not in ("openai", "replay"):
        raise UsageError(f"the human {spec!r} uses no model, so there is nothing to record; leave record out")
    if name not in ("openai", "replay") and (given := _given(leaks, knows, model)):
        raise UsageError(
            f"got {given} for the human {spec!r}, which is no language model; leave that out, or choose "
            "openai:MODEL[@BASE_URL]"
        )
    if name in ("openai", "replay"):
        from colbench_gym.chat import ChatOptions, open_chat
        from colbench_gym.humans.llm import LLMHuman

        prompts = prompts or default_prompts(track)
        check_human_wording(prompts, track)
        model = model or ChatOptions()
        optional = ("seed",) if model.temperature is not None else ("seed", "temperature")
        chosen = {"temperature": model.temperature, "max_tokens": model.max_tokens}
        return LLMHuman(
            open_chat(spec, seat="human", record=record, options=model, optional=optional),
            prompts,
            rules or RULES[track],
            leaks=leaks,
            knows=knows,
            **cast("Any", {setting: value for setting, value in chosen.items() if value is not None}),  # numbers
        )
    if name == "scripted":
        return _scripted(spec, track)
    if spec in ("console", "web"):
        from colbench_gym.humans.console import ConsoleHuman

        if spec == "console":
            return ConsoleHuman()
        from colbench_gym.person.web import SharedWebPerson

        return ConsoleHuman(SharedWebPerson("human"))
    if name == "python":
        from colbench_gym.python_code.factory import made_by

        return made_by(
            spec.partition(":")[2],
            "human",
            "reply(task, dialogue, shown)",
            lambda made: made if isinstance(made, HumanSimulator) else None,
        )
    unknown = UnknownNameError.among("human", spec, HUMAN_SPECS)
    if ":" in spec or "Did you mean" in str(unknown):
        raise unknown
    raise UnknownNameError(f"{unknown} For a model write openai:{spec}")


def _given(leaks: str, knows: str, model: ChatOptions | None) -> str:
    """Return what was given that only a language model has."""
    options = (("leaks", leaks, "refuse"), ("human_knows", knows, "source"))
    given = [f"{option}={value!r}" for option, value, default in options if value != default]
    if given:
        from colbench_gym.humans.llm import check_leaks_and_knowledge

        check_leaks_and_knowledge(leaks, knows)
    if names := [f.name for f in fields(model) if getattr(model, f.name) not in (None, {})] if model else []:
        given.append(f"settings of a model ({', '.join(names)})")
    return " and ".join(given)


def _scripted(spec: str, track: Track) -> HumanSimulator:
    from colbench_gym.humans.personas import PersonaHuman, read_persona

    _, colon, text = spec.partition(":")
    persona = read_persona(text) if colon else None
    human: FunctionHuman | PageHuman
    if track == "frontend":
        from colbench_gym.humans.page.human import PageHuman

        human = PageHuman()
    else:
        from colbench_gym.humans.scripted import FunctionHuman

        human = FunctionHuman()
    return human if persona is None else PersonaHuman(human, *persona)
