"""The guard of a searcher's port: the callers, their limits, and the answers to unreadable calls."""
