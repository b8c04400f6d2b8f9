"""The words of a PostgreSQL URL, and URLs as providers show them."""

from typing import Any

import pytest
from asyncpg.connect_utils import _parse_connect_arguments  # type: ignore[import-untyped]

from console.store.database import arguments_of, ignored_words, name_of


def _parsed(url: str) -> Any:
    """Return the addresses and the parameters that asyncpg reads in a URL."""
    names = ("dsn", "host", "port", "user", "password", "passfile", "database", "ssl", "direct_tls")
    more = ("server_settings", "target_session_attrs", "krbsrvname", "gsslib", "service", "servicefile")
    arguments = arguments_of(url)
    arguments.pop("timeout", None)
    return _parse_connect_arguments(
        **dict.fromkeys((*names, *more)) | arguments,
        command_timeout=None,
        statement_cache_size=0,
        max_cached_statement_lifetime=0,
        max_cacheable_statement_size=0,
    )


NEON = "me:p@ep-cool.eu.aws.neon.tech/games?sslmode=require&channel_binding=require"
SUPABASE = "postgres.ref:p@aws-0-eu.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1"
AIVEN = "avnadmin:p@pg.aivencloud.com:12345/defaultdb?sslmode=require"
HEROKU = "u:p@ec2.compute.amazonaws.com:5432/d1?ssl=true"
RDS = "u:p@db.rds.amazonaws.com/games?sslmode=verify-full&sslrootcert=system&connect_timeout=10"
AZURE = "u:p@x.postgres.database.azure.com:5432/postgres?sslmode=require&target_session_attrs=read-write"


@pytest.mark.parametrize("address", [NEON, SUPABASE, AIVEN, HEROKU, RDS, AZURE])
def test_the_url_of_a_provider_is_understood(address: str) -> None:
    """asyncpg encrypts as the URL says, and the server gets no word of the client."""
    _, parameters, *_ = _parsed(f"postgresql://{address}")
    encrypted = any(word in address for word in ("sslmode", "ssl="))
    assert (parameters.sslmode.name in {"require", "verify_full"}) is encrypted
    assert parameters.password == "p" and not parameters.server_settings


def test_the_certificates_of_the_system_verify_the_whole_name() -> None:
    """Like libpq's, this value also checks the name of the host."""
    _, parameters, *_ = _parsed(f"postgresql://{RDS}")
    assert parameters.sslmode.name == "verify_full" and parameters.ssl.check_hostname


def test_words_of_the_session_reach_the_server() -> None:
    """`connect_timeout` is for the client, and an empty word counts as none."""
    words = "options=-c%20work_mem%3D5MB&fallback_application_name=snake&connect_timeout=9&sslmode="
    _, parameters, *_ = _parsed(f"postgresql://me@host/games?{words}")
    assert parameters.server_settings == {"options": "-c work_mem=5MB", "application_name": "snake"}
    assert arguments_of(f"postgresql://host?{words}")["timeout"] == 9


def test_a_word_without_an_effect_is_named() -> None:
    """The connection is made without it."""
    url = "postgresql://me@host/games?keepalives=1&sslmode=require"
    assert ignored_words(url) == ("keepalives=1",)
    assert arguments_of(url) == {"dsn": "postgresql://me@host/games?sslmode=require"}


def test_a_name_has_no_password() -> None:
    """The name is logged, so it has no password, wherever the URL has it."""
    url = "postgresql://me:abc@host/games?password=abc&sslpassword=abc&sslmode=require"
    assert name_of(url) == "postgresql://me:***@host/games?password=***&sslpassword=***&sslmode=require"
