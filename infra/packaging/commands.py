"""Setuptools' commands for a wheel with compiled code."""

import os
import platform
import shutil
import subprocess
import sys
import weakref
from pathlib import Path
from tempfile import mkdtemp

from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build import build
from setuptools.command.build_py import build_py

SETTING = "PREBUILD"
"""The environment variable with the targets to compile for."""

CODE = Path("searcher") / "prebuilt"
"""The folder of compiled code in the package."""


def targets() -> list[str]:
    """Return the CPU targets to compile for. The build runs the first one."""
    if chosen := os.environ.get(SETTING):
        return [] if chosen == "none" else chosen.split()
    from searcher.engine.jit.code_cache import built_targets

    return built_targets()


class BuildApart(build):
    """Builds in a folder of its own: a wheel has nothing of former builds, nor of one that runs beside it."""

    def initialize_options(self) -> None:
        """Choose the folder, which lasts as long as this command."""
        super().initialize_options()
        self.build_base = mkdtemp(prefix="battlesnake-build-")
        weakref.finalize(self, shutil.rmtree, self.build_base, ignore_errors=True)


class BuildWithCode(build_py):
    """Copies the sources, and compiles the searches for each target."""

    def run(self) -> None:
        """Build the package. An editable installation has no compiled code, and compiles later."""
        super().run()
        if self.editable_mode:
            return
        if wanted := targets():
            command = [sys.executable, "-m", "searcher", "warm", "--output", str(Path(self.build_lib) / CODE)]
            subprocess.run(command, env={**os.environ, "SEARCHER_CPU": " ".join(wanted)}, check=True)


class WheelWithCode(bdist_wheel):
    """Names the platform that the compiled code is for: any Python on this architecture."""

    def get_tag(self) -> tuple[str, str, str]:
        """Return the tag of the wheel. Its code calls nothing but Python and POSIX functions."""
        if not targets():
            return super().get_tag()
        return "py3", "none", f"manylinux_2_17_{platform.machine()}"
