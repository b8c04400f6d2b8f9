"""The fit of the model of likely moves."""
