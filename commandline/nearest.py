"""The name that somebody may have meant."""

from collections.abc import Iterable


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name that is most like another one; None if none is much like it."""
    # Only mistakes wait for this import.
    import difflib

    return next(iter(difflib.get_close_matches(name, list(names), 1)), None)
