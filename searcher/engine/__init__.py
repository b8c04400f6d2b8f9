"""The compiled engine: rules, features of a board and search algorithms, as pure functions of a position.

It imports nothing else of this project. Its layers, from the ground up: position and result, jit, rules,
live_board, features, search, algorithms, root.
"""

from searcher.engine import former_paths

# This sets the compiler's target and cache, which are fixed once a module with compiled code is imported.
from searcher.engine.jit import code_cache as code_cache

former_paths.install()
