"""A small program that any sandbox runs, and its answer."""

from colbench_gym.sandboxes import CallOutcome, Program

DOUBLE = Program("def double(x):\n    return 2 * x", ("double(21)",))
ANSWER = (CallOutcome("returned", 42),)
