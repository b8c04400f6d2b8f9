"""Certificates of authorities made for a test, in files and for gRPC servers."""

import socket
import ssl
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import grpc
import trustme

from battlesnake_search.common.access import CertificateFiles, new_token

PATIENCE = 20.0
"""Seconds for a handshake on a busy machine."""


def write(
    folder: Path,
    authority: trustme.CA,
    expires: datetime | None = None,
    trusted: Sequence[trustme.CA] = (),
) -> CertificateFiles:
    """Write a certificate for localhost, its key and the trusted authorities; return the files.

    Without `trusted` the certificate's own authority is. Files that exist are replaced, as tools that renew
    certificates do.
    """
    folder.mkdir(exist_ok=True)
    issued = authority.issue_cert("localhost", not_after=expires)
    chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
    authorities = b"".join(each.cert_pem.bytes() for each in trusted or [authority])
    blobs = {"chain": chain, "key": issued.private_key_pem.bytes(), "authorities": authorities}
    for name, content in blobs.items():
        replace(folder / f"{name}.pem", content)
    return CertificateFiles(*(folder / f"{name}.pem" for name in blobs))


def replace(path: Path, content: bytes) -> None:
    """Replace a file at once, or create it."""
    (new := path.with_suffix(".new")).write_bytes(content)
    new.replace(path)


def shown_at(port: int) -> bytes:
    """Return the certificate, in DER, that a new connection to a port of this machine is shown."""
    context = ssl._create_unverified_context()
    context.set_alpn_protocols(["h2"])
    with (
        socket.create_connection(("127.0.0.1", port), PATIENCE) as plain,
        context.wrap_socket(plain) as connection,
    ):
        shown = connection.getpeercert(True)
    assert shown
    return shown


def server_credentials(authority: trustme.CA, clients: trustme.CA | None = None) -> grpc.ServerCredentials:
    """Return credentials of a server for localhost, which asks for certificates of an authority, if given."""
    issued = authority.issue_cert("localhost")
    chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
    roots = clients.cert_pem.bytes() if clients else None
    pair = (issued.private_key_pem.bytes(), chain)
    return grpc.ssl_server_credentials([pair], roots, require_client_auth=clients is not None)


class Files:
    """The files of both sides in a folder."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self._sides = {side: write(folder / side, authority) for side in ("server", "client")}
        self.tokens, self.token = folder / "tokens.toml", folder / "token"
        """The searcher's tokens and the caller's one."""
        text, entry = new_token("gateway")
        self.tokens.write_text(f'[[tokens]]\nname = "{entry.name}"\ndigest = "{entry.digest}"\n')
        self.token.write_text(text)

    def certificates(self, side: str) -> CertificateFiles:
        """Return the certificates of a side."""
        return self._sides[side]

    @property
    def options(self) -> list[str]:
        """The searcher's options for mutual TLS and tokens."""
        files = self.certificates("server")
        given = {
            "--tls-cert": files.chain,
            "--tls-key": files.key,
            "--tls-client-ca": files.authorities,
            "--tokens": self.tokens,
        }
        return [str(part) for pair in given.items() for part in pair]
