"""Outcomes and recorded games, in memory and in a database. Requests never wait for them."""
