"""The shared parts of all search algorithms: clock, threads, transposition table, move ordering, scores and
more.

Imports `features`, `live_board`, `rules`, `jit`, `position` and `result`.
"""
