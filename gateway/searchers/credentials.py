"""What the gateway shows to remote searchers: a token, and certificates for TLS."""

from dataclasses import dataclass, field
from pathlib import Path

from access.certificates import CertificateFiles, Certificates
from access.files import WatchedFiles
from gateway.searchers.plan import Metadata

TLS = "grpcs://"
"""The prefix of a target whose searchers use TLS, as in clouds: grpcs://host or grpcs://host:port."""


@dataclass(frozen=True, slots=True)
class CredentialFiles:
    """The files that hold the credentials; each may be left out."""

    certificates: CertificateFiles = field(default_factory=CertificateFiles)
    token: Path | None = None


class Credentials:
    """The credentials in force: files are read again when they change.

    The constructor raises OSError or ValueError if they are invalid.
    """

    def __init__(self, files: CredentialFiles | None = None) -> None:
        files = files or CredentialFiles()
        self._certificates = files.certificates.watched()
        self._token = WatchedFiles([files.token] if files.token else [], lambda: _read_token(files.token))

    @property
    def certificates(self) -> Certificates:
        """Our certificate and its key, if searchers ask for one, and the authorities of theirs."""
        return self._certificates.value

    def metadata(self, target: str) -> Metadata:
        """Return the headers that a target's searchers ask for. The embedded searcher asks for none."""
        token = self._token.value
        return (("authorization", f"Bearer {token}"),) if token and not target.startswith("unix:") else ()


def _read_token(path: Path | None) -> str:
    if not path:
        return ""
    token = path.read_text(encoding="utf-8").strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"{path}: must hold one token and nothing else")
    return token
