"""The contract `battlesnake.search.v1`, the Python generated from it, and what else both services agree on.

Imports nothing of ours.
"""
