"""Make the environments known to Gymnasium and PettingZoo by their ids."""

from __future__ import annotations

from typing import Any

import gymnasium
import pettingzoo  # type: ignore[import-untyped]  # PettingZoo ships no types

BACKEND_ID = "ColBench-Backend-v0"
AEC_BACKEND_ID = "colbench/backend_v0"


def register_envs() -> None:
    """Register all ids. A second call does nothing; nothing but names is loaded."""
    if BACKEND_ID not in gymnasium.registry:
        gymnasium.register(
            BACKEND_ID,
            entry_point="colbench_gym.envs.backend:BackendEnv",
            vector_entry_point="colbench_gym.envs.vector:BackendVectorEnv",
        )
    register = getattr(pettingzoo, "register", None)  # PettingZoo has a registry from 1.27 on
    if register is not None and AEC_BACKEND_ID.replace("_v", "-v") not in pettingzoo.aec_registry:
        register("aec", AEC_BACKEND_ID, entry_point=f"{__name__}:make_aec_backend")


def make_aec_backend(**kwargs: Any) -> pettingzoo.AECEnv[Any, Any, Any]:  # Any: the keyword arguments of raw_env
    """What ``pettingzoo.make("aec", "colbench/backend_v0")`` calls."""
    from colbench_gym.envs.pettingzoo import backend_v0

    return backend_v0.env(**kwargs)
