"""`battlesnake-search bundle`: makes a folder with a whole snake, for a machine that has nothing of it."""

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from battlesnake_search.common.cli import examples

_README = "README.txt"
_FIRST_LINE = "A snake made by battlesnake-search bundle"

_TEXT = """\
{first} {version}

PORT=8001 ./run.sh serves it. It records nothing, writes nothing into this folder, and needs no internet.
Options, such as --name or --strategy, go to the gateway: ./run.sh --help lists them.

It needs Linux on {machine} and /bin/sh. Python {python} and the C library ({libc}) are in lib.
The search is compiled for {targets}.
"""

_SLIM = Path(__file__).parents[1] / "bundle" / "slim.sh"

_RUN = """\
#!/bin/sh
# Serves the snake on PORT, by default 8000. Options go to the gateway: ./run.sh --help lists them.
exec "$(cd "$(dirname "$0")" && pwd -P)/bin/python" -m gateway --console none "$@"
"""


@click.command(
    epilog=examples("battlesnake-search bundle entrant", "PORT=8001 entrant/run.sh"),
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def bundle(folder: Path) -> None:
    """Make a FOLDER with a whole snake, which `PORT=8001 FOLDER/run.sh` starts.

    The folder has its own Python, packages and compiled code, so it plays without Python, a compiler or the
    internet on any Linux of this architecture. It neither records nor shows games. The folder must be empty,
    missing or a former bundle, which is replaced.
    """
    libc = _c_library()
    _check_is_free(folder)
    folder = folder.resolve()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as place:
            made = Path(place) / "bundle"
            _make(made, libc)
            if folder.exists():
                folder.rename(Path(place) / "former")
            made.rename(folder)
    except OSError as error:
        raise click.ClickException(f"{error.filename or folder}: {error.strerror}") from error
    blocks = sum(file.lstat().st_blocks for file in folder.rglob("*"))
    click.echo(f"{folder} has a snake of {blocks * 512 / 1e6:.0f} MB. Start it: PORT=8001 {folder}/run.sh")


def _c_library() -> str:
    """Return the name and version of the C library. Raises click.ClickException unless it is GNU's."""
    name, number = platform.libc_ver()
    if sys.platform != "linux" or name != "glibc":
        raise click.ClickException(
            "a bundle has the C library of this machine, which must be Linux with glibc"
        )
    return f"{name} {number}"


def _check_is_free(folder: Path) -> None:
    readme = folder / _README
    is_former = readme.is_file() and readme.read_text(errors="replace").startswith(_FIRST_LINE)
    if folder.is_dir() and any(folder.iterdir()) and not is_former:
        raise click.BadParameter(
            f"{folder} is neither empty nor a bundle; name another folder", param_hint="FOLDER"
        )


def _make(bundle: Path, libc: str) -> None:
    """Make a bundle in a missing folder. Raises OSError, and click.ClickException if a step fails."""
    # Only this command needs the engine.
    from searcher.bundle.copies import (
        PACKAGES,
        copy_libraries,
        copy_packages,
        copy_python,
        write_launcher,
    )
    from searcher.engine.jit.code_cache import built_targets, is_prebuilt

    targets = os.environ.get("SEARCHER_CPU") or " ".join(built_targets())
    click.echo(f"copying Python {platform.python_version()} and packages", err=True)
    copy_python(bundle)
    copy_packages(bundle)
    if not is_prebuilt():
        click.echo(f"compiling for {targets}, which takes minutes the first time", err=True)
        output = bundle / PACKAGES / "searcher" / "prebuilt"
        _run(sys.executable, "-m", "searcher", "warm", "--output", str(output), SEARCHER_CPU=targets)
    copy_libraries(bundle)
    _run("sh", str(_SLIM), str(bundle))
    python = str(write_launcher(bundle))
    # Copies may get other times, so the bytecode is valid whatever the times of its sources are.
    _run(
        python,
        "-m",
        "compileall",
        "-q",
        "--invalidation-mode=unchecked-hash",
        f"-s{bundle}",
        str(bundle / "lib"),
    )
    _run(python, "-m", "searcher", "warm", "--check")
    (bundle / "run.sh").write_text(_RUN)
    (bundle / "run.sh").chmod(0o755)
    text = _TEXT.format(
        first=_FIRST_LINE,
        version=version("battlesnake-search"),
        machine=platform.machine(),
        python=platform.python_version(),
        libc=libc,
        targets=targets.replace(" ", ", "),
    )
    (bundle / _README).write_text(text)


def _run(*command: str, **variables: str) -> None:
    """Run a command. Raises click.ClickException if it fails, after what it has printed itself."""
    if code := subprocess.run(command, env=os.environ | variables, check=False).returncode:
        raise click.ClickException(f"no bundle was made: {' '.join(command)} ended with status {code}")
