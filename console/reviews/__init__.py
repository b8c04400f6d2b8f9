"""Reviews of recorded games."""
