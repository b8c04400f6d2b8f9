"""The HTML report of a match. Imports arena.matches and the packages below it."""
