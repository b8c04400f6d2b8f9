"""The compiled engine: rules, features of a board and search algorithms, as pure functions of a position.

It imports nothing else of this project. Its layers, from the ground up: position and result, jit, rules,
live_board, features, search, algorithms, root.
"""
