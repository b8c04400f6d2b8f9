"""HTTP handlers: for operators, and for the Battlesnake API."""
