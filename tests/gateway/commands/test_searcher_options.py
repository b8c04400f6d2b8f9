"""The options with what the gateway shows to searchers."""

from pathlib import Path

import click
import pytest
import trustme
from click.testing import CliRunner

from battlesnake_search.options import CREDENTIALS
from gateway.commands.main import main
from gateway.commands.searcher_options import read_credentials
from tests.support.certificates import write


@pytest.mark.parametrize("command", [(), ("check",), ("blunders",)])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--searcher-cert", "chain.pem"), "--searcher-cert: a certificate and its key belong together"),
        (("--searcher-ca", "none.pem"), "--searcher-ca: [Errno 2] No such file or directory: 'none.pem'"),
        (("--searcher-ca", "text"), "--searcher-ca: text has no certificates of authorities"),
        (("--searcher-token", "text"), "--searcher-token: text: must hold one token and nothing else"),
    ],
)
def test_invalid_credentials_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    options: tuple[str, ...],
    message: str,
) -> None:
    """The error names the option and the file, whichever command has them."""
    write(tmp_path, trustme.CA())
    (tmp_path / "text").write_text("no token, no certificate")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*command, *options, "--outcomes", "games.db"])
    assert result.exit_code == 2
    assert f"Error: Invalid value for {message}" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (("--searcher", "localhost:50051"), "--searcher is 'localhost:50051'"),
        ((), "the embedded searcher needs none"),
    ],
)
def test_certificates_that_nothing_uses_are_refused(
    tmp_path: Path, target: tuple[str, ...], said: str
) -> None:
    """Without the prefix for TLS a gateway would speak in the open, or not at all; the error says so."""
    files = write(tmp_path, trustme.CA())
    result = CliRunner().invoke(
        main, [*target, "--searcher-ca", str(files.authorities), "--outcomes", "none"]
    )
    assert result.exit_code == 2
    printed = " ".join(result.output.split())
    assert f"--searcher-ca: certificates are for targets that begin with grpcs://, and {said}" in printed


@pytest.mark.parametrize(
    ("options", "target"),
    [
        (("searcher_token",), "localhost:50051"),
        (("searcher_token",), ""),
        (("searcher_token",), "grpcs://localhost:50051"),
        (("searcher_ca",), "grpcs://localhost:50051"),
        (("searcher_cert", "searcher_key", "searcher_token"), "grpcs://localhost:50051"),
        (CREDENTIALS, None),
    ],
)
def test_credentials_that_a_connection_uses_are_read(
    tmp_path: Path, options: tuple[str, ...], target: str | None
) -> None:
    """A token is for any target, certificates are for those with TLS, and routes may name either."""
    files = write(tmp_path, trustme.CA())
    token = tmp_path / "token"
    token.write_text("a-token-that-is-long-enough-for-anyone")
    paths = (files.authorities, files.chain, files.key, token)
    given = {name: path if name in options else None for name, path in zip(CREDENTIALS, paths, strict=True)}
    assert read_credentials(given, target) is not None


def test_without_files_there_are_no_credentials() -> None:
    """The searcher is asked as anybody would ask it."""
    assert read_credentials(dict.fromkeys(CREDENTIALS), "localhost:50051") is None


def test_each_certificate_that_nothing_uses_is_named(tmp_path: Path) -> None:
    """A token is not: it is for any target."""
    files, token = write(tmp_path, trustme.CA()), tmp_path / "token"
    token.write_text("a-token-that-is-long-enough-for-anyone")
    paths = (files.authorities, files.chain, files.key, token)
    with pytest.raises(click.BadParameter) as refused:
        read_credentials(dict(zip(CREDENTIALS, paths, strict=True)), "localhost:50051")
    assert refused.value.param_hint == "--searcher-ca / --searcher-cert / --searcher-key"
