"""Shapes of programs: each composes many functions of one kind from public choices."""
