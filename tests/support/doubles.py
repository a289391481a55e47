"""What stands in for parts of an episode."""


class Closeable:
    """A part that holds nothing open."""

    def close(self):
        pass
