"""Former import paths of the engine, which third-party evaluators use and `searcher.toolkit` replaces.

They work for one more release, with a DeprecationWarning that names the toolkit.
"""

import importlib
import sys
import warnings
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

_ENGINE = "searcher.engine"

_MODULES: Mapping[str, tuple[str, ...]] = {
    "assured": ("features.lower_bound",),
    "board": ("rules.records",),
    "cells": ("jit.cells",),
    "flood": ("features.flood",),
    "memory": ("jit.intrinsics",),
    "reach": ("features.distance",),
    "rules": ("rules.joint", "rules.board", "rules.legal", "rules.turn"),
    "terrain": ("features.terrain",),
}
"""The modules that define the names of each former module, by its former name."""

_RENAMED = {
    "assured": "worst_case",
    "body_of": "body_cells",
    "lengths_after": "length_bounds",
    "longest_after": "longest_length",
    "moves_of": "target_cells",
    "rivals": "opponent_moves",
    "toward": "shift",
}
"""The current name of each renamed function, by its former name."""


class _FormerModules(MetaPathFinder, Loader):
    """Finds the former modules and fills in their names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        return spec_from_loader(fullname, self) if package == _ENGINE and name in _MODULES else None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.rpartition(".")[2]
        text = f"{module.__name__} is deprecated; import from searcher.toolkit"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        names = _names_of(name)
        former = {old: names[new] for old, new in _RENAMED.items() if new in names}
        vars(module).update(names | former)


def former_name(module: str, name: str) -> object:
    """Return the value that a former module, now a package, had under a name.

    Raises AttributeError if it had none.
    """
    names = _names_of(module)
    if name.startswith("__") or name not in names:
        raise AttributeError(f"module {f'{_ENGINE}.{module}'!r} has no attribute {name!r}")
    text = f"{_ENGINE}.{module}.{name} is deprecated; import from searcher.toolkit"
    warnings.warn(text, DeprecationWarning, stacklevel=3)
    return names[name]


def _names_of(name: str) -> dict[str, object]:
    """Return the values that a former module had, by their current names."""
    modules = [importlib.import_module(f"{_ENGINE}.{each}") for each in _MODULES[name]]
    return {key: each for module in modules for key, each in vars(module).items() if key[:2] != "__"}


def install() -> None:
    """Make the former modules importable."""
    sys.meta_path.append(_FormerModules())
