"""Checkouts for the commands of pages: what they write stays out of the real one."""

import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tests.docs.pages import ROOT

STAMPS = (".created", ".runtime", ".arena", ".dev", ".docs")
"""The files by which the Makefile knows what is installed."""

SCRIPTS = ("pip", "battlesnake-search", "battlesnake-gateway", "battlesnake-searcher", "battlesnake-arena")
"""The installed programs that pages name."""


def make_checkout(folder: Path) -> None:
    """Make a checkout with links to what is at the top of this one, and an environment for more packages."""
    listed = subprocess.run(
        ("git", "ls-files", "--cached", "--others", "--exclude-standard"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in {file.partition("/")[0] for file in listed.stdout.splitlines()}:
        (folder / name).symlink_to(ROOT / name)
    _make_environment(folder / ".venv", folder)


def _make_environment(environment: Path, checkout: Path) -> None:
    """Make an environment that has the packages of this Python, and those that a page installs."""
    venv.create(environment, symlinks=True)
    paths = {"base": str(environment), "platbase": str(environment)}
    site = Path(sysconfig.get_path("purelib", "venv", paths))
    ours = sysconfig.get_path("purelib")
    # The first line goes before the packages of this Python, of which one may be this project elsewhere.
    (site / "checkout.pth").write_text(f"{checkout}\nimport site; site.addsitedir({ours!r})\n")
    for name in SCRIPTS:
        script = (Path(sys.prefix) / "bin" / name).read_text()
        # This environment may be a link to another, into which a page would install its packages.
        for prefix in (sys.prefix, str(Path(sys.prefix).resolve())):
            script = script.replace(prefix, str(environment))
        (environment / "bin" / name).write_text(script)
        shutil.copymode(Path(sys.prefix) / "bin" / name, environment / "bin" / name)
    for name in STAMPS:
        (environment / name).touch()
