"""The root of a search: iterative deepening and the choice of the answer, in plain Python.

May import all other layers of the engine.
"""
