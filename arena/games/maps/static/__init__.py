"""Maps whose hazards lie there from the first turn to the last."""
