"""The records of a match, and the file that holds them. Imports arena.statistics."""
