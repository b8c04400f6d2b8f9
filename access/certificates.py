"""Certificates of TLS in PEM files, checked before they are used."""

import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from access.files import WatchedFiles


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """The files of one side of TLS. Servers need `chain` and `key`; clients have them for mutual TLS.

    `authorities` are those whose certificates the other side may show. None: for a client the well-known
    ones, for a server none, so that clients show nothing.
    """

    chain: Path | None = None
    key: Path | None = None
    authorities: Path | None = None

    def __post_init__(self) -> None:
        if (self.chain is None) != (self.key is None):
            raise ValueError("a certificate and its key belong together: give both or neither")

    @property
    def paths(self) -> Sequence[Path]:
        """The files that are given."""
        return [path for path in (self.chain, self.key, self.authorities) if path]

    def watched(self) -> "WatchedFiles[Certificates]":
        """Return what the files hold, read again when they change. Raises as `read` does."""
        return WatchedFiles(self.paths, self.read)

    def read(self) -> "Certificates":
        """Read the files. Raises OSError, or ValueError that names a file which is no PEM or does not fit."""
        found = Certificates(_content(self.chain), _content(self.key), _content(self.authorities))
        if self.chain is not None:
            assert self.key is not None
            _check_pair(self.chain, self.key)
        if self.authorities:
            _check_authorities(self.authorities)
        return found


@dataclass(frozen=True, slots=True)
class Certificates:
    """The content of the files, as PEM."""

    chain: bytes | None
    key: bytes | None
    authorities: bytes | None


def _content(path: Path | None) -> bytes | None:
    return path.read_bytes() if path else None


def _check_pair(chain: Path, key: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(chain, key, password=_no_password)
    except ssl.SSLError as error:
        raise ValueError(f"{chain} and {key} are not a certificate and its key: {_reason(error)}") from None


def _check_authorities(authorities: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(authorities)
    except ssl.SSLError as error:
        raise ValueError(f"{authorities} has no certificates of authorities: {_reason(error)}") from None


def _no_password() -> str:
    """Keep OpenSSL from asking for a password on the terminal."""
    raise ValueError("the key is encrypted: give one without a password")


def _reason(error: ssl.SSLError) -> str:
    return (error.reason or str(error)).lower().replace("_", " ")
