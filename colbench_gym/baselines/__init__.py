"""Offline training on any causal language model: filtered behaviour cloning, multi-turn DPO and SWEET-RL."""
