"""Games: entrants, openings, maps, and the playing of a single game.

Imports arena.players, arena.records and searcher."""
