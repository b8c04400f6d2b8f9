"""Answers the Battlesnake API over HTTP, always in time, with moves that a searcher finds."""
