"""Checks of a Battlesnake against the API."""
