"""The comparison of an experiment's arms by their recorded outcomes, with its confidence.

Imports gateway.store and the imports allowed there.
"""
