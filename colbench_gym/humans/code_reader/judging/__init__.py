"""Judgements of what a message states: formulas and plans, by running them or by comparing them with claims."""
