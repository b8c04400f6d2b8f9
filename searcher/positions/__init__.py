"""Positions as JSON: the body of a /move request, and the fixed positions of the benchmark.

Imports the engine's values, and nothing else of the project.
"""
