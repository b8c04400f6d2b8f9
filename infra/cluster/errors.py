"""What the parts of the cluster raise and how they wait."""

import time
from collections.abc import Callable

WITHIN = 120.0
"""Seconds for whatever is waited for, enough on a busy machine."""


class ClusterError(RuntimeError):
    """The cluster does not start, or the manifests don't do there what they promise."""


def wait_until(true: Callable[[], bool], what: str) -> None:
    """Return once a condition is true; `what` says it. Raises ClusterError after WITHIN seconds."""
    end = time.monotonic() + WITHIN
    while not true():
        if time.monotonic() > end:
            raise ClusterError(f"after {WITHIN:.0f} s still not true: {what}")
        time.sleep(0.2)
