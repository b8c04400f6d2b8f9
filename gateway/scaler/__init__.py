"""The scaler: it reports to KEDA the number of searches that moves wait for, and whether a game runs.

Gateways know both even without a running searcher, so searchers can be scaled to zero and back.
"""
