"""A simulation of many cells: each has gateways, searchers, an autoscaler and a database of its own.

Games begin and end one by one, and each lies in one cell; what its moves find there follows, second by
second, from the games and the pods of the cell. A test compares that with the simulation move by move.
"""
