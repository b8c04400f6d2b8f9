"""Wheels with compiled code: what is in them, and that they play without a compiler."""

import json
import os
import platform
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest

from infra.packaging import backend
from infra.packaging.commands import CACHE, SETTING, kept_code, targets
from searcher.engine.jit.code_cache import LEVELS, TARGET, source_digest
from tests.support.services import DEFAULT, ROOT

PLAY = """
import sys
sys.modules.update(numba=None, llvmlite=None)
from searcher.engine.jit.code_cache import origin
from searcher.engine.position import Position, Snake
from searcher.engine.result import Limits
from searcher.engine.search.clock import Clock
from searcher.session import SearchSession
from searcher.strategies import AUTO

position = Position(7, 7, (Snake("a", 100, ((3, 3), (3, 2), (3, 1))), Snake("b", 100, ((5, 5), (5, 4)))))
result = SearchSession().search(position, AUTO.for_position(position), Limits(depth=4), Clock(9e9))
print(result.depth, "|", origin())
"""
"""Searches with the installed code alone, and prints the depth and what code ran."""

COMMAND = """
import sys
sys.modules.update(numba=None, llvmlite=None)
from searcher.commands.main import main
main(sys.argv[1:])
"""
"""Runs a command of the searcher with the installed code alone."""

TRANSITIONS = ROOT / "tests" / "fixtures" / "transitions.jsonl.gz"


def build(folder: Path, setting: str) -> Path:
    """Return the wheel that pip builds of this checkout, with code of the default strategy alone."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*command, "--wheel-dir", str(folder), str(ROOT)],
        env={**os.environ, SETTING: setting, "SEARCHER_ONLY": DEFAULT, "PIP_NO_INDEX": "1"},
        check=True,
        timeout=500,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def site(compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of packages that a wheel with code for this machine installs."""
    folder = tmp_path_factory.mktemp("wheel")
    wheel = build(folder, TARGET)
    assert wheel.stem.endswith(f"py3-none-manylinux_2_17_{platform.machine()}")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run_installed(site: Path, tmp_path: Path, script: str, *arguments: str | Path) -> str:
    """Run a script with the packages of a wheel, and return what it prints. Nothing is compiled or stored."""
    cache = tmp_path / "none"
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *arguments],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(site),
            "SEARCHER_CACHE_DIR": str(cache),
            "SEARCHER_ONLY": DEFAULT,
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert not done.stderr, done.stderr
    assert not cache.exists()
    return done.stdout


def run_here(*arguments: str | Path) -> str:
    """Run a command of the searcher with the code that this checkout has compiled."""
    command = [sys.executable, "-m", "searcher", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False).stdout


def test_a_wheel_plays_without_a_compiler(site: Path, tmp_path: Path) -> None:
    """It has the code for its target, and searches without Numba or a cache."""
    printed = run_installed(site, tmp_path, PLAY)
    assert printed == f"4 | prebuilt for {TARGET}, sources {source_digest()}\n"


def test_the_code_of_a_wheel_plays_by_the_rules(site: Path, tmp_path: Path) -> None:
    """It passes the check against recorded turns of the official engine."""
    assert ", 0 failed" in run_installed(site, tmp_path, COMMAND, "conformance", TRANSITIONS)


def test_the_code_of_a_wheel_searches_like_compiled_code(site: Path, tmp_path: Path) -> None:
    """In tactical positions it plays the same moves, node for node."""
    suite = ("suite", "--depth", "6", "--json")
    found = json.loads(run_installed(site, tmp_path, COMMAND, *suite))
    assert found == json.loads(run_here(*suite))


def test_a_command_that_needs_other_code_says_so(site: Path, tmp_path: Path) -> None:
    """One line names what to install."""
    with pytest.raises(AssertionError) as raised:
        run_installed(site, tmp_path, COMMAND, "bench", "--strategy", "mcts/length")
    assert "Error: code is missing: it has to be compiled, which needs pip install" in str(raised.value)
    assert "Traceback" not in str(raised.value)


def test_a_wheel_without_code(tmp_path: Path) -> None:
    """It is for every platform, as a gateway that searches elsewhere needs it."""
    wheel = build(tmp_path, "none")
    assert wheel.stem.endswith("py3-none-any")
    with zipfile.ZipFile(wheel) as archive:
        assert not [name for name in archive.namelist() if name.endswith(".so")]


def test_by_default_every_level_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one is what the machine of the build can run."""
    monkeypatch.delenv(SETTING, raising=False)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert set(targets()) == set(LEVELS["x86_64"])
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert targets() == ["generic"]


@pytest.mark.parametrize(("setting", "compiler"), [("none", False), ("x86-64-v2", True)])
def test_building_requires_the_compiler_for_code(
    setting: str, compiler: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An isolated build installs Numba and what the searcher needs, and nothing of this project itself."""
    monkeypatch.setenv(SETTING, setting)
    monkeypatch.chdir(ROOT)
    needed = backend.get_requires_for_build_wheel()
    assert any(each.startswith("numba") for each in needed) == compiler
    assert not any(each.startswith("battlesnake") for each in needed)


def test_builds_of_a_source_distribution_keep_their_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A later build finds the code in the user's folder of caches. A checkout has a cache of its own."""
    monkeypatch.delenv(CACHE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.chdir(tmp_path)
    kept = Path(kept_code()[CACHE])
    assert kept.is_dir() and kept.parents[1] == tmp_path / "caches"
    assert kept.name == f"build-numba-{version('numba')}"
    monkeypatch.setenv(CACHE, str(tmp_path))
    assert kept_code() == {}
    monkeypatch.delenv(CACHE)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert kept_code() == {}
    (tmp_path / ".cache" / "compiled").mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    assert kept_code() == {}


def test_an_unsupported_python_gets_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """So pip can read which Python is needed. For a new Python there might be no compiler at all."""
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    (oldest, newest), after = backend.SUPPORTED, (3, backend.SUPPORTED[1][1] + 1)
    assert wanted == f">={oldest[0]}.{oldest[1]},<{after[0]}.{after[1]}"
    monkeypatch.chdir(ROOT)
    for version_info, has_compiler in (((3, 10), False), (oldest, True), (newest, True), (after, False)):
        monkeypatch.setattr(backend, "sys", SimpleNamespace(version_info=version_info))
        needed = backend.get_requires_for_build_wheel()
        assert any(each.startswith("numba") for each in needed) == has_compiler
