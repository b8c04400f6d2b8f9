"""The source distribution and the wheel, installed into an environment of their own as their users would."""

import os
import platform
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

import pytest

from infra.packaging.commands import SETTING
from searcher.engine.jit.code_cache import TARGET
from tests.support.http import answer_of, wait_until
from tests.support.services import DEFAULT, ROOT, free_port

UV = Path(sys.executable).with_name("uv")
BODY = (ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json").read_bytes()
PATIENCE = 120.0
TRANSITIONS = ROOT / "tests" / "fixtures" / "transitions.jsonl.gz"

WITHOUT_COMPILER = """
import sys
sys.modules.update(numba=None, llvmlite=None)
from searcher.commands.main import main
main(sys.argv[1:])
"""
"""Runs a command of the searcher by the code of the wheel alone."""

PROGRAMS = ("battlesnake-search", "battlesnake-gateway", "battlesnake-searcher", "battlesnake-arena")

pytestmark = pytest.mark.usefixtures("compiled")


def run(*command: str | Path, **variables: str) -> str:
    """Run a command outside of the checkout, and return what it prints."""
    done = subprocess.run(
        command,
        cwd="/",
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the source distribution of this checkout."""
    folder = tmp_path_factory.mktemp("sdist")
    run(UV, "build", "--quiet", "--offline", "--no-build-isolation", "--sdist", "--out-dir", folder, ROOT,
        VIRTUAL_ENV=sys.prefix, TMPDIR=str(folder))  # fmt: skip
    (file,) = folder.glob("*.tar.gz")
    return file


@pytest.fixture(scope="module")
def bin_folder(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of an environment with the wheel that is built of the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(source) as archive:
        archive.extractall(folder, filter="data")
    (sources,) = folder.iterdir()
    left = sources / "build" / "lib" / "searcher"
    left.mkdir(parents=True)
    (left / "former.py").touch()
    variables = {SETTING: TARGET, "SEARCHER_ONLY": DEFAULT, "VIRTUAL_ENV": sys.prefix, "TMPDIR": str(folder)}
    build = (UV, "build", "--quiet", "--offline", "--no-build-isolation", "--wheel", "--out-dir", folder)
    run(*build, sources, SEARCHER_CACHE_DIR=str(ROOT / ".cache" / "compiled"), **variables)
    (wheel,) = folder.glob("*.whl")
    assert wheel.stem.endswith(f"py3-none-manylinux_2_17_{platform.machine()}")
    environment = tmp_path_factory.mktemp("environment")
    run(UV, "venv", "--quiet", "--python", sys.executable, environment)
    locked = ROOT / "requirements" / "checks.txt"
    install = (UV, "pip", "install", "--quiet", "--python", environment, "--constraint", locked)
    run(*install, f"{wheel}[all]")
    return environment / "bin"


def test_the_source_distribution_has_what_a_build_needs(source: Path) -> None:
    """And neither tests nor what is only for a checkout."""
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "infra/packaging/backend.py"} <= names
    assert "protos/battlesnake/search/v1/search.proto" in names
    assert not [name for name in names if name.startswith(("tests/", "requirements/", "docs/"))]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_runs(bin_folder: Path, program: str) -> None:
    """It knows the one version of all, and needs nothing of the checkout."""
    assert version("battlesnake-search") in run(bin_folder / program, "--version")
    assert f"Usage: {program} " in run(bin_folder / program, "-h")


def test_the_code_of_a_wheel_plays_by_the_rules(bin_folder: Path, tmp_path: Path) -> None:
    """Without a compiler, it passes the check against recorded turns of the official engine."""
    command = (bin_folder / "python", "-I", "-c", WITHOUT_COMPILER, "conformance", TRANSITIONS)
    settings = {"SEARCHER_CACHE_DIR": str(tmp_path / "none"), "SEARCHER_ONLY": DEFAULT}
    assert ", 0 failed" in run(*command, **settings)
    assert not (tmp_path / "none").exists()


def test_a_wheel_has_nothing_of_former_builds(bin_folder: Path) -> None:
    """A file that the checkout has no longer stays in the folder of builds."""
    script = "from importlib.util import find_spec; print(find_spec('searcher.former'))"
    assert run(bin_folder / "python", "-I", "-c", script) == "None\n"


def test_an_installed_snake_searches(bin_folder: Path, tmp_path: Path) -> None:
    """It finds the code of the wheel, and plays by it."""
    port, log = free_port(), tmp_path / "log.jsonl"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [bin_folder / "battlesnake-search", "play", "--no-browser", "--port", str(port)],
            cwd=tmp_path,
            env={**os.environ, "OUTCOMES_URL": "none", "SEARCHER_CACHE_DIR": str(tmp_path), "ADMIN": "none"},
            stderr=errors,
        )

    def has_searched() -> bool:
        return answer_of(port, "/move", BODY)[0] == 200 and '"source": "search"' in log.read_text()

    try:
        wait_until(has_searched, PATIENCE)
        assert f"code prebuilt for {TARGET}" in log.read_text()
    finally:
        process.terminate()
        assert process.wait(PATIENCE) == 0
