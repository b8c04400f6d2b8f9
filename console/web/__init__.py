"""The console: its pages and API on the admin port, analyses of positions, and reviews of recorded games."""
