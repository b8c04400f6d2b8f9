"""The packages of a bundle: those of this project that play, and all that they need, as installed here."""

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path

from searcher.plugins.discovery import GROUP

PACKAGES = Path("lib") / "packages"
"""The folder of a bundle with the packages."""

_PROJECT, _EXTRA = "battlesnake-search", "searcher"

_OURS = ("battlesnake_search", "searcher", "gateway")
"""The packages of this project that play. They may be those of a checkout."""


def copy_packages(bundle: Path) -> None:
    """Copy the packages, and the installed packages with evaluators. Raises OSError."""
    plugins = entry_points(group=GROUP)
    for name in dict.fromkeys((*_OURS, *(entry.module.partition(".")[0] for entry in plugins))):
        _copy_sources(name, bundle / PACKAGES)
    names = (_PROJECT, *(entry.dist.name for entry in plugins if entry.dist))
    for each in needed_distributions(names).values():
        for file in each.files or ():
            # An editable package has its sources elsewhere. Programs are in a folder beside the packages.
            if file.parts[0] != ".." and "__pycache__" not in file.parts and file.suffix != ".pth":
                target = bundle / PACKAGES / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(each.locate_file(file)), target)


def _copy_sources(name: str, folder: Path) -> None:
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None
    source = Path(spec.origin)
    if spec.submodule_search_locations is None:
        shutil.copy(source, folder)
    else:
        shutil.copytree(source.parent, folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def needed_distributions(names: Iterable[str]) -> dict[str, Distribution]:
    """Return the distributions of these names and all that they need, by name.

    A requirement that is not installed is not needed on this machine.
    """
    found: dict[str, Distribution] = {}
    waiting = [*names]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        with suppress(PackageNotFoundError):
            if name not in found:
                found[name] = distribution(name)
                waiting += _needs(found[name], _EXTRA if name == _PROJECT else "")
    return found


def _needs(package: Distribution, extra: str) -> Iterator[str]:
    """Yield the names of a distribution's requirements, without those of extras other than one."""
    for requirement in package.requires or ():
        specified, _, marker = requirement.partition(";")
        if "extra" not in marker or (extra and re.search(rf"""extra == ["']{extra}["']""", marker)):
            yield re.split(r"[^\w.-]", specified, maxsplit=1)[0]
