"""Whole games while the network, the searchers, the disk, the clock and the database misbehave."""
