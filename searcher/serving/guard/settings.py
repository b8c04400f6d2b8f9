"""What the port of a searcher is given."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from battlesnake_search.common.access import CertificateFiles


class SettingsError(Exception):
    """A file of certificates or tokens can't be used; the message names it and has the reason."""


@dataclass(frozen=True, slots=True)
class PortSettings:
    """Who may call a searcher, and how. Without any, everybody may, and nothing is encrypted."""

    certificates: CertificateFiles = field(default_factory=CertificateFiles)
    """With a chain and a key the port speaks TLS; with authorities too, callers must show a certificate."""
    tokens: Path | None = None
    without_token: Collection[str] = ()
    """What callers without a token may use all the same: some of `callers.OPENABLE`."""
    max_connection_age: float | None = None
    """Seconds after which callers are asked to reconnect."""
    health: str | None = None
    """A second address, as host:port or unix:PATH, with the health alone, for probes that know no TLS."""
    metrics: Collection[str] = ()
    """Where Prometheus reads the metrics, each as host:port or unix:PATH."""

    def __post_init__(self) -> None:
        if self.certificates.authorities and not self.certificates.chain:
            raise ValueError("a client's certificate needs TLS: give a certificate and its key as well")


OPEN_PORT = PortSettings()
"""The settings of a port that nothing guards but its bounds."""
