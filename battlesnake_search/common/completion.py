"""The names that a shell completes on a command line: strategies, evaluators and opponents.

The searcher and the arena offer their names by entry points. Without their packages there are no names.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import click

_GROUP = "battlesnake.names"
"""The group of entry points. Each one is a function that returns names, under the names' kind."""


def strategies(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the strategies that begin with a text."""
    return _beginning(_named("strategies"), incomplete)


def evaluators(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the evaluators that begin with a text, with the ones of other packages."""
    return _beginning(_named("evaluators"), incomplete)


def entrants(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the entrants of matches that begin with a text: strategies, and the opponents of the pool."""
    return _beginning(_named("opponents", "strategies"), incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))


def _named(*kinds: str) -> Iterator[str]:
    # No other command waits for this import.
    from importlib.metadata import entry_points

    for kind in kinds:
        for entry in entry_points(group=_GROUP, name=kind):
            with suppress(ImportError):
                yield from entry.load()()
