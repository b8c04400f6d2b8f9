"""The contract's generated code, names and bounds, and the mark of uncounted games."""
