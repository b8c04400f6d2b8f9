"""Fits of an evaluator's weights, and what they are worth on games that they have not seen."""
