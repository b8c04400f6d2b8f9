"""The address of a PostgreSQL server: libpq's URL, as providers show it, in the arguments of asyncpg.

The words are the parameter keywords of libpq 18: https://www.postgresql.org/docs/18/libpq-connect.html.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl, urlencode

_PORT = 5432
_LAST_PORT = 65_535

_ADDRESS = re.compile(
    r"(?P<login>(?:[^:/]*(?::[^@]*)?@)?+)(?P<hosts>(?:\[[^/?]+\]|[^/?\[])*)(?P<database>[^?]*)\??(?P<words>.*)"
)
"""The parts of a URL after the scheme, as SQLAlchemy reads them."""

_HOST = re.compile(r"(?P<host>\[[^\]]+\]|[^:\[]*)(?::(?P<port>.+))?:?")

_CHOICES = MappingProxyType(
    {
        "sslmode": ("disable", "allow", "prefer", "require", "verify-ca", "verify-full"),
        "sslnegotiation": ("postgres", "direct"),
        "ssl_min_protocol_version": ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"),
        "ssl_max_protocol_version": ("TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"),
        "target_session_attrs": ("any", "read-write", "primary", "read-only", "standby", "prefer-standby"),
        "gsslib": ("gssapi", "sspi"),
        "gssencmode": ("disable", "prefer"),
        "sslcertmode": ("disable", "allow"),
        "ssl": ("true",),
    }
)
"""The values of words that are not free, as far as asyncpg can do as they say."""

_OF_DSN = frozenset(
    {
        *("sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslcrl", "sslnegotiation"),
        *("ssl_min_protocol_version", "ssl_max_protocol_version", "target_session_attrs"),
        *("user", "password", "passfile", "dbname", "service", "krbsrvname", "gsslib"),
    }
)
"""The words that asyncpg reads, only from a URL of its own."""

_FILES = frozenset({"sslrootcert", "sslcert", "sslkey", "sslcrl"})

_SETTINGS = frozenset({"application_name", "fallback_application_name", "options"})
"""The words that the server reads."""

SECRETS = frozenset({"password", "sslpassword"})
"""The words that are not for the log."""

_OWN = frozenset({"host", "port", "connect_timeout", "ssl"})

VALID = (*sorted(_OF_DSN | _SETTINGS | _OWN),)
"""The words with an effect."""

_WITHOUT_EFFECT = frozenset(
    {
        *("channel_binding", "client_encoding", "gssencmode", "gssdelegation", "load_balance_hosts"),
        *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"),
        *("min_protocol_version", "max_protocol_version", "sslcertmode", "sslcompression", "sslsni"),
        "sslkeylogfile",
        # Other drivers read these. Providers show them, and asyncpg's users know the last two.
        *("pgbouncer", "connection_limit", "pool_timeout", "supa", "uselibpqcompat"),
        *("prepared_statement_cache_size", "statement_cache_size"),
    }
)
"""The words that games are recorded without."""

_SYSTEM = "system"
"""The value of `sslrootcert` for the certificates that the system trusts."""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a URL: the arguments of asyncpg, and the words without an effect."""

    arguments: Mapping[str, Any]
    ignored: tuple[str, ...]


def address_of(text: str) -> str:
    """Return a URL after its scheme so that SQLAlchemy can read it: several hosts become words.

    Raises ValueError for a bad port, for a word that is unknown or that asyncpg can't honour, and for a
    missing file. The error doesn't show the password.
    """
    found = _ADDRESS.fullmatch(text)
    assert found is not None
    words = dict(parse_qsl(found["words"], keep_blank_values=True))
    hosts = [_host_and_port(each) for each in found["hosts"].split(",")]
    for name in _FILES & words.keys():
        if words[name] not in {"", _SYSTEM} and not os.path.isfile(words[name]):
            raise ValueError(f"{name}={words[name]} in the PostgreSQL URL is not a file")
    if len(hosts) == 1:
        read_words(words)
        return text
    ports = (str(port or _PORT) for _, port in hosts)
    words |= {"host": ",".join(host for host, _ in hosts), "port": ",".join(ports)}
    read_words(words)
    return f"{found['login']}{found['database']}?{urlencode(words)}"


def read_words(words: Mapping[str, str | tuple[str, ...]]) -> Words:
    """Return the arguments of asyncpg for the words of a URL. The last of several values counts.

    An empty value counts as none.

    Raises ValueError for a word that is unknown or that asyncpg can't honour, and for an invalid value.
    """
    last = {name: value if isinstance(value, str) else value[-1] for name, value in words.items()}
    given = {name: value for name, value in last.items() if value}
    for name, value in given.items():
        _check(name, value)
    arguments = _hosts(given)
    if (seconds := _whole_number("connect_timeout", given.get("connect_timeout", "0"))) > 0:
        arguments["timeout"] = float(seconds)
    if settings := {name: given[name] for name in _SETTINGS & given.keys()}:
        fallback = settings.pop("fallback_application_name", None)
        arguments["server_settings"] = {"application_name": fallback} | settings if fallback else settings
    dsn = {name: given[name] for name in given if name in _OF_DSN}
    if "ssl" in given:
        dsn.setdefault("sslmode", "require")
    if dsn.get("sslrootcert") == _SYSTEM:
        # libpq checks the name of the host, too. For asyncpg, this value is the name of a file.
        del dsn["sslrootcert"]
        arguments["ssl"] = True
    if dsn:
        arguments["dsn"] = f"postgresql://?{urlencode(dsn)}"
    ignored = (f"{name}={value}" for name, value in given.items() if name in _WITHOUT_EFFECT)
    return Words(arguments, tuple(ignored))


def ignored_words(text: str) -> tuple[str, ...]:
    """Return the words of a URL without an effect, each with its value."""
    return read_words(dict(parse_qsl(text.partition("?")[2]))).ignored


def _check(name: str, value: str) -> None:
    if name not in _OF_DSN | _SETTINGS | _OWN | _WITHOUT_EFFECT:
        raise ValueError(f"{name} in the PostgreSQL URL is none of {', '.join(VALID)}")
    choices = _CHOICES.get(name)
    if choices and value not in choices:
        raise ValueError(f"{name}={value} in the PostgreSQL URL is none of {', '.join(choices)}")


def _hosts(words: Mapping[str, str]) -> dict[str, Any]:
    """Return the hosts and ports that are words. One port is for all hosts."""
    ports = [_port(each) for each in words.get("port", "").split(",") if each]
    if "host" not in words:
        return {"port": ports[0]} if ports else {}
    hosts = [_host_and_port(each) for each in words["host"].split(",")]
    if len(ports) not in {0, 1, len(hosts)}:
        raise ValueError(f"the PostgreSQL URL has {len(hosts)} hosts and {len(ports)} ports")
    each_port = ports * len(hosts) if len(ports) == 1 else ports or [port or _PORT for _, port in hosts]
    return {"host": [host.strip("[]") for host, _ in hosts], "port": each_port}


def _host_and_port(text: str) -> tuple[str, int | None]:
    found = None if text.startswith("/") else _HOST.fullmatch(text)
    if found is None:
        return text, None
    return found["host"], None if found["port"] is None else _port(found["port"])


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= _LAST_PORT):
        raise ValueError(f"the port {text!r} of the PostgreSQL URL is not a number from 1 to {_LAST_PORT}")
    return int(text)


def _whole_number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError as error:
        raise ValueError(f"{name}={text} in the PostgreSQL URL is not a whole number of seconds") from error
