"""What processes that are started for work have in common."""

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """Lets this child process end when its parent does, however that ends.

    Else a child of a process that was killed would wait for work for ever.
    """
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
