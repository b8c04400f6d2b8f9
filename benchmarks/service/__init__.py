"""The cost of a running service: the time that it adds to a search."""
