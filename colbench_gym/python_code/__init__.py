"""Python code that is not ours: read as syntax trees (``syntax``), or named by a user and called (``factory``)."""
