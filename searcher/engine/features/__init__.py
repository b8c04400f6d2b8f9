"""Features of a board, for evaluators: floods, distances, terrain, and bounds of a move.

Imports `rules`, `jit` and `position`.
"""
