"""Make the environments known to Gymnasium and PettingZoo by their ids."""

from __future__ import annotations

from typing import Any

import gymnasium
import pettingzoo  # type: ignore[import-untyped]  # PettingZoo ships no types

from colbench_gym.rules import ENV_IDS

BACKEND_ID = ENV_IDS["backend"]
FRONTEND_ID = ENV_IDS["frontend"]
AEC_BACKEND_ID = "colbench/backend_v0"
AEC_FRONTEND_ID = "colbench/frontend_v0"
_CLASSES = {
    BACKEND_ID: ("backend:BackendEnv", "BackendVectorEnv"),
    FRONTEND_ID: ("frontend:FrontendEnv", "FrontendVectorEnv"),
}
_MAKERS = {AEC_BACKEND_ID: "make_aec_backend", AEC_FRONTEND_ID: "make_aec_frontend"}


def register_envs() -> None:
    """Register all ids. A second call does nothing; nothing but names is loaded."""
    for env_id, (single, vector) in _CLASSES.items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point=f"colbench_gym.envs.{single}",
                vector_entry_point=f"colbench_gym.envs.vector:{vector}",
            )
    register = getattr(pettingzoo, "register", None)  # PettingZoo has a registry from 1.27 on
    for env_id, maker in _MAKERS.items():
        if register is not None and env_id.replace("_v", "-v") not in pettingzoo.aec_registry:
            register("aec", env_id, entry_point=f"{__name__}:{maker}")


def make_aec_backend(**kwargs: Any) -> pettingzoo.AECEnv[Any, Any, Any]:  # Any: the keyword arguments of raw_env
    """Make the environment of ``pettingzoo.make("aec", "colbench/backend_v0")``."""
    from colbench_gym.envs.pettingzoo import backend_v0

    return backend_v0.env(**kwargs)


def make_aec_frontend(**kwargs: Any) -> pettingzoo.AECEnv[Any, Any, Any]:  # Any: the keyword arguments of raw_env
    """Make the environment of ``pettingzoo.make("aec", "colbench/frontend_v0")``."""
    from colbench_gym.envs.pettingzoo import frontend_v0

    return frontend_v0.env(**kwargs)
