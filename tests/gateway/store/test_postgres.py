"""The words of a PostgreSQL URL: every keyword of libpq 18, and URLs as providers show them."""

from pathlib import Path
from typing import Any

import pytest
from asyncpg.connect_utils import _parse_connect_arguments  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url

from gateway.store.database import read_database
from gateway.store.postgres import VALID, address_of, ignored_words, read_words

OF_DSN = {
    "dbname": "games",
    "gsslib": "gssapi",
    "krbsrvname": "postgres",
    "passfile": "/x",
    "password": "p&1",
    "service": "games",
    "sslcert": "/x",
    "sslcrl": "/x",
    "sslkey": "/x",
    "sslmode": "verify-full",
    "sslnegotiation": "direct",
    "sslpassword": "p",
    "sslrootcert": "/x",
    "ssl_max_protocol_version": "TLSv1.3",
    "ssl_min_protocol_version": "TLSv1.2",
    "target_session_attrs": "read-write",
    "user": "me",
}
HONOURED: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (value, {name: value}) for name, value in OF_DSN.items()},
    "application_name": ("snake", {"server_settings": {"application_name": "snake"}}),
    "fallback_application_name": ("snake", {"server_settings": {"application_name": "snake"}}),
    "options": ("-c work_mem=5MB", {"server_settings": {"options": "-c work_mem=5MB"}}),
    "connect_timeout": ("9", {"timeout": 9.0}),
    "host": ("a,b", {"host": ["a", "b"], "port": [5432, 5432]}),
    "port": ("6543", {"port": 6543}),
}
IGNORED = {
    "channel_binding": "require",
    "client_encoding": "auto",
    "gssdelegation": "1",
    "gssencmode": "prefer",
    "keepalives": "1",
    "keepalives_count": "3",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "load_balance_hosts": "random",
    "max_protocol_version": "3.2",
    "min_protocol_version": "3.0",
    "sslcertmode": "allow",
    "sslcompression": "0",
    "sslkeylogfile": "/x",
    "sslsni": "1",
    "tcp_user_timeout": "5000",
}
REFUSED = {
    "hostaddr": "127.0.0.1",
    "oauth_client_id": "x",
    "oauth_client_secret": "x",
    "oauth_issuer": "x",
    "oauth_scope": "x",
    "replication": "database",
    "require_auth": "scram-sha-256",
    "requirepeer": "postgres",
    "scram_client_key": "x",
    "scram_server_key": "x",
    "servicefile": "/x",
    "sslcrldir": "/x",
}
"""Words that change who is trusted, and that asyncpg lacks, so a connection without them is refused."""


@pytest.mark.parametrize("name", HONOURED)
def test_a_keyword_with_an_effect_is_an_argument_of_asyncpg(name: str) -> None:
    """The argument is the value of the word, and no word is ignored."""
    value, expected = HONOURED[name]
    words = read_words({name: value})
    dsn = make_url(words.arguments["dsn"]).query if name in OF_DSN else None
    assert (dsn or words.arguments) == expected
    assert words.ignored == () and name in VALID


@pytest.mark.parametrize("name", IGNORED)
def test_a_keyword_without_an_effect_is_named(name: str) -> None:
    """The connection is made without it, and the caller can tell so."""
    word = f"{name}={IGNORED[name]}"
    assert read_words({name: IGNORED[name]}).arguments == {}
    assert ignored_words(f"postgresql://me@host/games?{word}&sslmode=require") == (word,)


@pytest.mark.parametrize("name", [*REFUSED, "sslmod", "schema"])
def test_another_word_is_refused(name: str) -> None:
    """The error names the word and the valid ones."""
    with pytest.raises(
        ValueError, match=rf"^{name} in the PostgreSQL URL is none of application_name, .*user$"
    ):
        read_database(f"postgresql://me:secret@host/games?{name}=x")


@pytest.mark.parametrize(
    ("word", "error"),
    [
        ("sslmode=on", "none of disable, allow, prefer, require, verify-ca, verify-full"),
        ("gssencmode=require", "none of disable, prefer"),
        ("sslcertmode=require", "none of disable, allow"),
        ("ssl=false", "none of true"),
        ("target_session_attrs=master", "none of any, read-write, "),
        ("ssl_min_protocol_version=SSLv3", "none of TLSv1, "),
        ("sslnegotiation=x", "none of postgres, direct"),
        ("connect_timeout=1s", "not a whole number of seconds"),
        ("port=x", "the port 'x' .* not a number from 1 to 65535"),
        ("host=a,b,c&port=1,2", "3 hosts and 2 ports"),
    ],
)
def test_a_bad_value_is_told_in_words(word: str, error: str) -> None:
    """The error has the word and its valid values, and no password."""
    with pytest.raises(ValueError, match=error) as raised:
        read_database(f"postgresql://me:secret@host/games?{word}")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("name", ["sslrootcert", "sslcert", "sslkey", "sslcrl"])
def test_a_missing_file_is_told_at_once(name: str, tmp_path: Path) -> None:
    """asyncpg would tell it at each connection, without a name."""
    file = tmp_path / "file"
    with pytest.raises(ValueError, match=f"^{name}={file} in the PostgreSQL URL is not a file$"):
        read_database(f"postgresql://host/games?{name}={file}")
    file.touch()
    assert read_database(f"postgresql://host/games?{name}={file}").url


@pytest.mark.parametrize("name", [*HONOURED, *IGNORED])
def test_an_empty_word_counts_as_none(name: str) -> None:
    """So it does in libpq."""
    assert read_words({name: ""}).arguments == {}


NEON = "me:p@ep-cool.eu.aws.neon.tech/games?sslmode=require&channel_binding=require"
SUPABASE = "postgres.ref:p@aws-0-eu.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1"
AIVEN = "avnadmin:p@pg.aivencloud.com:12345/defaultdb?sslmode=require"
DIGITAL_OCEAN = "doadmin:p@db.ondigitalocean.com:25060/defaultdb?sslmode=require"
HEROKU = "u:p@ec2.compute.amazonaws.com:5432/d1?ssl=true"
RDS = "u:p@db.rds.amazonaws.com/games?sslmode=verify-full&sslrootcert=system&connect_timeout=10"
AZURE = "u:p@x.postgres.database.azure.com:5432/postgres?sslmode=require&target_session_attrs=read-write"
PROVIDERS = [NEON, SUPABASE, AIVEN, DIGITAL_OCEAN, HEROKU, RDS, AZURE]


@pytest.mark.parametrize("address", PROVIDERS)
def test_the_url_of_a_provider_is_understood(address: str) -> None:
    """asyncpg accepts all arguments, and encrypts as the URL says."""
    url = make_url(read_database(f"postgres://{address}").url)
    arguments = read_words(url.query).arguments
    parsed = _parsed(host=url.host, port=url.port, user=url.username, **arguments)
    encrypted = any(word in address for word in ("sslmode", "ssl="))
    assert (parsed.sslmode.name in {"require", "verify_full"}) is encrypted


def _parsed(**arguments: Any) -> Any:
    names = ("dsn", "host", "port", "user", "password", "passfile", "database", "ssl", "direct_tls")
    more = ("server_settings", "target_session_attrs", "krbsrvname", "gsslib", "service", "servicefile")
    arguments.pop("timeout", None)
    return _parse_connect_arguments(
        **dict.fromkeys((*names, *more)) | arguments,
        command_timeout=None,
        statement_cache_size=0,
        max_cached_statement_lifetime=0,
        max_cacheable_statement_size=0,
    )[1]


def test_the_certificates_of_the_system_verify_the_whole_name() -> None:
    """Like libpq's, this value also checks the name of the host."""
    url = make_url(read_database(f"postgresql://{RDS}").url)
    parsed = _parsed(host=url.host, **read_words(url.query).arguments)
    assert parsed.sslmode.name == "verify_full" and parsed.ssl.check_hostname


@pytest.mark.parametrize(
    ("address", "hosts", "ports"),
    [
        ("me:p@a,b/games", ["a", "b"], [5432, 5432]),
        ("me:p@a:1,b:2/games?sslmode=require", ["a", "b"], [1, 2]),
        ("[::1]:1,[::2]/games", ["::1", "::2"], [1, 5432]),
        ("/games?host=/run/postgresql", ["/run/postgresql"], [5432]),
        ("/games?host=/run/postgresql&port=6543", ["/run/postgresql"], [6543]),
        ("/games?host=a:1,b:2", ["a", "b"], [1, 2]),
        ("/games?host=a,b&port=7", ["a", "b"], [7, 7]),
    ],
)
def test_several_hosts_are_tried_in_their_order(address: str, hosts: list[str], ports: list[int]) -> None:
    """asyncpg gets a port for each host, wherever the URL has them."""
    url = make_url(f"postgresql://{address_of(address)}")
    arguments = read_words(url.query).arguments
    assert (arguments["host"], arguments["port"]) == (hosts, ports)
    assert url.host is None and url.database == "games"
    assert url.password == ("p" if "me:p" in address else None)
