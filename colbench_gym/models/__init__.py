"""Local language models, for policies and baselines."""
