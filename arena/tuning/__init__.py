"""Tuning of an evaluator's weights by matches. Imports arena.matches and the packages below it."""
