"""Endless backend tasks, drawn from a grammar of programs."""
