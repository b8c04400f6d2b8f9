"""Features of a board, which evaluators are made of: floods, distances, terrain, and bounds of a move.

Imports `rules`, `jit` and `position`.
"""
