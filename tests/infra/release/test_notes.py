"""The notes of a release."""

import pytest

from infra.release.notes import ReleaseError, notes_of

PROJECT = '[project]\nversion = "1.2.0"\n'
CHANGELOG = "# Changelog\n\n## 1.2.0 (2026-11-25)\n\n- More.\n- Better.\n\n## 1.1.0\n\n- Less.\n"


def test_the_notes_are_the_section_of_the_version() -> None:
    """Without its heading, and without other versions."""
    assert notes_of("1.2.0", PROJECT, CHANGELOG) == "- More.\n- Better."


@pytest.mark.parametrize(
    ("version", "changelog", "error"),
    [
        ("1.3.0", CHANGELOG, "pyproject.toml: the version is 1.2.0, and 1.3.0 is to be released"),
        ("1.2.0", "# Changelog\n\n## Unreleased\n\n- More.\n", "no section '## 1.2.0'"),
        ("1.2.0", "## 1.2.0\n\n## 1.1.0\n\n- Less.\n", "no section '## 1.2.0'"),
        ("1.2.0", "## 1.2.01\n\n- More.\n", "no section '## 1.2.0'"),
    ],
)
def test_what_does_not_fit_is_an_error(version: str, changelog: str, error: str) -> None:
    """It says which file, and what to expect there."""
    with pytest.raises(ReleaseError, match=error):
        notes_of(version, PROJECT, changelog)
