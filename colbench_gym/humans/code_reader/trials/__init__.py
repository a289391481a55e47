"""Trials: what a question supposes of the input, brought about, run, and compared with what happens otherwise."""
