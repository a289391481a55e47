"""Families of generated backend tasks, a module a theme."""
