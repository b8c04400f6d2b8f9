"""What the metadata of a ScaledObject's trigger says: how many searches a pod is for."""

import math
from collections.abc import Mapping

from commandline.nearest import nearest

SEARCHES = "searches"
"""The name of the metric: searches that moves wait for at once."""

SEARCHES_PER_POD = "searchesPerPod"

DEFAULT_SEARCHES_PER_POD = 2.0
"""One for each core of a pod of two cores: every search has a core of its own, and full depth."""

_OF_KEDA = ("caCert", "enableTLS", "scalerAddress", "tlsClientCert", "tlsClientKey", "unsafeSsl")
"""What KEDA itself reads. It hands all of it on."""


class MetadataError(ValueError):
    """An invalid field; the message names it and the valid values."""


def searches_per_pod(metadata: Mapping[str, str]) -> float:
    """Return for how many searches at once a pod is. Raises MetadataError."""
    for name in sorted(metadata):
        if name not in (SEARCHES_PER_POD, *_OF_KEDA):
            raise MetadataError(f"{name}: no such field{_near(name)}; valid: {SEARCHES_PER_POD}")
    text = metadata.get(SEARCHES_PER_POD, "")
    if not text:
        return DEFAULT_SEARCHES_PER_POD
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    # The autoscaler's numbers end at thousandths.
    if not 0.001 <= number < math.inf:
        raise MetadataError(f"{SEARCHES_PER_POD}: {text!r} is invalid; valid: a number of 0.001 or more")
    return number


def _near(name: str) -> str:
    near = nearest(name, [SEARCHES_PER_POD, *_OF_KEDA])
    return f", did you mean {near}?" if near else ""
