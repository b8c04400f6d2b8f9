"""How fast a searcher and a snake start, and what they hold in memory then."""
