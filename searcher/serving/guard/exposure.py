"""The warning about a port that strangers reach."""

import structlog

from searcher.serving.address import is_local
from searcher.serving.guard.settings import PortSettings

_log = structlog.get_logger()


def warn_if_exposed(listen: str, settings: PortSettings) -> None:
    """Log one warning if others than this machine reach the port and TLS or tokens are missing."""
    if is_local(listen):
        return
    missing = []
    if settings.certificates.chain is None:
        missing.append("nothing is encrypted: set --tls-cert and --tls-key")
    if settings.tokens is None and settings.certificates.authorities is None:
        missing.append("everybody may search: set --tokens or --tls-client-ca")
    if missing:
        _log.warning(f"{listen} is open to other machines, and {', and '.join(missing)}")
