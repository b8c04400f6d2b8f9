"""The build of wheels: its targets, and what it requires."""

import tomllib
from types import SimpleNamespace

import pytest

from infra.packaging import backend
from infra.packaging.commands import SETTING, targets
from searcher.engine.jit.code_cache import LEVELS
from tests.support.services import ROOT


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
