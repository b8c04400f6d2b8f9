"""Whole games while the network, the searchers or the machine misbehave."""
