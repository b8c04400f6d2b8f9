"""Certificates in files."""

import shutil
import subprocess
from pathlib import Path

import pytest
import trustme

from battlesnake_search.common import access as watching
from battlesnake_search.common.access import CertificateFiles
from tests.support.certificates import write


@pytest.fixture
def files(tmp_path: Path) -> CertificateFiles:
    """Return the files of a server that asks its clients for certificates."""
    return write(tmp_path, trustme.CA())


def test_the_files_are_read(files: CertificateFiles) -> None:
    """Each file is passed on as it is; one that is not given is None."""
    assert files.chain and files.key and files.authorities
    read = files.read()
    assert [read.chain, read.key, read.authorities] == [path.read_bytes() for path in files.paths]
    assert CertificateFiles(authorities=files.authorities).read().chain is None


def test_a_certificate_needs_its_key(files: CertificateFiles) -> None:
    """One without the other is refused, as is a key of another certificate."""
    with pytest.raises(ValueError, match="belong together"):
        CertificateFiles(chain=files.chain)
    assert files.key
    other = write(files.key.parent / "other", trustme.CA())
    shutil.copy(str(other.key), files.key)
    with pytest.raises(ValueError, match=r"key.pem are not a certificate and its key: .*mismatch"):
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
    """Nobody is asked for a password."""
    assert files.key
    locked = files.key.with_name("locked.pem")
    command = ("openssl", "pkcs8", "-topk8", "-in", files.key, "-out", locked, "-passout", "pass:secret")
    subprocess.run(command, check=True, capture_output=True)
    with pytest.raises(ValueError, match="the key is encrypted"):
        CertificateFiles(files.chain, locked).read()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(OSError, match="nowhere"):
        CertificateFiles(authorities=tmp_path / "nowhere").read()


def test_a_pair_is_replaced_one_by_one(files: CertificateFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """While only one of the two is new, the former pair stays in force."""
    monkeypatch.setattr(watching, "INTERVAL", 0.0)
    watched = files.watched()
    former = watched.value
    renewed = write(files.paths[0].parent / "renewed", trustme.CA())
    for new, old, is_complete in zip(renewed.paths, files.paths, (False, True), strict=False):
        shutil.copy(new, old)
        assert (watched.value != former) is is_complete
    assert watched.value.key == renewed.read().key
