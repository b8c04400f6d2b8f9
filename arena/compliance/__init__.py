"""Checks of a Battlesnake against the API. Imports the contract and nothing else of the project."""
