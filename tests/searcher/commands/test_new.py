"""`battlesnake-search new evaluator`: the package that it makes passes its trial, and plays."""

import os
import sys
import tomllib
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import Result

from searcher.commands.new import new
from tests.searcher.command_line import run
from tests.searcher.plugins.packages import path_with
from tests.support.commands import called
from tests.support.services import free_port


def make(folder: Path, *arguments: str) -> Result:
    """Call `new evaluator` in a folder."""
    with chdir(folder):
        return called(new, "evaluator", *arguments, PATH=os.defpath)


def installed(folder: Path) -> str:
    """Return the PYTHONPATH with the package in a folder, as an editable installation would add it."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    information = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    [(group, entries)] = project["entry-points"].items()
    lines = [f"{name} = {module}" for name, module in entries.items()]
    (information / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]))
    return path_with(folder)


@pytest.fixture(scope="module")
def hugger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new package."""
    folder = tmp_path_factory.mktemp("new")
    made = make(folder, "hugger")
    assert made.exit_code == 0, made.output
    # The PATH has no environment of Python, so the hints have the paths of its programs.
    pip, program = (Path(sys.executable).with_name(name) for name in ("pip", "battlesnake-search"))
    assert f"  {pip} install --editable ./hugger\n  {program} searcher try hugger\n" in made.stdout
    return folder / "hugger"


@pytest.fixture(scope="module")
def settings(hugger: Path) -> dict[str, str]:
    """The environment in which the package is installed."""
    return {"PYTHONPATH": installed(hugger), "SEARCHER_ONLY": "paranoid/hugger"}


def test_it_passes_its_trial_without_a_warning(hugger: Path, settings: dict[str, str]) -> None:
    """The package's own test tries it."""
    tested = run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(hugger), settings=settings)
    assert tested.returncode == 0, tested.stdout


def test_its_routes_play(hugger: Path, settings: dict[str, str]) -> None:
    """A gateway with the routes would draw both arms."""
    routes = ("--routes", str(hugger / "routes.toml"))
    others = ("--outcomes", "none", "--admin", "none", "--port", str(free_port()))
    checked = run("-m", "gateway", "check", *routes, *others, settings=settings)
    assert "/ hugger plays paranoid/hugger" in checked.stdout, checked.stdout + checked.stderr
    assert "/ without-lead plays paranoid/hugger" in checked.stdout
    assert checked.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("area",), "'area' is taken; taken names: area, balanced"),
        (("Foo-x",), "must be small letters, digits and '_', beginning with a letter, not 'Foo-x'"),
        (("mine", "-o", "full"), "full is not empty; name another folder"),
        (("mine", "-o", "full/file/x"), "can't write full/file/x: Not a directory"),
    ],
)
def test_a_mistake_is_a_usage_error(tmp_path: Path, arguments: tuple[str, ...], error: str) -> None:
    """Nothing is written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("kept")
    made = make(tmp_path, *arguments)
    assert made.exit_code == 2 and error in made.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "file"]
