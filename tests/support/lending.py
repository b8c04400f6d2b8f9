"""What is lent to the builds of containers, because making it anew would take minutes.

Packages of others are linked from where this Python has them, those that pip would install and no more.
Compiled code is copied from the cache of the test run, which has that of the default strategy alone, and so a
build asks for no other. Where it is for another target, the build compiles.
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
    # What it lacks would be fetched. To pip 0 says so: the variable is the value of --build-isolation.
    "PIP_NO_BUILD_ISOLATION": "0",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def lend(root: Path, command: str) -> Mapping[str, str]:
    """Puts into an image's root what a step is about to install or to compile."""
    if "install" in command:
        site = root / "app" / "lib" / f"python{version_info.major}.{version_info.minor}" / "site-packages"
        site.mkdir(parents=True)
        extras = _EXTRAS.search(command)
        for name in needed(f"{PROJECT}[{extras[1] if extras else ''}]") | {"setuptools"}:
            _link(distribution(name), site)
        return _OFFLINE
    if _WARM.search(command) and CACHE_DIRECTORY is not None:
        shutil.copytree(CACHE_DIRECTORY, root / "app" / "compiled" / CACHE_DIRECTORY.name)
    return ONLY_DEFAULT


def needed(requirement: str) -> set[str]:
    """The distributions that a requirement needs, by name, the project itself left out."""
    left, done = [Requirement(requirement)], set[tuple[str, frozenset[str]]]()
    while left:
        each = left.pop()
        extras = frozenset(each.extras)
        if (each.name, extras) in done:
            continue
        done.add((each.name, extras))
        for other in map(Requirement, distribution(each.name).requires or ()):
            if other.marker is None or any(other.marker.evaluate({"extra": name}) for name in extras | {""}):
                left.append(other)
    return {name for name, _ in done} - {PROJECT}


def _link(package: Distribution, site: Path) -> None:
    """Links all that belongs to a distribution; a folder that several share comes as a whole."""
    for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
        if not (site / name).exists():
            (site / name).symlink_to(Path(str(package.locate_file(name))).resolve())
