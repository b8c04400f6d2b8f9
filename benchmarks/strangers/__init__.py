"""A real game beside a stranger who knows only the addresses of the services."""
