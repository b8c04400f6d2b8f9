"""Data to learn from: positions of many games, with the moves and the ends of their snakes."""
