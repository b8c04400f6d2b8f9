"""Checkouts for the commands of pages."""

import subprocess
from pathlib import Path

from tests.docs.checkout import make_checkout


def test_packages_go_into_the_environment_of_the_checkout(tmp_path: Path) -> None:
    """A page's pip installs there, also if the environment of the tests is a link to another one."""
    make_checkout(tmp_path)
    pip = tmp_path / ".venv" / "bin" / "pip"
    assert pip.read_text().startswith(f"#!{tmp_path}/.venv/bin/")
    shown = subprocess.run([pip, "--version"], capture_output=True, text=True, check=True).stdout
    assert "pip" in shown
