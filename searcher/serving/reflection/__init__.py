"""Server reflection: what the services of the port are, for callers who ask."""
