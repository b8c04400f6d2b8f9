"""The record of how each game ended, in SQLite or PostgreSQL. Requests never wait for it.

Imports gateway.moves and what that may import.
"""
