"""The official rules: the records of a position, one turn as a list of stages, and legal moves.

Imports `jit`, `position` and, for old import paths, `former_paths`.
"""

from searcher.engine.former_paths import former_name


def __getattr__(name: str) -> object:
    return former_name("rules", name)
