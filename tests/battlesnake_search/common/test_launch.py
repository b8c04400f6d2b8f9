"""Command lines whose packages are missing, as processes."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import pytest

from battlesnake_search.common.launch import pip_install
from tests.support.services import clean_environment

ROOT = Path(__file__).parents[3]


def run(root: Path, python: str | Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an interpreter without third-party packages in a folder."""
    return subprocess.run(
        [python, "-S", "-m", *arguments], cwd=root, capture_output=True, text=True, timeout=60, check=False
    )


def copy_of(root: Path) -> Path:
    """Copy the files for the start of a command line."""
    for package in ("battlesnake_search", "searcher", "arena"):
        shutil.copytree(
            ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__", "prebuilt", "*.js*")
        )
    return root


def test_a_fresh_checkout_names_the_command_that_sets_it_up(tmp_path: Path) -> None:
    """Without any package, one line names the missing package, and one line the command to type.

    If the checkout is set up, the second line names its interpreter.
    """
    root = copy_of(tmp_path)
    (root / "Makefile").touch()
    ended = run(root, sys.executable, "arena")
    assert (ended.returncode, ended.stdout) == (1, "")
    missing, remedy = ended.stderr.splitlines()
    assert missing.startswith("python -m arena needs the package ")
    assert missing.endswith(f", which {sys.executable} does not have.")
    assert remedy == "Install it with: make arena"
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "bin" / "python").touch()
    ended = run(root, sys.executable, "arena")
    assert ended.stderr.splitlines()[1] == "Run .venv/bin/python -m arena, which has the project's packages."


def test_a_command_of_another_package_names_its_extra(tmp_path: Path) -> None:
    """Below the command line of all packages, a command names its own missing packages."""
    root = copy_of(tmp_path)
    (root / "click").symlink_to(Path(click.__file__).parent)
    for package, name, command in (
        ("searcher", "battlesnake-search[searcher]", "bench"),
        ("arena", "battlesnake-search[arena]", "pool"),
        ("new", "battlesnake-search[compile]", "evaluator x"),
    ):
        ended = run(root, sys.executable, "battlesnake_search.program", package, *command.split())
        missing, remedy = ended.stderr.splitlines()
        assert missing.startswith("python -m battlesnake_search.program needs the package ")
        assert remedy == f"Install it with: pip install '{name}'"


def test_an_old_python_is_told_in_a_line() -> None:
    """Packages that need a newer Python can't be installed, so none is named."""
    code = (
        "import runpy, sys; sys.version_info = (3, 10, 13, 'final', 0); "
        "runpy.run_module('gateway', run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run((sys.executable, "-S", "-c", code), cwd=ROOT, capture_output=True, text=True)
    needed = f"python -m gateway needs Python 3.11 to 3.14, and {sys.executable} is older.\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", needed)


def test_make_names_the_python_that_it_needs(tmp_path: Path) -> None:
    """On a machine that has only an older one, the error also says how to get one."""
    for file in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / file, tmp_path)
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    command = ("make", f"PYTHON={tmp_path / 'python3'}", "run")
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stderr.startswith("Python 3.11 to 3.14 is needed, and none of these is: ")
    assert "To get one: uv python install 3.13" in ended.stderr


def test_a_missing_folder_for_sockets_is_told_in_a_line() -> None:
    """TMPDIR may be a folder that is removed later."""
    code = (
        "import os, runpy, sys, tempfile; os.rmdir(tempfile.gettempdir()); "
        "sys.argv = ['gateway/__main__.py', '--port', '0', '--outcomes', 'none']; "
        "runpy.run_module('gateway', run_name='__main__', alter_sys=False)"
    )
    # Short enough for a socket, as a folder of the tests may not be.
    folder = tempfile.mkdtemp(dir="/tmp")
    environment = clean_environment() | {"TMPDIR": folder}
    done = subprocess.run(
        (sys.executable, "-c", code), cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.endswith(
        f"TMPDIR: no folder for a socket can be made in {folder}: No such file or directory\n"
    )


PADDED = {
    "OUTCOMES_URL": "none\n",
    "PORT": " 8000\r\n",
    "GAMES": "none\n",
    "GAMES_MEGABYTES": " 7 ",
    "REVIEWS": "losses\n",
    "STRATEGY": "paranoid/area\n",
    "LOG_LEVEL": "\tinfo\n",
    "LOG_FORMAT": "json\n",
    "PUBLIC_METRICS": "false\n",
    "SEARCHER_LISTEN": "127.0.0.1:50051\n",
    "SEARCHER_TARGET": " \n",
    "ADMIN": "none\n",
}
"""Variables as files of secrets and forms of providers leave them."""


@pytest.mark.parametrize(
    ("arguments", "code", "output"),
    [
        (("battlesnake_search.program", "config", "check"), 0, "the environment: ok\n"),
        (("console", "experiments"), 1, "Error: no outcomes: --outcomes is none\n"),
    ],
)
def test_spaces_at_the_ends_of_variables_do_not_count(
    arguments: tuple[str, ...], code: int, output: str, tmp_path: Path
) -> None:
    """Every command reads a variable without them."""
    ended = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        env=os.environ | PADDED | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout + ended.stderr) == (code, output)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_full_disk_is_told_in_a_line() -> None:
    """No traceback hides the reason."""
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "gateway", "token", "ann"]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()[-1:]
    assert line == "python -m gateway: the output: No space left on device"
    assert "Traceback" not in done.stderr


def test_an_installation_from_a_file_grows_from_this_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index may not have the package, or may have another one of this name."""
    wheel, information = tmp_path / "a wheel.whl", tmp_path / "battlesnake_search-9.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: battlesnake-search\nVersion: 9\n")
    (information / "direct_url.json").write_text(json.dumps({"url": wheel.as_uri(), "archive_info": {}}))
    monkeypatch.syspath_prepend(tmp_path)
    assert pip_install("arena") == "pip install 'battlesnake-search[arena]'"
    wheel.touch()
    assert pip_install("arena") == f"pip install '{wheel}[arena]'"
    checkout = {"url": tmp_path.as_uri(), "dir_info": {"editable": True}}
    (information / "direct_url.json").write_text(json.dumps(checkout))
    assert pip_install("films").endswith(f"pip install --editable '{tmp_path}[films]'")
