"""Keeps how each game ended, in SQLite or PostgreSQL, without any request having to wait for it."""
