"""Learning from games: fits of evaluators, and of the model of likely moves."""
