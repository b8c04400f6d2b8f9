"""The check of the subjects of commits."""

import os
import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).parents[1] / ".ci" / "commit-subjects"
WHO = ("-c", "user.name=a", "-c", "user.email=a@example.com")


def found(folder: Path, subject: str) -> str:
    """Return the check's message about a commit with this subject in a new repository, empty for none."""
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    commit = ["git", "-C", str(folder), *WHO, "commit", "--quiet", "--allow-empty", "--message", subject]
    subprocess.run(commit, check=True, env={**os.environ, "GIT_COMMITTER_DATE": "2027-01-01T00:00:00Z"})
    done = subprocess.run([CHECK], cwd=folder, capture_output=True, text=True)
    assert (done.returncode == 0) == (done.stderr == "")
    return done.stderr


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        ("Add " + 69 * "a", "has 73 characters"),
        ("Added a check", "begins with no imperative"),
        ("Adds a check", "begins with no imperative"),
        ("Adding a check", "begins with no imperative"),
    ],
)
def test_a_faulty_subject_is_named(tmp_path: Path, subject: str, message: str) -> None:
    """Long subjects and other forms of a verb are faults."""
    assert message in found(tmp_path, subject)


@pytest.mark.parametrize(
    "subject", ["Add " + 68 * "a", "Pass the address", "Feed the snake", "Bring it back"]
)
def test_an_imperative_of_72_characters_is_no_fault(tmp_path: Path, subject: str) -> None:
    """Imperatives may end like other forms."""
    assert found(tmp_path, subject) == ""


def test_sources_without_a_repository_have_no_fault(tmp_path: Path) -> None:
    """An archive of the sources has no commits."""
    assert subprocess.run([CHECK], cwd=tmp_path).returncode == 0
