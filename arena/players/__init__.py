"""Players, which choose a snake's moves in this process or elsewhere. Imports arena.records and searcher."""
