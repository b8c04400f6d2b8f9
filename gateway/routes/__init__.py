"""The routes, from a file that is reloaded on SIGHUP: the snakes, and the strategy of each game.

Imports gateway.searchers and the imports allowed there.
"""
