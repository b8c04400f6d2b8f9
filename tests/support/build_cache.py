"""Packages and compiled code for container builds, which would take minutes to build from scratch.

Third-party packages are linked from this Python's installation: exactly those that are locked.
Compiled code is in the cache of the test run. That cache holds only the default strategy for this machine's
target, so builds are limited to both.
"""

import re
from collections.abc import Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from sys import version_info

from packaging.requirements import Requirement

from searcher.engine.jit.code_cache import TARGET, cache_root
from tests.support.services import DEFAULT

ROOT = Path(__file__).parents[2]

_BUILD = Path("/build")
"""The folder of an image in which its steps run until it is built."""

_INSTALLATION = re.compile(r"(\S+)/bin/(?:pip|python) install [^&]*requirements/(\w+)\.txt")
"""An installation of what is locked: the environment's folder, and the name of the file."""

_CHECK = "--check"
"""The option of the step that checks the image's code, which must not find that of the cache."""

ONLY_DEFAULT = {"SEARCHER_ONLY": DEFAULT}

ARGUMENTS = {"CPU": TARGET}
"""The arguments of a build whose code is in the cache."""

_OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}


def provide(root: Path, command: str) -> Mapping[str, str]:
    """Put what a build step installs into the image's root; return settings for the step."""
    for folder, lock in _INSTALLATION.findall(command):
        environment = root / (_BUILD / folder).relative_to("/")
        site = environment / "lib" / f"python{version_info.major}.{version_info.minor}" / "site-packages"
        site.mkdir(parents=True)
        for name in locked(ROOT / "requirements" / f"{lock}.txt"):
            _link(distribution(name), site)
    cache = {} if _CHECK in command else {"SEARCHER_CACHE_DIR": str(cache_root())}
    return {**_OFFLINE, **ONLY_DEFAULT, **cache}


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
