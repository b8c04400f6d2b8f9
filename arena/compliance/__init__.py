"""Checks of a Battlesnake against the API. Imports nothing else of the project."""
