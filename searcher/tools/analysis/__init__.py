"""The analysis of one position: where it comes from, its board, and what a search finds, as text or JSON."""
