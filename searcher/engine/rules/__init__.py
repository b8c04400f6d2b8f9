"""The official rules: the records of a position, one turn as a list of stages, and legal moves.

Imports `jit` and `position`.
"""
