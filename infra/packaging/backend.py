"""The build backend: setuptools, and for a wheel with compiled code the compiler.

PREBUILD has the CPU targets to compile for, separated by spaces. This machine has to run the first target.
`none` compiles nothing. The default is every level of this machine's architecture.
"""

import sys
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

SUPPORTED = ((3, 11), (3, 14))
"""The oldest and the newest Python, as in `requires-python`."""


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return the requirements of a wheel: with compiled code, the compiler and the searcher's packages.

    A version of Python outside `requires-python` gets none of these, so pip can read the metadata and refuse
    that version.
    """
    from infra.packaging.commands import targets

    needed = build_meta.get_requires_for_build_wheel(config_settings)
    if not SUPPORTED[0] <= sys.version_info[:2] <= SUPPORTED[1] or not targets():
        return list(needed)
    import tomllib

    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["searcher"], *extras["compile"]]
    return [*needed, *(each for each in wanted if not each.startswith(project["name"]))]
