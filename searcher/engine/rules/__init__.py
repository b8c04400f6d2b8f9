"""The official rules: the records of a position, one turn of them as a list of stages, and legal moves.

Imports `jit` and the values of `position`.
"""
