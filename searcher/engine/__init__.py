"""The compiled engine: pure functions of a position."""

# Sets the compiler's target and cache, which are fixed for good when anything compiled is first imported.
from searcher.engine.jit import code_cache as code_cache
