"""Bridges to other frameworks: one module each, each with an extra of its name; docs/integrations.md has the table.

All are written on :func:`colbench_gym.scenario.open_scenario`, and none turns a failure on our side into a reward.
"""
