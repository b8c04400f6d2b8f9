"""Maps whose hazards grow, vanish or follow the snakes."""
