"""The games in progress, their events and their outcomes."""
