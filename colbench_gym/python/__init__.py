"""Python itself: syntax trees of source (``syntax``), and callables that a user names (``factory``)."""
