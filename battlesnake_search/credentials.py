"""What the gateway shows to remote searchers: a token, and certificates for TLS."""

from dataclasses import dataclass, field
from pathlib import Path

from access.certificates import CertificateFiles, Certificates
from access.files import WatchedFiles
from access.tokens import is_token, read_token
from battlesnake_search.plan import Metadata

TLS = "grpcs://"
"""The prefix of a target whose searchers use TLS, as in clouds: grpcs://host or grpcs://host:port."""


@dataclass(frozen=True, slots=True)
class CredentialFiles:
    """The files that hold the credentials; each may be left out."""

    certificates: CertificateFiles = field(default_factory=CertificateFiles)
    token: Path | None = None


class Credentials:
    """The credentials in force: files are read again when they change.

    `token` is shown where there is no file of one. The constructor raises OSError or ValueError if they are
    invalid.
    """

    def __init__(self, files: CredentialFiles | None = None, token: str = "") -> None:
        files = files or CredentialFiles()
        self._certificates = files.certificates.watched()
        if token and not is_token(token):
            raise ValueError("the token must be printable ASCII without spaces")
        self._token = WatchedFiles(
            [files.token] if files.token else [], lambda: read_token(files.token) if files.token else token
        )

    @property
    def certificates(self) -> Certificates:
        """Our certificate and its key, if searchers ask for one, and the authorities of theirs."""
        return self._certificates.value

    def metadata(self, target: str) -> Metadata:
        """Return the headers that a target's searchers ask for. The embedded searcher asks for none."""
        token = self._token.value
        return (("authorization", f"Bearer {token}"),) if token and not target.startswith("unix:") else ()
