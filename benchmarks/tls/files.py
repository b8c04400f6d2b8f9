"""The certificates and tokens of a searcher and its caller, in files that are replaced as operators do."""

import ssl
from pathlib import Path

import trustme

from battlesnake_search.channels import CredentialFiles
from battlesnake_search.common.access import CertificateFiles, Token, new_token
from tests.support.certificates import replace, write

SIDES = ("server", "client")


class Files:
    """The files of both sides in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._tokens = 0
        self.authority = trustme.CA()
        """The authority that issues certificates."""
        self.trusted = [self.authority]
        """The authorities that both sides trust."""
        self.tokens, self.token = folder / "tokens.toml", folder / "token"
        """The searcher's tokens and the caller's one."""
        self.renew(*SIDES)
        text, self.entry = self.new_token()
        self.accept(self.entry)
        self.show(text)

    def certificates(self, side: str) -> CertificateFiles:
        """Return the certificates of a side."""
        names = ("chain", "key", "authorities")
        return CertificateFiles(*(self._folder / side / f"{name}.pem" for name in names))

    @property
    def caller(self) -> CredentialFiles:
        """What the caller is given."""
        return CredentialFiles(self.certificates("client"), self.token)

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

    def renew(self, *sides: str) -> None:
        """Replace certificates by new ones of the authority, and the trusted authorities with them."""
        for side in sides:
            write(self._folder / side, self.authority, trusted=self.trusted)

    def shown(self) -> bytes:
        """Return the certificate in DER that the searcher should show."""
        chain = self.certificates("server").chain
        assert chain
        leaf, end, _ = chain.read_text().partition("-----END CERTIFICATE-----")
        return ssl.PEM_cert_to_DER_cert(leaf + end)

    def new_token(self) -> tuple[str, Token]:
        """Return a new token for the caller, and its entry."""
        self._tokens += 1
        return new_token(f"gateway-{self._tokens}")

    def accept(self, *entries: Token) -> None:
        """Replace the searcher's tokens."""
        lines = (f'[[tokens]]\nname = "{entry.name}"\ndigest = "{entry.digest}"\n' for entry in entries)
        replace(self.tokens, "".join(lines).encode())

    def show(self, token: str) -> None:
        """Replace the caller's token."""
        replace(self.token, token.encode())
