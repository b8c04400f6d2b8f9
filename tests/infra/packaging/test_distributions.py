"""The source distribution and the wheel, installed into an environment of their own as their users would."""

import json
import os
import signal
import subprocess
import sys
import tarfile
import time
import urllib.request
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from infra.packaging.commands import SETTING
from searcher.engine.jit.code_cache import TARGET
from tests.support.services import DEFAULT, ROOT, free_port

UV = Path(sys.executable).with_name("uv")
BODY = (ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json").read_bytes()
PATIENCE = 120.0
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
        VIRTUAL_ENV=sys.prefix)  # fmt: skip
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
    build: list[str | Path] = [
        UV,
        "build",
        "--quiet",
        "--offline",
        "--no-build-isolation",
        "--wheel",
        "--out-dir",
        folder,
    ]
    variables = {SETTING: TARGET, "SEARCHER_ONLY": DEFAULT, "VIRTUAL_ENV": sys.prefix}
    run(*build, sources, SEARCHER_CACHE_DIR=str(ROOT / ".cache" / "compiled"), **variables)
    (wheel,) = folder.glob("*.whl")
    environment = tmp_path_factory.mktemp("environment")
    run(UV, "venv", "--quiet", "--python", sys.executable, environment)
    locked = ROOT / "requirements" / "checks.txt"
    install: list[str | Path] = [
        UV,
        "pip",
        "install",
        "--quiet",
        "--python",
        environment,
        "--constraint",
        locked,
    ]
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


def test_the_client_is_typed(bin_folder: Path) -> None:
    """Type checkers of its users see its annotations."""
    script = "import battlesnake_search; print(battlesnake_search.__file__)"
    installed = Path(run(bin_folder / "python", "-I", "-c", script).strip())
    assert installed.with_name("py.typed").exists()


def test_a_wheel_has_nothing_of_former_builds(bin_folder: Path) -> None:
    """A file that the checkout has no longer stays in the folder of builds."""
    script = "from importlib.util import find_spec; print(find_spec('searcher.former'))"
    assert run(bin_folder / "python", "-I", "-c", script) == "None\n"


@pytest.fixture
def played(bin_folder: Path, tmp_path: Path) -> Iterator[tuple[int, Path]]:
    """Run the installed snake; yield its port and its log."""
    port, log = free_port(), tmp_path / "log.jsonl"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [bin_folder / "battlesnake-search", "play", "--no-browser", "--port", str(port)],
            cwd=tmp_path,
            env={**os.environ, "OUTCOMES_URL": "none", "SEARCHER_CACHE_DIR": str(tmp_path), "ADMIN": "none"},
            stderr=errors,
        )
    yield port, log
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0


def test_an_installed_snake_searches(played: tuple[int, Path]) -> None:
    """It finds the code of the wheel, and plays by it."""
    port, log = played
    deadline = time.monotonic() + PATIENCE
    while '"source": "search"' not in log.read_text() and time.monotonic() < deadline:
        try:
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/move", BODY, {"content-type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=5) as response:
                assert json.load(response)["move"] in {"up", "down", "left", "right"}
        except OSError:
            time.sleep(0.1)
    assert '"source": "search"' in log.read_text()
    assert f"code prebuilt for {TARGET}" in log.read_text()
