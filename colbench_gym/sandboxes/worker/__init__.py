"""Code that runs inside: the worker and all that it needs; standard library only."""
