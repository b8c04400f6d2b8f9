"""The one import of people who write evaluators."""

import ast
import re
from pathlib import Path

from searcher import toolkit

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "evaluators.md").read_text()


def imported_from(source: str) -> dict[str, set[str]]:
    """Return the names that a source imports, by module."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            found.setdefault(node.module or "", set()).update(alias.name for alias in node.names)
    return found


def test_the_examples_of_the_page_import_the_toolkit_alone() -> None:
    """Every block of Python in docs/evaluators.md."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 2
    for block in blocks:
        modules = imported_from(block)
        assert set(modules) <= {"searcher.toolkit"}
        assert modules.get("searcher.toolkit", set()) <= set(toolkit.__all__)


def test_the_page_explains_every_name() -> None:
    """Each name of the toolkit is written as code somewhere on the page."""
    assert [name for name in toolkit.__all__ if not re.search(rf"\b{name}\b", PAGE)] == []
