"""The options that guard a searcher's port, and the command that makes tokens."""

from pathlib import Path

import pytest

from battlesnake_search.common.access import TokenFile
from tests.battlesnake_search.serving.guarded import Authority
from tests.searcher.command_line import assert_refused, call, run


def test_a_token_and_its_entry_fit(tmp_path: Path) -> None:
    """The entry on standard output, put into a file, knows the token on standard error."""
    made = call("token", "bot")
    path = tmp_path / "tokens.toml"
    path.write_text(made.stdout)
    assert TokenFile(path).check(made.stderr.strip()).token is not None
    path.write_text(made.stdout.replace("\n# ", "\n"))
    assert next(iter(TokenFile(path))).searches_at_once is not None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--tls-cert", "{chain}"), ("--tls-key",)),
        (("--tls-client-ca", "{roots}"), ("--tls-cert",)),
        (("--tls-cert", "{chain}", "--tls-key", "{roots}"), ("ca.pem", "not a certificate and its key")),
        (("--tokens", "{roots}"), ("ca.pem", "not TOML")),
        (("--metrics", "nowhere"), ("nowhere", "host:port")),
        (("--without-token", "search"), ("reflection", "strategies")),
    ],
)
def test_bad_settings_end_the_command(
    tmp_path: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """One line on standard error has the reason, and the status is 2."""
    authority = Authority(tmp_path)
    files = {"chain": authority.chain, "roots": authority.roots, "missing": tmp_path / "missing.pem"}
    refused = call("serve", "--listen", "127.0.0.1:0", *(each.format(**files) for each in arguments))
    assert_refused(refused, *words)
    assert refused.returncode == 2
    assert refused.stderr.count("Error:") == 1


def test_the_environment_has_the_settings_too(tmp_path: Path) -> None:
    """A container is configured without arguments."""
    missing = str(tmp_path / "missing.pem")
    listen = {"SEARCHER_LISTEN": "127.0.0.1:0"}
    for settings in (
        {"SEARCHER_TOKENS": missing},
        {"SEARCHER_TLS_CERT": missing, "SEARCHER_TLS_KEY": missing},
    ):
        assert_refused(call("serve", **listen, **settings), "missing.pem")


def test_the_path_of_a_metrics_socket_may_have_spaces(tmp_path: Path) -> None:
    """A variable may also have several addresses, with spaces between them."""
    missing = f"unix:{tmp_path}/no such folder/m.sock"
    settings = {"SEARCHER_LISTEN": "127.0.0.1:0", "SEARCHER_METRICS": f"127.0.0.1:0 {missing}"}
    assert_refused(run("-m", "searcher", "serve", settings=settings), missing)
    refused = call("serve", **settings | {"SEARCHER_METRICS": "127.0.0.1:0 nowhere"})
    assert_refused(refused, "nowhere", "host:port")
