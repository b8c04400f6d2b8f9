"""Choosing a move within the time budget, and comparing shadows with it.

Imports gateway.routes and what that may import.
"""
