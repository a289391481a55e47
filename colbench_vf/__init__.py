"""ColBench for verifiers, which finds an environment by the name of a top-level module: ``vf-eval colbench-vf``."""

from colbench_gym.integrations.verifiers import ColBenchEnv, ColBenchHarness, ColBenchTaskset

__all__ = ["ColBenchEnv", "ColBenchHarness", "ColBenchTaskset"]  # verifiers takes one of each kind
