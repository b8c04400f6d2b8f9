"""TLS of a port, with certificates that each new connection takes from the files as they are then."""

from collections.abc import Callable

import grpc

from battlesnake_search.common.access import CertificateFiles, Certificates


def server_credentials(files: CertificateFiles, on_handshake: Callable[[], None]) -> grpc.ServerCredentials:
    """Return the credentials of a server. Raises OSError, or ValueError that names the invalid file.

    With authorities, clients must show a certificate of theirs. `on_handshake` is called in a thread of
    gRPC's for each TLS handshake that a client begins.
    """
    watched = files.watched()
    served = watched.value

    def newer() -> grpc.ServerCertificateConfiguration | None:
        """Return the certificates if they have changed. Connections in use go on with the former ones."""
        nonlocal served
        on_handshake()
        found = watched.value
        if found is served:
            return None
        served = found
        return _configuration(found)

    needs_certificate = files.authorities is not None
    # gRPC documents None for certificates that have not changed; its annotation lacks it.
    return grpc.dynamic_ssl_server_credentials(_configuration(served), newer, needs_certificate)  # type: ignore[arg-type]


def _configuration(found: Certificates) -> grpc.ServerCertificateConfiguration:
    assert found.key and found.chain
    return grpc.ssl_server_certificate_configuration([(found.key, found.chain)], found.authorities)
