"""The scaler: it tells KEDA how many searches the moves of all gateways wait for, and whether anybody plays.

Gateways know that even while no searcher runs, so that searchers can be scaled to zero and back.
"""
