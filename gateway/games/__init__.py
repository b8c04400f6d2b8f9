"""Recorded games: what the gateway has seen and thought, in memory and in the outcomes' database.

Imports gateway.outcomes and what that may import.
"""
