"""What all search algorithms share: clock, threads, transposition table, move ordering, scores and more.

Imports `features`, `live_board`, `rules`, `jit`, `position` and `result`.
"""
