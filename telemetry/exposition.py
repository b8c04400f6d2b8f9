"""Metrics as text, in the format that whoever reads them asks for."""

from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

_END = b"# EOF\n"
"""The last line of metrics in the format OpenMetrics."""


def exposition(registry: CollectorRegistry, accept: str) -> tuple[bytes, str]:
    """Return a registry's metrics and their content type.

    `accept` is the header of the request. Readers that accept OpenMetrics get exemplars as well.
    """
    encode, content_type = choose_encoder(accept)
    return encode(registry), content_type


def joined(first: bytes, second: bytes) -> bytes:
    """Return two texts of the same format as one; they have no metric in common."""
    return first.removesuffix(_END) + second if second else first
