"""Matches: blocks of games, the workers that play them, and their sums. Imports arena.games and below."""
