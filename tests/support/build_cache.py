"""Packages and compiled code for container builds, which would take minutes to build from scratch.

Third-party packages are linked from this Python's installation: exactly those that are locked.
Compiled code is copied from the cache of the test run. That cache holds only the default strategy, so builds
are limited to it. If the cached code is for another target, the build compiles.
"""

import re
import shutil
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from sys import version_info

from packaging.requirements import Requirement

from searcher.engine.jit.code_cache import CACHE
from tests.support.services import DEFAULT

ROOT = Path(__file__).parents[2]

_LOCK = re.compile(r"--python \S+ install .*requirements/(\w+)\.txt")

_WARM = re.compile(r"\bsearcher\W+warm\W*$")

ONLY_DEFAULT = {"SEARCHER_ONLY": DEFAULT}

_OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def provide(root: Path, command: str) -> Mapping[str, str]:
    """Put what a build step installs or compiles into the image's root; return settings for the step."""
    if lock := _LOCK.search(command):
        site = root / "app" / "lib" / f"python{version_info.major}.{version_info.minor}" / "site-packages"
        site.mkdir(parents=True)
        for name in locked(ROOT / "requirements" / f"{lock[1]}.txt"):
            _link(distribution(name), site)
    if "install" in command:
        return _OFFLINE
    if _WARM.search(command):
        shutil.copytree(CACHE, root / "app" / "compiled" / CACHE.parent.name / CACHE.name)
    return ONLY_DEFAULT


def locked(file: Path) -> list[str]:
    """Return the names of the packages that a file of requirements/ locks for this Python."""
    lines = [line.partition("\\")[0] for line in file.read_text().splitlines() if "==" in line]
    requirements = map(Requirement, lines)
    return [each.name for each in requirements if each.marker is None or each.marker.evaluate()]


def _link(package: Distribution, site: Path) -> None:
    """Link all files of a distribution; a folder that several distributions share is linked as a whole."""
    for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
        if not (site / name).exists():
            (site / name).symlink_to(Path(str(package.locate_file(name))).resolve())
