"""A clock that a test sets."""


class Clock:
    """Returns its seconds."""

    seconds = 100.0

    def __call__(self) -> float:
        """Return the time in seconds."""
        return self.seconds
