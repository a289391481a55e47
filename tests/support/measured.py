"""Coverage of a process of pytest, where COLBENCH_COVERAGE is set: begun before the package is imported, kept at the end.

What a test starts as another process is not measured: some of these count modules, threads or milliseconds.
"""

import atexit
import os

if os.environ.get("COLBENCH_COVERAGE") == "1":
    import coverage

    _measuring = coverage.Coverage(data_suffix=True)
    _measuring.start()
    atexit.register(_measuring.save)
    atexit.register(_measuring.stop)  # runs before the other
