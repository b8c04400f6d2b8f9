"""The console: it records games, and shows them."""
