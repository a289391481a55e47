"""The agent: the Policy protocol, and :func:`make_policy`, which reads a spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from colbench_gym.chat import COMPLETIONS, MODEL_KINDS, ChatOptions, Message, model_name, open_chat
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UnknownNameError, UsageError, check_instance
from colbench_gym.rendering import Renderer
from colbench_gym.rules import Track
from colbench_gym.tasks import Task

POLICY_SPECS = (
    "oracle",
    "asker:K",
    "designer:K",
    "openai:MODEL[@BASE_URL]",
    "openai-completions:MODEL[@BASE_URL]",
    "hf:PATH",
    "best_of:N:RUN",
    "replay:FILE",
    "console",
    "web",
    "python:MODULE:FACTORY",
)
_TRACKS: Mapping[str, Track] = {"asker": "backend", "designer": "frontend"}  # of the scripted agents for one track


@runtime_checkable
class Policy(Protocol):
    """Chooses the agent's next message. ``act`` may be called from several threads at once."""

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the next message.

        Args:
            messages: the brief (role ``system``), then the dialogue with the agent's own words as ``assistant``.

        Raises:
            PolicyError: no message could be had.
        """

    def close(self) -> None:
        """Release what it holds. A second call does nothing."""


@runtime_checkable
class PrivilegedPolicy(Protocol):
    """A policy that is allowed to see the task: a yardstick, never a contestant."""

    def for_task(self, task: Task) -> Policy:
        """Return the policy for one task, which holds nothing of its own to close."""

    def close(self) -> None:
        """Release what it holds. A second call does nothing."""


@runtime_checkable
class SeededPolicy(Protocol):
    """A policy that samples: each dialogue is played by a copy with a seed of its own."""

    def seeded(self, seed: int) -> Policy:
        """Return the policy for one dialogue; equal seeds and equal messages give equal replies where its model can."""


def make_policy(
    spec: str | Policy | PrivilegedPolicy,
    *,
    temperature: float | None = None,
    max_tokens: int | None = None,
    seed: int | None = None,
    record: str | Path | None = None,
    renderer: Renderer | None = None,
    extra_body: Mapping[str, Any] | None = None,  # Any: JSON
    api_key_var: str | None = None,
    track: Track | None = None,
    sends_seed: bool = True,
) -> Policy | PrivilegedPolicy:
    """Build the agent that a spec names.

    Args:
        spec: ``oracle`` (answers with the reference), ``asker:K`` (scripted: K questions, then the answer),
            ``designer:K`` (scripted, frontend: a page that it revises K times),
            ``openai:MODEL[@BASE_URL]`` (any compatible server), ``openai-completions:MODEL[@BASE_URL]`` (the same
            without its chat template: that of the tokenizer MODEL is applied here, as the released code does it),
            ``hf:PATH`` (a model on this machine: what
            ``colbench train`` wrote, or any other), ``best_of:N:RUN`` (N messages of a SWEET-RL run's initial
            model, its critic chooses), ``replay:FILE`` (recorded messages), ``console``
            (a person at the terminal), ``web`` (a person at a local page) or
            ``python:MODULE:FACTORY`` (a callable without arguments that returns a Policy). A live policy is returned
            as it is.
        temperature: of a language model; None leaves it to its server, and is 0 for a model on this machine.
        max_tokens: at most so many new tokens per message of a language model; None leaves it to the server.
        seed: handed to the language model's server.
        record: a JSONL file to which every exchange with the model is appended, for ``replay:FILE``.
        renderer: frontend: lets a person at the console see the page that they sent.
        extra_body: further fields of each request to a model's server.
        api_key_var: name of the environment variable that holds its key; OPENAI_API_KEY when None.
        track: what it will play; None takes an agent of either track.
        sends_seed: a model's server is sent the seed of each dialogue.

    Raises:
        UnknownNameError: no such agent.
        UsageError: the spec lacks a part, its module cannot be imported or gives no policy, it is of another track,
            or ``record``, ``extra_body`` or ``api_key_var`` was given for an agent that uses no model server.
        InputFileError: the recorded file is missing or broken.
        MissingExtraError: the package that it needs is not installed.
    """
    if not isinstance(spec, str):
        check_instance("agent", spec)
        if not isinstance(spec, (Policy, PrivilegedPolicy)):
            raise UsageError(
                f"got an agent of type {type(spec).__name__}, expected an object with act(messages) and close(), "
                f"or one of: {', '.join(POLICY_SPECS)}"
            )
        return spec
    name, _, rest = spec.partition(":")
    if track is not None and _TRACKS.get(name, track) != track:
        instead = next(other for other, its in _TRACKS.items() if its == track)
        raise UsageError(
            f"got the agent {spec!r}, which plays the {_TRACKS[name]} track alone, expected one that plays the {track} "
            f"track; choose for example {instead}:3"
        )
    served = name in (*MODEL_KINDS, "replay")
    if record is not None and not served:
        raise UsageError(f"the agent {spec!r} uses no model, so there is nothing to record; leave record out")
    if (extra_body or api_key_var) and not served:
        given = "extra_body" if extra_body else "api_key_var"
        raise UsageError(
            f"got {given} for the agent {spec!r}, which asks no model server; leave it out, or choose "
            "openai:MODEL[@BASE_URL]"
        )
    if spec == "oracle":
        from colbench_gym.policies.oracle import Oracle

        return Oracle()
    if name == "asker":
        from colbench_gym.policies.asker import Asker

        return Asker(_number(spec, rest, "asker:K where K is how many questions it asks (0 guesses at once)"))
    if name == "designer":
        from colbench_gym.policies.designer import Designer

        return Designer(_number(spec, rest, "designer:K where K is how often it revises its page (0 answers at once)"))
    if served:
        from colbench_gym.policies.llm import LLMPolicy

        render = None
        if name == COMPLETIONS:
            from colbench_gym.models.loading import load_chat_tokens

            render = cast("Callable[[Sequence[Message]], str]", load_chat_tokens(model_name(spec) or "").prompt_text)
        model = ChatOptions(temperature, max_tokens, extra_body or {}, api_key_var)
        chat = open_chat(spec, seat="agent", record=record, options=model, render=render)
        return LLMPolicy(chat, temperature=temperature, max_tokens=max_tokens, seed=seed, sends_seed=sends_seed)
    if name == "hf" and rest:
        from colbench_gym.models.hub_names import check_not_missing
        from colbench_gym.policies.hf import HFPolicy

        check_not_missing(rest, f"the agent {spec!r}", "what colbench train wrote (config.json, weights, a tokenizer)")
        return HFPolicy.load(rest, temperature=temperature or 0.0, max_new_tokens=max_tokens, seed=seed or 0)
    if name == "best_of":
        from colbench_gym.policies.best_of_n import best_of_n

        return best_of_n(rest, temperature or 0.0, max_tokens, seed or 0)
    if spec in ("console", "web"):
        from colbench_gym.policies.console import ConsolePolicy

        return ConsolePolicy.at(spec, renderer)
    if name == "python":
        from colbench_gym.python_code.factory import made_by

        return cast("Policy | PrivilegedPolicy", made_by(rest, "agent", "act(messages) and close()", _as_policy))
    unknown = UnknownNameError.among("agent", spec, POLICY_SPECS)
    if ":" in spec or "Did you mean" in str(unknown):
        raise unknown
    raise UnknownNameError(f"{unknown} For a model write openai:{spec}")


def _number(spec: str, text: str, expected: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"got the agent {spec!r}, expected {expected}; write for example {spec.partition(':')[0]}:3")
    return int(text)


def _as_policy(made: object) -> Policy | PrivilegedPolicy | None:
    return made if isinstance(made, (Policy, PrivilegedPolicy)) else None
