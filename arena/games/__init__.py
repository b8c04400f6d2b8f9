"""Games: entrants, openings, maps, and the playing of a single game."""
