"""The style of the textbook: it imports no other code, and each algorithm fits on a screen."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import searcher.textbook

SOURCES = sorted(Path(searcher.textbook.__file__).parent.rglob("*.py"))
CHAPTERS = {"decoupled_uct", "depth_limited", "minimax", "multiplayer", "simultaneous"}

NAMES = "battlesnake_search.contract.deaths"

SCREEN = 25
"""Lines."""


def functions(source: Path) -> Iterator[ast.FunctionDef]:
    """Yield all functions and methods of a file."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield node


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_functions_fit_on_a_screen(source: Path) -> None:
    """Every function is shorter than 25 lines, including its docstring."""
    lengths = {node.name: (node.end_lineno or 0) - node.lineno + 1 for node in functions(source)}
    assert {name: length for name, length in lengths.items() if length >= SCREEN} == {}


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_textbook_stands_alone(source: Path) -> None:
    """The textbook imports only the standard library, itself, and the names of causes of death."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            inside = name == "searcher.textbook" or name.startswith("searcher.textbook.")
            assert inside or name == NAMES or name.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize(
    "source", [path for path in SOURCES if path.stem in CHAPTERS], ids=lambda path: path.stem
)
def test_algorithms_name_their_sources(source: Path) -> None:
    """Every chapter has a function that names its source."""
    docstrings = [ast.get_docstring(node) or "" for node in functions(source)]
    assert any("Source: " in docstring for docstring in docstrings)
