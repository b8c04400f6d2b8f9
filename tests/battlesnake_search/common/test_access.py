"""Tokens and certificates in files that are read again when they change."""

import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from battlesnake_search.common import access
from battlesnake_search.common.access import (
    CertificateFiles,
    Refusal,
    Token,
    TokenFile,
    WatchedFiles,
    new_token,
    read_tokens,
)
from tests.support.certificates import write
from tests.support.logs import capture_logs


@pytest.fixture(autouse=True)
def _always_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the files at each use of a value."""
    monkeypatch.setattr(access, "INTERVAL", 0.0)


def _number(path: Path) -> int:
    return int(path.read_text())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file with the number 1."""
    path = tmp_path / "number"
    path.write_text("1")
    return path


def test_a_change_is_read(file: Path) -> None:
    """A written or replaced file is in force at the next check."""
    watched = WatchedFiles((file,), lambda: _number(file))
    assert watched.value == 1
    file.write_text("22")
    assert watched.value == 22
    other = file.with_name("other")
    other.write_text("33")
    other.replace(file)
    assert watched.value == 33


def test_after_a_look_the_files_are_left_alone_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each check begins a new pause."""
    watched = WatchedFiles((file,), lambda: _number(file))
    monkeypatch.setattr(access, "INTERVAL", 3600.0)
    file.write_text("22")
    assert watched.value == 22
    file.write_text("333")
    assert watched.value == 22


@pytest.mark.parametrize("content", ["none", None])
def test_an_invalid_change_leaves_the_former_value(file: Path, content: str | None) -> None:
    """An invalid or missing file is reported once, and read when it is valid again."""
    watched = WatchedFiles((file,), lambda: _number(file))
    file.unlink() if content is None else file.write_text(content)
    with capture_logs() as logs:
        assert [watched.value for _ in range(3)] == [1, 1, 1]
    assert [(entry["log_level"], entry["files"]) for entry in logs] == [("warning", [str(file)])]
    file.write_text("333")
    assert watched.value == 333


@pytest.fixture
def files(tmp_path: Path) -> CertificateFiles:
    """Return the files of a server with mutual TLS."""
    return write(tmp_path, trustme.CA())


def test_a_certificate_needs_its_key(files: CertificateFiles) -> None:
    """One without the other is refused, as is a key of another certificate."""
    with pytest.raises(ValueError, match="belong together"):
        CertificateFiles(chain=files.chain)
    assert files.key
    other = write(files.key.parent / "other", trustme.CA())
    shutil.copy(str(other.key), files.key)
    with pytest.raises(ValueError, match=r"key.pem are not a certificate and its key: the key is of another"):
        files.read()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("chain.pem", "are not a certificate and its key"),
        ("key.pem", "are not a certificate and its key"),
        ("authorities.pem", r"authorities.pem has no certificates of authorities"),
    ],
)
def test_a_file_without_pem_is_refused(files: CertificateFiles, name: str, message: str) -> None:
    """The error names the file."""
    assert files.key
    (files.key.parent / name).write_text("nothing")
    with pytest.raises(ValueError, match=message):
        files.read()


def test_an_encrypted_key_is_refused(files: CertificateFiles) -> None:
    """The password is not requested."""
    assert files.key
    locked = files.key.with_name("locked.pem")
    command = ("openssl", "pkcs8", "-topk8", "-in", files.key, "-out", locked, "-passout", "pass:secret")
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(ValueError, match="the key is encrypted"):
        CertificateFiles(files.chain, locked).read()


def test_a_pair_is_replaced_one_by_one(files: CertificateFiles) -> None:
    """While only one of the two is new, the former pair stays in force."""
    watched = files.watched()
    former = watched.value
    renewed = write(files.paths[0].parent / "renewed", trustme.CA())
    for new, old, is_complete in zip(renewed.paths, files.paths, (False, True), strict=False):
        shutil.copy(new, old)
        assert (watched.value != former) is is_complete
    assert watched.value.key == renewed.read().key


TOKEN = f"gateway.{43 * 's'}"
ENTRY = Token("gateway", access.digest_of(TOKEN))


def _file(tmp_path: Path, *lines: str, digest: str = ENTRY.digest) -> Path:
    path = tmp_path / "access.toml"
    path.write_text("\n".join(["[[tokens]]", 'name = "gateway"', f'digest = "{digest}"', *lines]))
    return path


def _day(days: int) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).date().isoformat()


def test_a_right_token_gives_its_entry(tmp_path: Path) -> None:
    """A caller with the right secret has the limits of its entry."""
    file = _file(tmp_path, "calls_per_second = 2.5", "searches_at_once = 3", f"expires = {_day(2)}")
    check = TokenFile(file).check(TOKEN)
    assert check.refusal is None and check.token is not None
    assert (check.token.calls_per_second, check.token.searches_at_once) == (2.5, 3)
    assert check.token.longest_search is None


@pytest.mark.parametrize(
    ("text", "line", "refusal", "name"),
    [
        ("", "", Refusal.MISSING, ""),
        ("gateway", "", Refusal.MALFORMED, ""),
        ("Gateway.secret", "", Refusal.MALFORMED, ""),
        ("gateway.s\udcffcret", "", Refusal.MALFORMED, ""),
        (f"gateway.{249 * 'a'}", "", Refusal.MALFORMED, ""),
        (f"gateway.{248 * 'a'}", "", Refusal.WRONG, "gateway"),
        (TOKEN.replace("gateway", "other"), "", Refusal.UNKNOWN, "other"),
        (f"{TOKEN}a", "", Refusal.WRONG, "gateway"),
        (TOKEN, "revoked = true", Refusal.REVOKED, "gateway"),
        (TOKEN, "expires = TODAY", Refusal.EXPIRED, "gateway"),
        ("gateway.secret", "revoked = true", Refusal.WRONG, "gateway"),
    ],
)
def test_a_token_is_refused(tmp_path: Path, text: str, line: str, refusal: Refusal, name: str) -> None:
    """Each fault of a token has its own reason, and a guess reveals nothing about revoked tokens."""
    assert TokenFile(_file(tmp_path, line.replace("TODAY", _day(0)))).check(text) == (name, None, refusal)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("calls_per_second = 0", r"^tokens\[0\].calls_per_second: expected `float` > 0.0"),
        (
            '[[tokens]]\nname = "gateway"\ndigest = "' + ENTRY.digest + '"',
            "'gateway' is given twice",
        ),
        (
            '[[tokens]]\nname = "A"\ndigest = "' + ENTRY.digest + '"',
            r"tokens\[1\].name: must be 1 to 40",
        ),
    ],
)
def test_an_invalid_file_is_refused(tmp_path: Path, line: str, message: str) -> None:
    """The error names the line, the field and the valid values."""
    with pytest.raises(ValueError, match=message):
        read_tokens(_file(tmp_path, line))


def test_a_file_has_nothing_but_tokens(tmp_path: Path) -> None:
    """A table with a misspelt name is an error, because it would silently admit no caller."""
    with pytest.raises(ValueError, match="unknown field `token`"):
        read_tokens(_file(tmp_path, "[[token]]", 'name = "bot"'))


def test_a_secret_in_place_of_a_file_of_digests_is_named(tmp_path: Path) -> None:
    """The names of both files are alike."""
    file = tmp_path / "gateway-token"
    file.write_text(f"{TOKEN}\n")
    with pytest.raises(ValueError, match=r"^this is a secret; give the file of digests"):
        read_tokens(file)


def test_a_short_file_is_no_secret(tmp_path: Path) -> None:
    """A valid document may have no space, as a secret has none."""
    file = tmp_path / "tokens.toml"
    file.write_text("tokens=[]\n")
    assert read_tokens(file) == {}


def test_a_secret_in_place_of_a_digest_is_refused(tmp_path: Path) -> None:
    """The error does not repeat a possible secret."""
    with pytest.raises(ValueError, match=r"^tokens\[0\].digest: must be sha256") as refusal:
        TokenFile(_file(tmp_path, digest=TOKEN))
    assert TOKEN not in str(refusal.value)


def test_tokens_differ() -> None:
    """Each new token has a different secret, and its entry has only the digest."""
    text, entry = new_token("gateway")
    assert text != TOKEN and entry.digest == access.digest_of(text) != ENTRY.digest
    assert len(text) > len("gateway.") + 40
