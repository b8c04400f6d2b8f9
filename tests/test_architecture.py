"""The layers of the project, as docs/architecture.md lists them, and how large its parts may grow."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
HEADING = "## Packages, from the ground up"

PACKAGES = (
    "searcher",
    "gateway",
    "console",
    "battlesnake_search",
    "arena",
    "infra",
    "benchmarks",
)
"""The folders whose files the page lists."""

FOLDERS = (*PACKAGES, "tests", "docs")
"""The folders with code of ours."""

_NAMED = re.compile(rf"({'|'.join(PACKAGES)})(\.\w+)+")

LONGEST_FILE = 450
LONGEST_FUNCTION = 60
MOST_BOXES = 21
"""Of files and folders side by side in a folder."""


@dataclass(frozen=True)
class Layer:
    """A row of the page: packages or files, and the packages and files that they may import."""

    names: tuple[str, ...]
    imports: tuple[str, ...]


def read_layers() -> tuple[Layer, ...]:
    """Return the rows of the page's table, from the ground up."""
    section = PAGE.read_text().partition(HEADING)[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return tuple(Layer(_names(names), _names(imports)) for names, _, imports in rows)


def _names(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


LAYERS = read_layers()
ALL_NAMES = [name for layer in LAYERS for name in layer.names]


@cache
def sources(folder: str) -> tuple[Path, ...]:
    """Return the hand-written Python files below a folder of the project."""
    return tuple(path for path in sorted((ROOT / folder).rglob("*.py")) if "_pb2" not in path.name)


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(), str(path))


def lies_in(place: str, name: str) -> bool:
    """Return whether a place is a name of the page, or lies below it."""
    return place == name or place.startswith(f"{name}/")


@cache
def layer_of(place: str) -> str | None:
    """Return the innermost name of the page that a file or folder lies in; None if it is not ours."""
    return max((name for name in ALL_NAMES if lies_in(place, name)), key=len, default=None)


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return every module that a file imports, anywhere in it, and every name from it, dotted.

    A string that begins with the dotted name of a module of another top-level package is an import, too.
    """
    return (*_imports(path), *_named(path))


def _imports(path: Path) -> Iterator[str]:
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _named(path: Path) -> Iterator[str]:
    own = path.relative_to(ROOT).parts[0]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = _NAMED.match(node.value)
            if name and name[1] != own and "/" in (place_of(name[0]) or ""):
                yield name[0]


@cache
def place_of(module: str) -> str | None:
    """Return the file or folder that a dotted name is in; None if it is not ours."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        place = "/".join(parts[:length])
        if (ROOT / f"{place}.py").is_file():
            return f"{place}.py"
        if parts[0] in PACKAGES and (ROOT / place).is_dir():
            return place
    return None


def test_the_page_lists_every_file_once() -> None:
    """Each file lies in a package or a file of the table, and no name is listed twice or in vain."""
    files = [str(path.relative_to(ROOT)) for folder in PACKAGES for path in sources(folder)]
    assert [name for name, count in Counter(ALL_NAMES).items() if count > 1] == []
    assert [name for name in ALL_NAMES if not (ROOT / name).exists()] == []
    assert [file for file in files if layer_of(file) is None and not file.endswith("__init__.py")] == []


def rows_above(layer: Layer, imported: str) -> list[str]:
    """Return the names in the rows above a layer that a name in its last column stands for."""
    above = LAYERS[: LAYERS.index(layer)]
    return [name for each in above for name in each.names if lies_in(name, imported)]


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.names[0])
def test_a_layer_imports_what_the_page_says(layer: Layer) -> None:
    """Every row imports only what it lists, and lists only rows above it, so that there are no circles."""
    allowed = {imported: rows_above(layer, imported) for imported in layer.imports}
    assert [imported for imported, names in allowed.items() if not names] == []
    known = {*layer.names, *(name for names in allowed.values() for name in names)}
    files = [path for folder in FOLDERS for path in sources(folder) if not path.name.startswith("test_")]
    strays = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        if layer_of(str(path.relative_to(ROOT))) in layer.names
        for name in imports(path)
        if "/" in (place := place_of(name) or "") and (layer_of(place) or place) not in known
    }
    assert strays == set()


def edges_in(package: str) -> Iterator[tuple[str, str]]:
    """Yield the two files or folders, side by side, that each import within a package joins."""
    for path in sources(package):
        importing = path.relative_to(ROOT).parts
        for place in filter(None, map(place_of, imports(path))):
            imported = (*place.split("/"), "__init__.py")
            same = sum(
                1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(importing, imported, strict=False))
            )
            if 0 < same < len(importing):
                yield "/".join(importing[: same + 1]), "/".join(imported[: same + 1])


@pytest.mark.parametrize("package", PACKAGES)
def test_no_files_or_folders_import_in_a_circle(package: str) -> None:
    """Files and folders side by side have an order in which each one imports only earlier ones."""
    graph: dict[str, set[str]] = {}
    for importing, imported in edges_in(package):
        graph.setdefault(importing, set()).add(imported)
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"These import one another: {' <- '.join(error.args[1])}")


def boxes_in(folder: Path) -> int:
    """Return how many files and folders with code lie side by side in a folder."""
    files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
    return len(files) + sum(1 for each in folder.iterdir() if each.is_dir() and any(each.rglob("*.py")))


def test_no_folder_is_crowded() -> None:
    """More than a dozen files side by side are a sign that a package is missing."""
    counts = {
        str(folder.relative_to(ROOT)): boxes_in(folder)
        for package in PACKAGES
        for folder in {path.parent for path in sources(package)}
    }
    assert {folder: count for folder, count in counts.items() if count > MOST_BOXES} == {}


def test_no_file_is_too_long() -> None:
    """A file stays short enough to be read at a sitting."""
    files = [path for folder in FOLDERS for path in sources(folder)]
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_function_is_too_long() -> None:
    """A function stays short enough to be seen at a glance."""
    files = [path for folder in FOLDERS for path in sources(folder)]
    lengths = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno)
        - node.lineno
        + 1
        for path in files
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}
