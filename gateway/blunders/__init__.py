"""Blunders: our turns of a recorded game searched again with more time, and what lost the game.

Imports gateway.replay and what that may import.
"""
