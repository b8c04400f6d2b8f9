"""Learning from games: fits of evaluators."""
