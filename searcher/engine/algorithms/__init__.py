"""The search algorithms: one module each, whose `SearchKernel` is what a strategy names.

May import `search` and the engine's layers below it, and other algorithms.
"""
