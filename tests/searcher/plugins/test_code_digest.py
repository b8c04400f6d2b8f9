"""Digests of the code of evaluators."""

import shutil
from pathlib import Path

from searcher.plugins.code_digest import code_digest
from searcher.strategies import evaluators


def _package(folder: Path) -> Path:
    """Write a package of an evaluator and a helper; return the evaluator's file."""
    folder.mkdir()
    for name in ("__init__", "helper", "shy"):
        (folder / f"{name}.py").write_text(f'"""The module {name}."""\n')
    return folder / "shy.py"


def test_a_changed_helper_changes_the_digest(tmp_path: Path) -> None:
    """The digest of a package's evaluator covers every module of the package."""
    file = _package(tmp_path / "snake")
    before = code_digest(str(file))
    assert code_digest(str(file)) == before
    (tmp_path / "snake" / "helper.py").write_text("HUNGER = 2\n")
    assert code_digest(str(file)) != before


def test_the_digest_does_not_depend_on_the_place(tmp_path: Path) -> None:
    """The same package in another folder has the same digest."""
    file = _package(tmp_path / "snake")
    moved = shutil.copytree(tmp_path / "snake", tmp_path / "elsewhere" / "snake")
    assert code_digest(str(file)) == code_digest(str(moved / "shy.py"))


def test_code_without_a_file_has_a_digest() -> None:
    """An evaluator that was made by other code has the digest of what every search uses."""
    assert code_digest("<string>") == code_digest("<string>")


def test_each_evaluator_has_a_digest_of_its_own() -> None:
    """The evaluators of this project have different digests."""
    digests = {evaluator.code_digest for evaluator in evaluators().values()}
    assert len(digests) == len(evaluators()) and "" not in digests
