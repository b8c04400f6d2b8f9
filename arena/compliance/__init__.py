"""Checks of a Battlesnake against the API. Imports protos and nothing else of the project."""
