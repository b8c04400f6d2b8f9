"""Games: entrants, maps, and the playing of a single game."""
