"""The examples of docs/minimax.md and of docstrings run, and pictures match what the textbook computes."""

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import searcher.textbook

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "minimax.md"
IMAGES = ROOT / "docs" / "images"


def pictures_of_the_page() -> set[str]:
    """Return the file names of the pictures on the page."""
    return set(re.findall(r"\]\(images/([\w-]+\.svg)\)", PAGE.read_text(encoding="utf-8")))


def test_the_examples_of_the_page_run() -> None:
    """Every example, typed in from top to bottom, prints what the page shows."""
    blocks = re.findall(r"```pycon\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    assert len(session.examples) > 30
    results = doctest.DocTestRunner().run(session)
    assert results.failed == 0


def test_the_examples_of_docstrings_hold() -> None:
    """Every example in the textbook's docstrings prints what its docstring shows."""
    modules = pkgutil.walk_packages(searcher.textbook.__path__, "searcher.textbook.")
    results = [doctest.testmod(importlib.import_module(module.name)) for module in modules]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) >= 6


def test_the_pictures_are_current(tmp_path: Path) -> None:
    """Every picture of the page is identical to a newly drawn one."""
    command = [sys.executable, "-m", "docs.draw_minimax", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120)
    drawn = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert drawn == {name: (IMAGES / name).read_text(encoding="utf-8") for name in pictures_of_the_page()}


def test_the_files_the_page_names_exist() -> None:
    """Every file named on the page exists in the textbook."""
    named = set(re.findall(r"`(\w+\.py)`", PAGE.read_text(encoding="utf-8")))
    assert named >= {"game.py", "multiplayer.py", "battlesnake.py"}
    assert [name for name in named if not (ROOT / "searcher" / "textbook" / name).exists()] == []
