"""Read a model spec: ``openai:MODEL[@BASE_URL]`` or ``replay:FILE``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from colbench_gym.chat.model import ChatModel, Message
from colbench_gym.chat.openai_chat import OpenAIChat
from colbench_gym.chat.options import ChatOptions
from colbench_gym.chat.recorded import RecordedChat, RecordingChat
from colbench_gym.errors import UnknownNameError, UsageError

MODEL_SPECS = ("openai:MODEL[@BASE_URL]", "replay:FILE")
COMPLETIONS = "openai-completions"  # the agent alone: its chat template is applied here, as the released code does it
MODEL_KINDS = ("openai", COMPLETIONS)
_AT_URL = re.compile(r"(?P<model>.*?)@(?P<url>[a-z]+://.*)", re.IGNORECASE | re.DOTALL)
_BARE_HOST = re.compile(r"@(localhost\b|[\w.-]+:\d+)")


def open_chat(
    spec: str,
    *,
    seat: str = "model",
    record: str | Path | None = None,
    options: ChatOptions | None = None,
    optional: Iterable[str] = ("seed",),
    render: Callable[[Sequence[Message]], str] | None = None,
) -> ChatModel:
    """Build the model that a spec names.

    Args:
        spec: ``openai:MODEL[@BASE_URL]`` (an ``@`` inside the model's name is fine) or ``replay:FILE``.
        seat: what it is for, in error messages.
        record: a JSONL file to which every exchange is appended, for ``replay:FILE``.
        options: fields of each request that are the same, and the variable with the key.
        optional: parameters that are left out when the server refuses them, see :class:`OpenAIChat`.
        render: what makes the prompt of ``openai-completions:MODEL@BASE_URL``.

    Raises:
        UnknownNameError, UsageError: neither of the two; a part is missing, or a replay was to be recorded.
        InputFileError: a file cannot be read or written.
    """
    kind, _, rest = spec.partition(":")
    if kind == "replay":
        if not rest:
            raise UsageError(f"the {seat} {spec!r} names no file; expected replay:FILE with a recorded run's JSONL")
        if record is not None:
            raise UsageError(f"the {seat} {spec!r} is a recording already; leave record out")
        return RecordedChat(rest)
    if kind != ("openai" if render is None else COMPLETIONS):
        raise UnknownNameError.among(seat, spec, MODEL_SPECS)
    model, base_url = _split(spec, rest, seat)
    chat = OpenAIChat(model, base_url, options=options, optional=optional, render=render)
    return chat if record is None else RecordingChat(chat, record)


def model_name(spec: str) -> str | None:
    """Return the name of the model in ``openai:`` or ``openai-completions:MODEL[@BASE_URL]``; None for others."""
    kind, _, rest = spec.partition(":")
    return _split(spec, rest, "model")[0] if kind in MODEL_KINDS else None


def _split(spec: str, rest: str, seat: str) -> tuple[str, str | None]:
    match = _AT_URL.fullmatch(rest)
    model, url = (match["model"], match["url"]) if match else (rest, None)
    if not model.strip() or (match is None and _BARE_HOST.search(rest)):
        problem = "names no model" if not model.strip() else "has an address without http://"
        raise UsageError(
            f"the {seat} {spec!r} {problem}; expected openai:MODEL[@BASE_URL]; write for example "
            "openai:gpt-4o or openai:my-model@http://localhost:8000/v1"
        )
    return model, url
