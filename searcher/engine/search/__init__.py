"""The shared parts of all search algorithms: clock, threads, transposition table, move ordering, scores.

Imports `features`, `live_board`, `rules`, `jit`, `position` and `result`.
"""
