"""Start the worker from its folder: ``python -s -S FOLDER/__main__.py``, wherever it was copied to."""

import sys

worker = type(sys)("worker")  # a package without a search path: nothing else becomes importable
worker.__path__ = [__file__.rpartition("/")[0] or "."]
sys.modules["worker"] = worker

__import__("worker.server", fromlist=["main"]).main(sys.argv[1:])
