"""Start the worker from its folder: ``python -s -S FOLDER``, wherever it was copied to."""

import sys

worker = type(sys)("worker")  # a package without a search path: nothing else becomes importable
worker.__path__ = [sys.path[0]]
sys.modules["worker"] = worker

__import__("worker.server", fromlist=["main"]).main(sys.argv[1:])
