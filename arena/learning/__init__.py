"""Learning from games: fits of evaluators, nets, and the model of likely moves."""
