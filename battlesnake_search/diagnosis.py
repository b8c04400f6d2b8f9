"""The reason why a searcher can't be reached.

One error of gRPC has several causes, so this connects without gRPC.
"""

import os
import re
import socket
import ssl
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from battlesnake_search.channels import TLS
from battlesnake_search.common.access import Certificates

_ADDRESS = re.compile(r"(?:dns:///)?(?P<host>\[[^\]]+\]|[^:/\[\]]+)(?::(?P<port>\d{1,5}))?/?")
_TLS_PORT = 443

_PATIENCE = 2.0
"""Seconds for each step."""

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + b"\x04" + bytes(5)
"""The first bytes of a client of HTTP/2, with empty settings."""

_FRAME, _KIND, _SETTINGS = 4, 3, b"\x04"
"""The first bytes of a frame that are read, the place of its type in them, and the type of the settings."""

_HTTP = b"HTTP"
"""The first bytes of an answer of HTTP/1."""

_WRONG_NAME = (62, 64)
"""OpenSSL's codes for a certificate of another name, and of another address."""

_EXPIRED = 10
"""OpenSSL's code for an expired certificate."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The cause of a failure, and its remedy.

    `remedy` is for users of command lines. `argument` is for users of the client for Python. It is empty if
    no argument of the client is the cause.
    """

    cause: str
    remedy: str
    argument: str = ""

    @property
    def for_client(self) -> str:
        """The cause, and the remedy for users of the client."""
        return f"{self.cause}. {self.argument}" if self.argument else self.cause


_SILENT = Diagnosis(
    f"no answer within {_PATIENCE:g} s", "Correct the target, or open a firewall on the way to it."
)
_PROXIES = {"grpc_proxy", "https_proxy", "http_proxy"}
_WITHOUT_PROXY = (
    f"{_SILENT.remedy} Searchers are called directly, and not through a proxy such as https_proxy names."
)
_CORRECT = "Correct the target: it must be a searcher's."
HTTP_SERVER = Diagnosis("an HTTP server listens there, and not a searcher", _CORRECT)
_NO_SEARCHER = Diagnosis("a program that is not a gRPC server listens there", _CORRECT)
_SPEAKS_TLS = Diagnosis(
    "the searcher speaks only TLS",
    f"Begin the target with {TLS}. Give the authority of its certificate with --searcher-ca, unless it is a "
    "well-known one.",
    f"Begin the target with {TLS}",
)
_SPEAKS_NO_TLS = Diagnosis(
    "the port speaks no TLS",
    f"Remove {TLS} from the target, or start the searcher with --tls-cert and --tls-key.",
    f"Remove {TLS} from the target",
)
_UNKNOWN_AUTHORITY = Diagnosis(
    "the searcher's certificate is not by an accepted authority",
    "Give the PEM file of its authority with --searcher-ca.",
    "Give the PEM file of its authority with authorities=FILE",
)
_EXPIRED_CERTIFICATE = Diagnosis("the searcher's certificate has expired", "Renew the certificate.")
_NEEDS_CERTIFICATE = Diagnosis(
    "the searcher requires a client's certificate",
    "Give one with --searcher-cert and --searcher-key.",
    "Give one with certificate=FILE and key=FILE",
)
_REFUSES_CERTIFICATE = Diagnosis(
    "the searcher refuses the client's certificate",
    "With --searcher-cert, give one by an authority of the searcher's --tls-client-ca.",
    "Give another one with certificate=FILE and key=FILE",
)


def _refused(port: int) -> Diagnosis:
    return Diagnosis(
        f"nothing listens on port {port}",
        "Start it, for example with `python -m searcher serve --listen HOST:PORT`, or correct the target.",
    )


def _wrong_name(host: str) -> Diagnosis:
    return Diagnosis(
        f"the searcher's certificate is not for the name {host}",
        f"Name the host as the certificate does, or make a certificate for {host}.",
    )


def diagnose(target: str, certificates: Certificates) -> Diagnosis | None:
    """Connect to a target as a client with these certificates; return the reason why gRPC can't.

    Return None for a target in another form than host:port, and without a finding. This blocks for up to some
    seconds.
    """
    found = _ADDRESS.fullmatch(target.removeprefix(TLS))
    if found is None:
        return None
    host, port = found["host"].strip("[]"), int(found["port"] or _TLS_PORT)
    try:
        with socket.create_connection((host, port), _PATIENCE) as plain:
            if target.startswith(TLS):
                return _handshake(plain, host, certificates)
            answer = _answer_to_http2(plain)
        if answer[_KIND:] == _SETTINGS:
            return None
        with socket.create_connection((host, port), _PATIENCE) as plain:
            # Some servers refuse a client without TLS by an answer of HTTP.
            if _speaks_tls(plain):
                return _SPEAKS_TLS
        return HTTP_SERVER if answer == _HTTP else _NO_SEARCHER
    except ConnectionRefusedError:
        return _refused(port)
    except TimeoutError:
        return _SILENT if not _PROXIES & os.environ.keys() else replace(_SILENT, remedy=_WITHOUT_PROXY)
    except (OSError, UnicodeError):
        # A name with a long or empty label is a UnicodeError.
        return None


def _answer_to_http2(plain: socket.socket) -> bytes:
    """Return the first bytes of the answer to a client of HTTP/2; empty without an answer."""
    try:
        plain.sendall(_PREFACE)
        return plain.recv(_FRAME)
    except OSError:
        return b""


def _speaks_tls(plain: socket.socket) -> bool:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        context.wrap_socket(plain).close()
    except OSError:
        return False
    return True


def _handshake(plain: socket.socket, host: str, certificates: Certificates) -> Diagnosis | None:
    """Return the reason why a handshake fails; None if it succeeds."""
    refused = _REFUSES_CERTIFICATE if certificates.chain else _NEEDS_CERTIFICATE
    try:
        connection = _context(certificates).wrap_socket(plain, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        if error.verify_code in _WRONG_NAME:
            return _wrong_name(host)
        return _EXPIRED_CERTIFICATE if error.verify_code == _EXPIRED else _UNKNOWN_AUTHORITY
    except ssl.SSLError as error:
        return refused if "ALERT" in (error.reason or "") else _SPEAKS_NO_TLS
    with connection:
        try:
            # A server of HTTP/2 begins with its settings. A server that refuses the client's certificate
            # closes the connection.
            return None if connection.recv(1) else refused
        except (ssl.SSLError, ConnectionError):
            return refused


def _context(certificates: Certificates) -> ssl.SSLContext:
    authorities = certificates.authorities.decode() if certificates.authorities else None
    context = ssl.create_default_context(cadata=authorities)
    context.set_alpn_protocols(["h2"])
    if certificates.chain and certificates.key:
        # OpenSSL's binding reads a certificate only from files.
        with tempfile.TemporaryDirectory() as folder:
            chain, key = Path(folder) / "chain", Path(folder) / "key"
            chain.write_bytes(certificates.chain)
            key.write_bytes(certificates.key)
            context.load_cert_chain(chain, key)
    return context
