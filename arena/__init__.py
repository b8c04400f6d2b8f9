"""The arena: plays Battlesnakes against each other and measures which of them is stronger."""
