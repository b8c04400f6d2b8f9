"""Estimates with intervals, and ratings of players: what the arena and the gateway's experiments share.

Imports nothing of ours.
"""
