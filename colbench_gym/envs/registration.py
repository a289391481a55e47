"""Make the environments known to Gymnasium and PettingZoo by their ids."""

from __future__ import annotations

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
_MAKERS = {AEC_BACKEND_ID: "make_backend", AEC_FRONTEND_ID: "make_frontend"}


def register_envs() -> None:
    """Register all ids. A second call does nothing; nothing but names is loaded."""
    for env_id, (single, vector) in _CLASSES.items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point=f"colbench_gym.envs.{single}",
                vector_entry_point=f"colbench_gym.envs.vector:{vector}",
            )
    for env_id, maker in _MAKERS.items():
        if env_id.replace("_v", "-v") not in pettingzoo.aec_registry:
            pettingzoo.register("aec", env_id, entry_point=f"colbench_gym.envs.pettingzoo:{maker}")
