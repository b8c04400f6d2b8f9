"""Links object code to a shared library, by the system's linker or the one in the package `ziglang`.

The library names no C library: what it calls of one is looked up in the process that loads it. So it works
with any version of it.
"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path


class LinkerError(OSError):
    """The linker is missing, or failed."""

    def __init__(self, text: str) -> None:
        super().__init__(None, text)


@cache
def _linker() -> Sequence[str]:
    """Return the command of the linker. Raises LinkerError if there is none."""
    if sys.platform == "darwin":
        return "cc", "-shared", "-undefined", "dynamic_lookup"
    for name in ("ld", "ld.lld"):
        if (path := shutil.which(name)) is not None:
            return path, *_ELF_OPTIONS
    if find_spec("ziglang") is not None:
        return sys.executable, "-m", "ziglang", "ld.lld", *_ELF_OPTIONS
    raise LinkerError("there is no linker: install binutils, or the package ziglang")


_ELF_OPTIONS = ("-shared", "--strip-all", "--hash-style=gnu", "-z", "noexecstack", "-z", "text")
"""`text` fails where code would have to be changed when it is loaded, which processes could not share."""


def link(object_code: bytes, library: Path) -> None:
    """Write the shared library with this object code. Raises LinkerError."""
    source = library.with_suffix(".o")
    source.write_bytes(object_code)
    done = subprocess.run(
        [*_linker(), "-o", library, source], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise LinkerError(f"the linker failed: {'; '.join(done.stderr.splitlines())}")
