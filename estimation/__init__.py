"""Estimates with intervals, and ratings of players, shared by the arena and the gateway's experiments.

Imports nothing else of the project.
"""
