"""The names that a shell completes on a command line: strategies, evaluators and opponents.

A gateway may be installed without a searcher, and a searcher without the arena. Then there are no names.
"""

from collections.abc import Iterable
from importlib import import_module

import click


def strategies(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the strategies that begin with a text."""
    return _beginning(_strategies(), incomplete)


def evaluators(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the evaluators that begin with a text, with the ones of other packages."""
    return _beginning(_evaluators(), incomplete)


def entrants(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """Return the entrants of matches that begin with a text: strategies, and the opponents of the pool."""
    return _beginning([*_opponents(), *_strategies()], incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))


def _evaluators() -> list[str]:
    try:
        return list(import_module("searcher.strategies").evaluators())
    except ImportError:
        return []


def _strategies() -> list[str]:
    names = _evaluators()
    if not names:
        return []
    module = import_module("searcher.strategies")
    return [module.AUTO_NAME, *(f"{search}/{name}" for search in module.SEARCHES for name in names)]


def _opponents() -> list[str]:
    try:
        return [
            *import_module("arena.games.entrants").one_turn_opponents(),
            *import_module("arena.pool._searches").SEARCHING_OPPONENTS,
        ]
    except ImportError:
        return []
