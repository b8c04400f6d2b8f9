"""The compiled engine: rules, features of a board and search algorithms, as pure functions of a position.

Of this project it imports only names and bounds of the contract. Its layers, from the ground up: position and
result, jit, rules, live_board, features, search, algorithms, root.
"""
