"""The compiled engine: rules, features of a board and searches, as pure functions of a position.

Imports nothing of ours. Its layers, from the ground up: position and result, jit, rules, live_board, features,
search, algorithms, root.
"""

from searcher.engine import former_paths

# Sets the compiler's target and cache, which are fixed once anything compiled is imported.
from searcher.engine.jit import code_cache as code_cache

former_paths.install()
