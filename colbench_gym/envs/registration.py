"""Make the environments known to Gymnasium and PettingZoo by their ids, without loading either library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

from colbench_gym.rules import ENV_IDS, MENU_IDS

BACKEND_ID = ENV_IDS["backend"]
FRONTEND_ID = ENV_IDS["frontend"]
AEC_BACKEND_ID = "colbench/backend_v0"
AEC_FRONTEND_ID = "colbench/frontend_v0"
_CLASSES = {
    BACKEND_ID: ("backend:BackendEnv", "vector:BackendVectorEnv"),
    FRONTEND_ID: ("frontend:FrontendEnv", "vector:FrontendVectorEnv"),
    MENU_IDS["backend"]: ("menu.tracks:BackendMenuEnv", "menu.vector:BackendMenuVectorEnv"),
    MENU_IDS["frontend"]: ("menu.tracks:FrontendMenuEnv", "menu.vector:FrontendMenuVectorEnv"),
}
_MAKERS = {AEC_BACKEND_ID: "make_backend", AEC_FRONTEND_ID: "make_frontend"}


def register_envs() -> None:
    """Register all ids, with a library that is not loaded yet as soon as it is. A second call does nothing."""
    waiting = {name: register for name, register in _REGISTER.items() if name not in sys.modules}
    for name, register in _REGISTER.items():
        if name not in waiting:
            register()
    if waiting and not any(isinstance(finder, _AfterImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _AfterImport(waiting))


def _register_with_gymnasium() -> None:
    import gymnasium

    for env_id, (single, vector) in _CLASSES.items():
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point=f"colbench_gym.envs.{single}",
                vector_entry_point=f"colbench_gym.envs.{vector}",
                # Our tests make its checks; after a first reset that raises, Gymnasium 1.4's checker breaks every step.
                disable_env_checker=True,
            )


def _register_with_pettingzoo() -> None:
    import pettingzoo  # type: ignore[import-untyped]  # PettingZoo ships no types

    for env_id, maker in _MAKERS.items():
        if env_id.replace("_v", "-v") not in pettingzoo.aec_registry:
            pettingzoo.register("aec", env_id, entry_point=f"colbench_gym.envs.pettingzoo:{maker}")


_REGISTER: Mapping[str, Callable[[], None]] = {
    "gymnasium": _register_with_gymnasium,
    "pettingzoo": _register_with_pettingzoo,
}


class _AfterImport:
    """Finder that calls a function after the import of a module, and finds nothing itself.

    Gymnasium and PettingZoo take longer to load than a task takes to generate; not everybody who imports this package
    needs them.
    """

    def __init__(self, waiting: Mapping[str, Callable[[], None]]) -> None:
        self._waiting = dict(waiting)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  # the protocol's arguments
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return the spec that the other finders give, whose loader calls the function at its end."""
        register = self._waiting.pop(fullname, None)
        spec = find_spec(fullname) if register is not None else None
        if register is None or spec is None or spec.loader is None:
            return None
        load = spec.loader.exec_module

        def load_and_register(module: ModuleType) -> None:
            load(module)
            register()

        spec.loader.exec_module = load_and_register  # type: ignore[method-assign]  # of this loader only
        return spec
