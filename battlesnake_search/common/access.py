"""Tokens and certificates of callers, in files that are read again when they change.

A token is `NAME.SECRET`, and a file holds only its digest. The secret has 256 random bits, so its SHA-256
can't be reversed by guessing.
"""

import hashlib
import hmac
import os
import re
import secrets
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Generic, NamedTuple, TypeVar

import msgspec

from battlesnake_search.common import toml
from battlesnake_search.common.logs import get_logger

log = get_logger(__name__)

INTERVAL = 1.0
"""The smallest number of seconds between two checks of the files. Only a use of the value checks them, so an
idle program reads no file."""

_Value = TypeVar("_Value")

_State = tuple[tuple[int, int, int] | None, ...]


class WatchedFiles(Generic[_Value]):
    """A value from files, read again when a file has changed. Threads may share it.

    `read` raises OSError or ValueError if the files are missing or invalid. The constructor passes on this
    error. After a later error, the former value stays in force, and a warning names the files. So a
    certificate and its key can be replaced one after the other.
    """

    def __init__(self, paths: Sequence[Path], read: Callable[[], _Value]) -> None:
        self._paths = tuple(paths)
        self._read = read
        self._lock = threading.Lock()
        self._state = self._look()
        self._value = read()
        self._next_look = time.monotonic() + INTERVAL

    @property
    def value(self) -> _Value:
        """The content of the files when they were last read without an error."""
        # Meanwhile other threads take the former value instead of waiting for a disk.
        if time.monotonic() >= self._next_look and self._lock.acquire(blocking=False):
            try:
                self._refresh()
            finally:
                self._lock.release()
        return self._value

    def _refresh(self) -> None:
        self._next_look = time.monotonic() + INTERVAL
        # Take the state before reading, so that the next check finds a change in between.
        state = self._look()
        if state == self._state:
            return
        self._state = state
        try:
            self._value = self._read()
        except (OSError, ValueError) as error:
            log.warning("files not read again", files=self._names(), reason=str(error), effect="as before")
        else:
            log.info("files read again", files=self._names())

    def _look(self) -> _State:
        return tuple(map(_state_of, self._paths))

    def _names(self) -> list[str]:
        return [str(path) for path in self._paths]


def _state_of(path: Path) -> tuple[int, int, int] | None:
    """Return a state that changes with each write or replacement of a file; None if it is missing."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """The files of one side of TLS. Servers need `chain` and `key`; clients have them for mutual TLS.

    The other side's certificate must come from `authorities`. Without `authorities`, a client accepts the
    well-known authorities, and a server requests no certificate.
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
        """Return the content of the files, read again when they change. Raises as `read` does."""
        return WatchedFiles(self.paths, self.read)

    def read(self) -> "Certificates":
        """Read the files. Raises OSError, or ValueError that names a file that is no PEM or does not fit."""
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


_NO_PEM = "one of them is not in PEM"


def _check_pair(chain: Path, key: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(chain, key, password=_no_password)
    except ssl.SSLError as error:
        reason = "the key is of another certificate" if error.reason == "KEY_VALUES_MISMATCH" else _NO_PEM
        raise ValueError(f"{chain} and {key} are not a certificate and its key: {reason}") from None


def _check_authorities(authorities: Path) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(authorities)
    except ssl.SSLError:
        raise ValueError(f"{authorities} has no certificates of authorities in PEM") from None


def _no_password() -> str:
    """Keep OpenSSL from asking for a password on the terminal."""
    raise ValueError("the key is encrypted: give one without a password")


_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}", re.ASCII)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_SECRET_BYTES = 32
_LONGEST = 256
"""The most characters of a token. Longer input is rejected before hashing."""

_NO_DIGEST = "sha256:" + 64 * "-"
"""In place of the digest of an unknown name. It is as long as a digest, and equal to none."""

_Positive = Annotated[float, msgspec.Meta(gt=0)]
_Count = Annotated[int, msgspec.Meta(ge=1)]


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A caller's entry in a file of tokens. A limit of None is no limit."""

    name: str
    digest: str
    expires: date | None = None
    """The first day, in UTC, on which the token is refused."""
    revoked: bool = False
    calls_per_second: _Positive | None = None
    searches_at_once: _Count | None = None
    longest_search: _Positive | None = None
    """The longest search, in seconds."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise toml.FieldError(
                "name", "must be 1 to 40 of a-z, 0-9, _ and -, and begin with none of _ and -"
            )
        if not _DIGEST.fullmatch(self.digest):
            raise toml.FieldError("digest", "must be sha256: and 64 hexadecimal digits, in lower case")


class _Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tokens: list[Token]


class Refusal(Enum):
    """The reason to refuse a caller. The value is the label of counters and logs."""

    MISSING = "missing"
    MALFORMED = "malformed"
    UNKNOWN = "unknown"
    """No entry has the name."""
    WRONG = "wrong"
    """The entry of this name has another secret."""
    REVOKED = "revoked"
    EXPIRED = "expired"


class Check(NamedTuple):
    """The result for a caller's token. `name` is the name in the caller's token, if it is valid."""

    name: str
    token: Token | None
    refusal: Refusal | None


def new_token(name: str) -> tuple[str, Token]:
    """Return a new token for a caller, and its entry. Raises ValueError if the name is invalid."""
    text = f"{name}.{secrets.token_urlsafe(_SECRET_BYTES)}"
    return text, Token(name, digest_of(text))


def digest_of(token: str) -> str:
    """Return the digest of a token as files hold it."""
    return f"sha256:{hashlib.sha256(token.encode()).hexdigest()}"


def read_tokens(path: Path) -> Mapping[str, Token]:
    """Return a file's tokens by name. Raises OSError, or ValueError with the invalid field."""
    content = path.read_bytes()
    try:
        document = toml.decode(content, _Document, _check_names)
    except toml.TomlError:
        if is_token(content.decode(errors="replace").strip()):
            secret = "this is a secret; give the file of digests, which `token` prints"
            raise ValueError(secret) from None
        raise
    return {token.name: token for token in document.tokens}


def _check_names(document: _Document) -> None:
    seen: set[str] = set()
    for index, token in enumerate(document.tokens):
        if token.name in seen:
            raise toml.FieldError(
                f"tokens[{index}].name", f"{token.name!r} is given twice: delete one of the two"
            )
        seen.add(token.name)


class TokenFile:
    """The tokens of a file. The file is read again when it changes.

    The constructor raises OSError or ValueError if the file can't be read.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tokens = WatchedFiles((path,), lambda: read_tokens(path))

    def __iter__(self) -> Iterator[Token]:
        """Iterate over the entries in force."""
        return iter(self._tokens.value.values())

    def check(self, text: str) -> Check:
        """Check a token as a caller sent it. The text is empty if the caller sent no token.

        The comparison takes the same time for a wrong secret and for an unknown name.
        """
        if not text:
            return Check("", None, Refusal.MISSING)
        name, _, secret = text.partition(".")
        if len(text) > _LONGEST or not text.isascii() or not secret or not _NAME.fullmatch(name):
            return Check("", None, Refusal.MALFORMED)
        token = self._tokens.value.get(name)
        is_right = hmac.compare_digest(digest_of(text), token.digest if token else _NO_DIGEST)
        if token is None:
            return Check(name, None, Refusal.UNKNOWN)
        if not is_right:
            return Check(name, None, Refusal.WRONG)
        refusal = _refusal_of(token)
        return Check(name, None if refusal else token, refusal)


def _refusal_of(token: Token) -> Refusal | None:
    """Return the reason to refuse a token with the right secret; None if it is accepted."""
    if token.revoked:
        return Refusal.REVOKED
    if token.expires and datetime.now(UTC).date() >= token.expires:
        return Refusal.EXPIRED
    return None


def bearer(header: str) -> str:
    """Return the token of an `Authorization: Bearer` header; empty without a token."""
    scheme, _, token = header.strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def read_token(path: Path) -> str:
    """Return the token that a file holds. Raises OSError, or ValueError for other content."""
    token = path.read_text(encoding="utf-8").strip()
    if not is_token(token):
        raise ValueError(f"{path}: must hold one token and nothing else")
    return token


def is_token(text: str) -> bool:
    """Return whether a text can be sent as a token."""
    return bool(text) and text.isascii() and text.isprintable() and " " not in text
