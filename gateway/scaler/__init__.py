"""The scaler: it tells KEDA how many searches the moves are waiting for, and whether a game is running.

Gateways know both even without a running searcher, so searchers can be scaled to zero and back.
"""
