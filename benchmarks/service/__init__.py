"""The costs of a running service: its first minutes on a fresh machine, and the time added to a search."""
