"""The comparison of an experiment's arms by their recorded outcomes, with its confidence.

Imports console.store and the imports allowed there.
"""
