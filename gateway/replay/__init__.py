"""A game as the console shows it, and as files of the official engine have it."""
