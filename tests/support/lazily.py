"""Modules that are imported when a test uses them: collecting tests imports no PyTorch."""

import importlib


class Lazily:
    """Stands for a module; where a package of an extra is missing, the test that uses it is skipped."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, attribute):
        if attribute.startswith(("_", "pytest")):  # pytest and its plugins look at whatever a module holds
            raise AttributeError(attribute)
        return getattr(importlib.import_module(self._name), attribute)


filtered_bc, multiturn_dpo, sweet_rl = (
    Lazily(f"colbench_gym.baselines.{name}") for name in ("filtered_bc", "multiturn_dpo", "sweet_rl")
)
