"""What would pause moves: the collection of garbage, of which there is little, among objects that stay."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect nothing during a block, and never look at what it has allocated.

    It is for large imports: what they allocate lives until the end, and a collection that looks at all of it
    takes milliseconds.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
