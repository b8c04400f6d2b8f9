"""Choosing a move within the time budget, and comparing shadows with it."""
