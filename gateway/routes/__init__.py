"""The routes, from a file that is reloaded on SIGHUP: the snakes, and which strategy plays each game.

Imports gateway.searchers and what that may import.
"""
