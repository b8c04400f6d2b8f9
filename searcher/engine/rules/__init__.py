"""The official rules: the records of a position, one turn of them as a list of stages, and legal moves.

Imports `jit` and the values of `position`.
"""

from searcher.engine.former_paths import former_name


def __getattr__(name: str) -> object:
    return former_name("rules", name)
