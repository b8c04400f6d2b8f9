"""What the gateway knows of each game, and how the game ended."""
