"""The viewer of games, as static files for a browser: for the console's pages and the arena's report."""
