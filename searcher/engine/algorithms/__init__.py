"""The search algorithms: one module each, with the `SearchKernel` for a strategy.

May import `search` and the engine's layers below it, and other algorithms.
"""
