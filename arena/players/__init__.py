"""Players. They choose a snake's moves in this process or elsewhere."""
