"""The admin port: the console's pages, its API and its events, and what operators ask for.

Imports gateway.replay, gateway.experiments, metrics and probes, and what those may import.
"""
