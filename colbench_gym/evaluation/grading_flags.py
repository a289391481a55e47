"""Flags that several commands share (grading, models), and the options of a scenario that they stand for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any

from tyro.conf import arg
from tyro.constructors import PrimitiveConstructorSpec

from colbench_gym.chat import ChatOptions, read_json_object
from colbench_gym.errors import UsageError
from colbench_gym.rules import Track
from colbench_gym.scenario import HELP, MODEL_SETTINGS, OPTIONS


@dataclass(frozen=True, kw_only=True)
class GradingFlags:
    """Flags of every command that grades; None stands for the track's default."""

    sandbox: Annotated[str | None, arg(help=HELP["sandbox"])] = None
    grading: Annotated[str | None, arg(help=HELP["grading"])] = None
    similarity: Annotated[str | None, arg(help=HELP["similarity"])] = None
    profile: Annotated[str | None, arg(help=HELP["profile"])] = None

    def grading_options(self, track: Track) -> dict[str, Any]:  # Any: as open_scenario takes them
        """Return the flags that were given, as options of a scenario.

        Raises:
            UsageError: one was given that only the other track reads.
        """
        flags = {flag.name: getattr(self, flag.name) for flag in fields(GradingFlags)}
        given = {name: value for name, value in flags.items() if value is not None}
        for name, value in given.items():
            readers = [known for known, options in OPTIONS.items() if hasattr(options, name)]
            if track not in readers:
                raise UsageError(
                    f"got --{name} {value} for the {track} track, but only the {readers[0]} track reads it; drop it"
                )
        return given


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
class HumanModelFlags:
    """Flags of every command in which a model may be the human; what is not given is not sent to its server."""

    human_temperature: Annotated[float | None, arg(help=HELP["human_temperature"])] = None
    human_max_tokens: Annotated[int | None, arg(help=HELP["human_max_tokens"])] = None
    human_extra_body: Annotated[JsonFlag, arg(help=HELP["human_extra_body"])] = None
    human_api_key_var: Annotated[str | None, arg(help=HELP["human_api_key_var"])] = None

    def check_models(self) -> None:
        """Refuse a flag that no model can have.

        Raises:
            UsageError: it is refused; the message names the seat.
        """
        self._check_model("human")

    def _check_model(self, seat: str) -> None:
        temperature, max_tokens, extra_body, key = (getattr(self, f"{seat}_{name}") for name in MODEL_SETTINGS)
        try:
            ChatOptions(temperature, max_tokens, extra_body or {}, key)
        except UsageError as e:
            raise UsageError(f"{seat}: {e}") from e

    def human_options(self) -> dict[str, Any]:  # Any: as open_scenario takes them
        """Return the flags of the human's model that were given, as options of a scenario."""
        flags = {f"human_{name}": getattr(self, f"human_{name}") for name in MODEL_SETTINGS}
        return {name: value for name, value in flags.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class ModelFlags(HumanModelFlags):
    """Flags of every command in which a model may play either seat."""

    agent_temperature: Annotated[
        float | None,
        arg(
            aliases=["--temperature"],
            help="of an agent that is a model; its server's own when not given, and 0 for hf: and best_of:",
        ),
    ] = None
    agent_max_tokens: Annotated[
        int | None,
        arg(
            aliases=["--max-tokens"],
            help="new tokens in a message of an agent that is a model at most; its server's limit when not given",
        ),
    ] = None
    agent_extra_body: Annotated[
        JsonFlag,
        arg(help='further fields of each request to the agent\'s server, such as \'{"reasoning_effort": "low"}\''),
    ] = None
    agent_seed: Annotated[
        bool | None,
        arg(help="send the agent's server the seed of each dialogue: yes, but with a profile no, when not given"),
    ] = None
    agent_api_key_var: Annotated[
        str | None,
        arg(help="name of the variable with the key of the agent's server; OPENAI_API_KEY when not given"),
    ] = None

    def check_models(self) -> None:
        """Refuse as :meth:`HumanModelFlags.check_models`, for both seats."""
        self._check_model("agent")
        super().check_models()

    def agent_options(self) -> dict[str, Any]:  # Any: as make_policy takes them
        """Return the flags of the agent's model that were given, as arguments of ``make_policy``."""
        flags = {name: getattr(self, f"agent_{name}") for name in MODEL_SETTINGS}
        return {name: value for name, value in flags.items() if value is not None}
