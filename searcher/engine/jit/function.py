"""A Python function and the signature to compile it for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from searcher.engine.jit import code_cache


@dataclass(frozen=True)
class Function:
    """A function that compiled code or Python calls by its address. Records pass as pointers."""

    source: Callable[..., Any]
    signature: Any

    @cached_property
    def address(self) -> int:
        """The address of the compiled function; the first access loads it from the cache or compiles it."""
        return code_cache.address_of(self.source, self.signature)

    def is_cached(self) -> bool:
        """Return whether the compiled function is in the cache on disk."""
        return code_cache.is_cached(self.source, self.signature)
