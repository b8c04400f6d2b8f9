"""The address of a PostgreSQL server: libpq's URL, as providers show it, for asyncpg.

asyncpg reads most words of libpq itself, and passes words that it does not know on to the server.
"""

import re
from typing import Any
from urllib.parse import parse_qsl, urlencode

_SECRETS = re.compile(r"((?://[^:/?@]*:)|(?:[?&](?:ssl)?password=))[^@&]*")

_WITHOUT_EFFECT = frozenset(
    {
        *("channel_binding", "client_encoding", "gssencmode", "gssdelegation", "load_balance_hosts"),
        *("keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout"),
        *("min_protocol_version", "max_protocol_version", "sslcertmode", "sslcompression", "sslsni"),
        "sslkeylogfile",
        # Other drivers read these, and providers show them.
        *("pgbouncer", "connection_limit", "pool_timeout", "supa", "uselibpqcompat"),
        *("prepared_statement_cache_size", "statement_cache_size"),
    }
)
"""The words that asyncpg lacks, and that games are recorded without."""


def name_of(url: str) -> str:
    """Return a URL without its passwords."""
    return _SECRETS.sub(r"\1***", url)


def arguments_of(url: str) -> dict[str, Any]:
    """Return the arguments of asyncpg for a URL. A word without a value counts as none."""
    address, _, query = url.partition("?")
    words = {name: value for name, value in parse_qsl(query) if name not in _WITHOUT_EFFECT}
    arguments: dict[str, Any] = {}
    if seconds := words.pop("connect_timeout", ""):
        arguments["timeout"] = float(seconds)
    if name := words.pop("fallback_application_name", ""):
        words.setdefault("application_name", name)
    if words.pop("ssl", ""):
        words.setdefault("sslmode", "require")
    if words.get("sslrootcert") == "system":
        # libpq checks the name of the host, too. For asyncpg, this value is the name of a file.
        del words["sslrootcert"]
        arguments["ssl"] = True
    return {"dsn": f"{address}?{urlencode(words)}" if words else address, **arguments}


def ignored_words(url: str) -> tuple[str, ...]:
    """Return the words of a URL without an effect, each with its value."""
    words = parse_qsl(url.partition("?")[2])
    return tuple(f"{name}={value}" for name, value in words if name in _WITHOUT_EFFECT)
