"""Packages and compiled code for container builds, which would take minutes to build from scratch.

Third-party packages are linked from this Python's installation: exactly those that pip would install.
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

from searcher.engine.jit.code_cache import CACHE_DIRECTORY
from tests.support.services import DEFAULT

PROJECT = "battlesnake-search"

_EXTRAS = re.compile(r"'\.\[([\w,]*)\]'")

_WARM = re.compile(r"\bsearcher\W+warm\W*$")

ONLY_DEFAULT = {"SEARCHER_ONLY": DEFAULT}

_OFFLINE = {
    "PIP_NO_INDEX": "1",
    # Build isolation would download setuptools. 0 disables it: the variable is the value of
    # --build-isolation.
    "PIP_NO_BUILD_ISOLATION": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def provide(root: Path, command: str) -> Mapping[str, str]:
    """Put what a build step installs or compiles into the image's root; return settings for the step."""
    if "install" in command:
        site = root / "app" / "lib" / f"python{version_info.major}.{version_info.minor}" / "site-packages"
        site.mkdir(parents=True)
        extras = _EXTRAS.search(command)
        for name in required_distributions(f"{PROJECT}[{extras[1] if extras else ''}]") | {"setuptools"}:
            _link(distribution(name), site)
        return _OFFLINE
    if _WARM.search(command) and CACHE_DIRECTORY is not None:
        shutil.copytree(CACHE_DIRECTORY, root / "app" / "compiled" / CACHE_DIRECTORY.name)
    return ONLY_DEFAULT


def required_distributions(requirement: str) -> set[str]:
    """Return the names of the distributions that a requirement needs, without the project itself."""
    pending, done = [Requirement(requirement)], set[tuple[str, frozenset[str]]]()
    while pending:
        each = pending.pop()
        extras = frozenset(each.extras)
        if (each.name, extras) in done:
            continue
        done.add((each.name, extras))
        for other in map(Requirement, distribution(each.name).requires or ()):
            if other.marker is None or any(other.marker.evaluate({"extra": name}) for name in extras | {""}):
                pending.append(other)
    return {name for name, _ in done} - {PROJECT}


def _link(package: Distribution, site: Path) -> None:
    """Link all files of a distribution; a folder that several distributions share is linked as a whole."""
    for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
        if not (site / name).exists():
            (site / name).symlink_to(Path(str(package.locate_file(name))).resolve())
