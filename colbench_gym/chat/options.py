"""Settings of the model behind one seat: sampling, further fields of its requests, and where its key is."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from colbench_gym.errors import UsageError

Json = Mapping[str, Any]  # Any: JSON
KEY_VARIABLE = "OPENAI_API_KEY"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Fields of a request that have a place of their own, and where it is.
_PLACES = {
    "model": "the seat's openai:MODEL",
    "messages": "the dialogue",
    "temperature": "temperature (--agent-temperature, --human-temperature)",
    "max_tokens": "max_tokens (--agent-max-tokens, --human-max-tokens)",
    "max_completion_tokens": "max_tokens (--agent-max-tokens, --human-max-tokens)",
    "seed": "--seed",
    "stream": "nothing, as answers are read whole",
    "n": "nothing, as one message is said a turn",
}


@dataclass(frozen=True)
class ChatOptions:
    """Settings of a model; what is None is not sent to its server, which then decides by itself.

    Attributes:
        temperature: of the sampling.
        max_tokens: new tokens in a message at most.
        extra_body: further fields of each request, as the server knows them.
        api_key_var: name of the environment variable that holds the key; OPENAI_API_KEY when None.

    Raises:
        UsageError: a value that cannot be used.
    """

    temperature: float | None = None
    max_tokens: int | None = None
    extra_body: Json = field(default_factory=dict)
    api_key_var: str | None = None

    def __post_init__(self) -> None:
        warm, most, name = self.temperature, self.max_tokens, self.api_key_var
        if warm is not None and not (_is_a(Real, warm) and math.isfinite(warm) and warm >= 0):
            raise UsageError(f"got temperature={warm!r}, expected a number of at least 0; without it the server's own")
        if most is not None and not (_is_a(int, most) and most >= 1):
            raise UsageError(f"got max_tokens={most!r}, expected an integer of at least 1; without it the server's")
        _check_extra_body(self.extra_body)
        if name is not None and not (isinstance(name, str) and _NAME.fullmatch(name)):
            raise UsageError(  # the value is not shown: it may be the key itself
                "got an api_key_var that is no name of an environment variable, expected one such as MY_API_KEY; put "
                "the key into a variable, and name that"
            )

    @classmethod
    def of_seat(cls, seat: str, **settings: Any) -> ChatOptions:  # Any: as the class takes them
        """Return the settings of one seat's model; a UsageError of a value names the seat."""
        try:
            return cls(**settings)
        except UsageError as e:
            raise UsageError(f"{seat}: {e}") from e

    def key(self) -> str:
        """Return the key, "" where there is none; UsageError where a variable that was named holds none."""
        name = self.api_key_var or KEY_VARIABLE
        key = os.environ.get(name, "").strip()
        if not key and self.api_key_var is not None:
            raise UsageError(
                f"got api_key_var={name!r}, but no such environment variable is set; expected the key in it; run: "
                f"export {name}=..."
            )
        if not (key.isascii() and key.isprintable()):
            raise UsageError(f"got an {name} with characters that no key has, expected printable ASCII; set it again")
        return key


def read_json_object(text: str) -> dict[str, Any]:  # Any: JSON
    """Return a JSON object, such as the command line gives; UsageError where it is none."""
    example = 'expected an object; write for example \'{"reasoning_effort": "low"}\''
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as e:
        raise UsageError(f"got {text[:80]!r}, which is no JSON ({e}), {example}") from e
    if not isinstance(value, dict):
        raise UsageError(f"got a JSON {type(value).__name__}, {example}")
    return value


def _is_a(kind: type, value: object) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def _check_extra_body(extra: object) -> None:
    if not isinstance(extra, Mapping) or not all(isinstance(name, str) for name in extra):
        raise UsageError(
            f"got an extra_body of type {type(extra).__name__}, expected a dict of the request's further fields, such "
            "as {'reasoning_effort': 'low'}"
        )
    if taken := [name for name in extra if name in _PLACES]:
        raise UsageError(
            f"got the field {taken[0]!r} in extra_body, expected other fields than those that are set already; it is "
            f"given by {_PLACES[taken[0]]}"
        )
    try:
        json.dumps(dict(extra), allow_nan=False)
    except (TypeError, ValueError) as e:
        raise UsageError(f"got an extra_body that is no JSON ({e}), expected plain values; correct it") from e
