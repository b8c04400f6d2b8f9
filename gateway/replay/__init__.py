"""A game as the console shows it, and in files of the official engine."""
