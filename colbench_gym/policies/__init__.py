"""The agent: the Policy protocol, and :func:`make_policy`, which reads a spec."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from colbench_gym.chat import COMPLETIONS, MODEL_KINDS, ChatOptions, Message, Sampling, model_name, open_chat
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UnknownNameError, UsageError, check_instance
from colbench_gym.rendering import Renderer
from colbench_gym.rules import Track
from colbench_gym.tasks import Task


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


_AGENTS = (Policy, PrivilegedPolicy)


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
    brief_role: str = "system",
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
        brief_role: of the message with the brief, as a model's server is sent it.

    Raises:
        UnknownNameError: no such agent.
        UsageError: the spec lacks a part, its module cannot be imported or gives no policy, it is of another track,
            or ``record``, ``extra_body`` or ``api_key_var`` was given for an agent that uses no model server.
        InputFileError: the recorded file is missing or broken.
        MissingExtraError: the package that it needs is not installed.
    """
    if not isinstance(spec, str):
        check_instance("agent", spec)
        if not isinstance(spec, _AGENTS):
            raise UsageError(
                f"got an agent of type {type(spec).__name__}, expected an object with act(messages) and close(), "
                f"or one of: {', '.join(POLICY_SPECS)}"
            )
        return spec
    kind = _KINDS.get(spec.partition(":")[0])
    if kind is None or (":" in spec and ":" not in kind.spec):
        unknown = UnknownNameError.among("agent", spec, POLICY_SPECS)
        if ":" in spec or "Did you mean" in str(unknown):
            raise unknown
        raise UnknownNameError(f"{unknown} For a model write openai:{spec}")
    if track is not None and kind.track not in (None, track):
        instead = next(other.spec for other in _KINDS.values() if other.track == track)
        raise UsageError(
            f"got the agent {spec!r}, which plays the {kind.track} track alone, expected one that plays the {track} "
            f"track; choose for example {instead.replace('K', '3')}"
        )
    for_server = {"record": record, "extra_body": extra_body, "api_key_var": api_key_var}
    if (given := [name for name, value in for_server.items() if value]) and kind.make is not _served:
        raise UsageError(
            f"got {given[0]} for the agent {spec!r}, which asks no model server; leave it out, or choose "
            "openai:MODEL[@BASE_URL]"
        )
    options = ChatOptions(temperature, max_tokens, extra_body or {}, api_key_var)
    return kind.make(_Wanted(spec, options, seed, sends_seed, brief_role, record, renderer))


@dataclass(frozen=True)
class _Wanted:
    """A spec, and what else :func:`make_policy` was given."""

    spec: str
    options: ChatOptions
    seed: int | None
    sends_seed: bool
    brief_role: str
    record: str | Path | None
    renderer: Renderer | None

    @property
    def rest(self) -> str:
        """Part of the spec behind its first colon."""
        return self.spec.partition(":")[2]

    @property
    def sampling(self) -> dict[str, Any]:  # Any: keywords
        """Settings of a model on this machine."""
        options = self.options
        return {"temperature": options.temperature or 0.0, "max_new_tokens": options.max_tokens, "seed": self.seed or 0}

    def number(self, expected: str) -> int:
        """Return the number behind the colon."""
        if not (self.rest.isascii() and self.rest.isdigit()):
            example = f"{self.spec.partition(':')[0]}:3"
            raise UsageError(f"got the agent {self.spec!r}, expected {expected}; write for example {example}")
        return int(self.rest)


def _part(module: str, name: str) -> Any:  # Any: whatever has that name
    """Import what makes an agent only where one is wanted."""
    return getattr(import_module(f"colbench_gym.policies.{module}"), name)


def _served(wanted: _Wanted) -> Policy:
    from colbench_gym.policies.llm import LLMPolicy

    render = None
    if wanted.spec.startswith(f"{COMPLETIONS}:"):
        from colbench_gym.models.loading import load_chat_tokens

        tokens = load_chat_tokens(model_name(wanted.spec) or "")
        render = cast("Callable[[Sequence[Message]], str]", tokens.prompt_text)
    options = wanted.options
    chat = open_chat(wanted.spec, seat="agent", record=wanted.record, options=options, render=render)
    sampling = Sampling(options.temperature, options.max_tokens, wanted.seed)
    return LLMPolicy(chat, sampling, sends_seed=wanted.sends_seed, brief_role=wanted.brief_role)


def _local(wanted: _Wanted) -> Policy:
    from colbench_gym.models.hub_names import check_not_missing
    from colbench_gym.policies.hf import HFPolicy

    if not wanted.rest:
        raise UsageError(f"got the agent {wanted.spec!r}, expected hf:PATH; write for example hf:models/bc")
    what = "what colbench train wrote (config.json, weights, a tokenizer)"
    check_not_missing(wanted.rest, f"the agent {wanted.spec!r}", what)
    return HFPolicy.load(wanted.rest, **wanted.sampling)


def _own(wanted: _Wanted) -> Policy | PrivilegedPolicy:
    from colbench_gym.python_code.factory import made_by

    made = made_by(wanted.rest, "agent", "act(messages)", lambda made: made if isinstance(made, _AGENTS) else None)
    return cast("Policy | PrivilegedPolicy", made)


@dataclass(frozen=True)
class _Kind:
    """A kind of agent: how a spec of it is written, what makes it, and the one track that it plays."""

    spec: str
    make: Callable[[_Wanted], Policy | PrivilegedPolicy]
    track: Track | None = None


_ASKER = "asker:K where K is how many questions it asks (0 guesses at once)"
_DESIGNER = "designer:K where K is how often it revises its page (0 answers at once)"
_ALL = (
    _Kind("oracle", lambda wanted: _part("oracle", "Oracle")()),
    _Kind("asker:K", lambda wanted: _part("asker", "Asker")(wanted.number(_ASKER)), "backend"),
    _Kind("designer:K", lambda wanted: _part("designer", "Designer")(wanted.number(_DESIGNER)), "frontend"),
    _Kind("openai:MODEL[@BASE_URL]", _served),
    _Kind("openai-completions:MODEL[@BASE_URL]", _served),
    _Kind("hf:PATH", _local),
    _Kind("best_of:N:RUN", lambda wanted: _part("best_of_n", "best_of_n")(wanted.rest, **wanted.sampling)),
    _Kind("replay:FILE", _served),
    _Kind("console", lambda wanted: _part("console", "ConsolePolicy")(None, wanted.renderer)),
    _Kind("web", lambda wanted: _part("console", "at_page")(wanted.renderer)),
    _Kind("python:MODULE:FACTORY", _own),
)
_KINDS = {kind.spec.partition(":")[0]: kind for kind in _ALL}
POLICY_SPECS = tuple(kind.spec for kind in _ALL)


def is_model(spec: str) -> bool:
    """Return whether a seat's spec names a language model, live or recorded."""
    return spec.partition(":")[0] in (*MODEL_KINDS, "replay", "hf", "best_of")


def only_track(spec: str) -> Track | None:
    """Return the one track that an agent plays; None for one of either, and for no agent."""
    kind = _KINDS.get(spec.partition(":")[0])
    return None if kind is None else kind.track
