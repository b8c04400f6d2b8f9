"""What games show beyond points: results by opponent, and the conduct of snakes.

Imports arena.matches and the packages below it.
"""
