"""Endless backend tasks, drawn from families."""
