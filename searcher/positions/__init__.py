"""Positions as JSON: the body of a /move request, the fixed positions of the benchmark and the suite.

Of the project, it imports only the engine's values.
"""
