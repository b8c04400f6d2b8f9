"""Maps with the same hazards from the first turn to the last."""
