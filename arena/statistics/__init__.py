"""Statistics of a match: pure functions of the points that an entrant got in each block.

Imports estimation and nothing else of the project."""
