"""Data to learn from: positions of many games, with what each snake did and how it ended."""
