"""Fitting of evaluators to the outcomes of games: values of many positions at once, and what fits them."""
