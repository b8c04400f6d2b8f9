"""Positions as JSON: the body of a /move request, the fixed positions of the benchmark and the suite.

Imports the engine's values, and nothing else of the project.
"""
