"""The opponents of the pool by their names: those that look one turn ahead, and searches."""

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from arena import pool
from arena.players.one_turn import Rate
from arena.pool import SEARCHES


@dataclass(frozen=True, slots=True)
class OneTurnOpponent:
    """An opponent that looks one turn ahead: a file of arena.pool, whose docstring has the contract."""

    description: str
    rate: Rate


@cache
def one_turn_opponents() -> Mapping[str, OneTurnOpponent]:
    """Return the opponents that look one turn ahead, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(pool.__path__))
    modules = {
        name: importlib.import_module(f"{pool.__name__}.{name}") for name in names if not name.startswith("_")
    }
    return {name: OneTurnOpponent(module.DESCRIPTION, module.rate) for name, module in modules.items()}


def pool_names() -> tuple[str, ...]:
    """Return the names of the whole pool, each of which is an entrant: the plain opponents, then searches."""
    return (*one_turn_opponents(), *SEARCHES)
