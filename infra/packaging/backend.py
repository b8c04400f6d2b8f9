"""The build backend: setuptools, and for a wheel with compiled code the compiler.

PREBUILD has the CPU targets to compile for, separated by spaces. This machine has to run the first target.
`none` compiles nothing. The default is every level of this machine's architecture.
"""

import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return the requirements of a wheel: with compiled code, the compiler and the searcher's packages."""
    from infra.packaging.commands import targets

    needed = build_meta.get_requires_for_build_wheel(config_settings)
    if not targets():
        return list(needed)
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["searcher"], *extras["compile"]]
    return [*needed, *(each for each in wanted if not each.startswith(project["name"]))]
