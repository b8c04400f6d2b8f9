"""A live game on a terminal, by the events of the console's API."""
