"""Matches: blocks of games, the workers that play them, and sums over them."""
