"""The options with what the gateway shows to searchers."""

from pathlib import Path

import pytest
import trustme
from click.testing import CliRunner

from gateway.commands.main import main
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
