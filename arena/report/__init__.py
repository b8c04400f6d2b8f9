"""The HTML report of a match."""
