"""The guard of a searcher's port: who may call, how much, and what becomes of calls that can't be read."""
