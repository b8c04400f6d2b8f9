"""Nets over the toolkit's terms: their training, and the packages that the searcher plays them from."""
