"""The names that a shell completes on a command line: strategies, evaluators and opponents.

The searcher and the arena offer their names by entry points. Without their packages there are no names.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

import click

_GROUP = "battlesnake.names"
"""The group of entry points. Each one is a function that returns names, under the names' kind."""


def _completing(*kinds: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the function that completes the names of these kinds."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
        return sorted(name for kind in kinds for name in _named(kind) if name.startswith(incomplete))

    return complete


def _named(kind: str) -> Iterator[str]:
    # No other command waits for this import.
    from importlib.metadata import entry_points

    for entry in entry_points(group=_GROUP, name=kind):
        with suppress(ImportError):
            yield from entry.load()()


strategies = _completing("strategies")
evaluators = _completing("evaluators")
entrants = _completing("opponents", "strategies")
