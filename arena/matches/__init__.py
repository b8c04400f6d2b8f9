"""Matches: blocks of games, the workers that play them, and sums over them.

Imports arena.games and the packages below it.
"""
