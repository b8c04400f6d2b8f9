"""The choice of the requests to search, and the start and the end of each search."""
