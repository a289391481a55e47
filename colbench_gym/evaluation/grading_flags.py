"""Flags that several commands share: grading, and the models of both seats."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from tyro.conf import arg
from tyro.constructors import PrimitiveConstructorSpec

from colbench_gym.chat import read_json_object

JsonFlag = Annotated[  # Any: JSON
    Mapping[str, Any] | None,
    PrimitiveConstructorSpec(
        nargs=1,
        metavar="JSON",
        instance_from_str=lambda texts: read_json_object(texts[0]),
        is_instance=lambda value: value is None or isinstance(value, Mapping),
        str_from_instance=lambda value: [json.dumps(value)],
    ),
]


@dataclass(frozen=True, kw_only=True)
class GradingFlags:
    """Flags of every command that grades: options of a scenario; None stands for the track's default."""

    sandbox: str | None = None
    grading: str | None = None
    similarity: str | None = None
    profile: str | None = None


@dataclass(frozen=True, kw_only=True)
class HumanModelFlags:
    """Flags of every command in which a model may be the human; what is not given is not sent to its server."""

    human_temperature: float | None = None
    human_max_tokens: int | None = None
    human_extra_body: JsonFlag = None
    human_api_key_var: str | None = None


@dataclass(frozen=True, kw_only=True)
class ModelFlags(HumanModelFlags):
    """Flags of every command in which a model may play either seat.

    Attributes:
        agent_temperature: of an agent that is a model; its server's own when not given, and 0 for hf: and best_of:
        agent_max_tokens: new tokens in a message of an agent that is a model at most; its server's limit when not given
        agent_extra_body: further fields of each request to the agent's server, such as '{"reasoning_effort": "low"}'
        agent_seed: send the agent's server the seed of each dialogue: yes, but with a profile no, when not given
        agent_api_key_var: name of the variable with the key of the agent's server; OPENAI_API_KEY when not given
    """

    agent_temperature: Annotated[float | None, arg(aliases=["--temperature"])] = None
    agent_max_tokens: Annotated[int | None, arg(aliases=["--max-tokens"])] = None
    agent_extra_body: JsonFlag = None
    agent_seed: bool | None = None
    agent_api_key_var: str | None = None
