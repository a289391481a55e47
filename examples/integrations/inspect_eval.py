"""Evaluate a model with Inspect AI: `python examples/integrations/inspect_eval.py openai/gpt-4o`."""

import sys

from inspect_ai import eval

from colbench_gym.integrations.inspect_ai import backend

(log,) = eval(backend(tasks="generated", n=4), model=sys.argv[1], epochs=2, retry_on_error=1)
scores = log.results.scores if log.results else []
(reward,) = [score for score in scores if score.name == "reward"]
print(f"reward {reward.metrics['mean'].value:.2f}")
