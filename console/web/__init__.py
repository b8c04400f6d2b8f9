"""The admin port: the console's pages and its API."""
