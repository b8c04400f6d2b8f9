"""The rooms of the project: who may import whom, and how large a file and a function may grow."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ARROWS = {
    "protos": set(),
    "estimation": set(),
    "gateway": {"protos", "estimation"},
    "searcher": {"protos", "searcher.engine", "searcher.evaluators", "searcher.textbook"},
    "searcher.engine": set(),
    "searcher.evaluators": {"searcher", "searcher.engine"},
    "searcher.textbook": set(),
    "arena": {
        "protos",
        "searcher",
        "searcher.engine",
        "searcher.evaluators",
        "arena.statistics",
        "estimation",
    },
    "arena.statistics": {"estimation"},
}
"""Room by room, the other rooms that it may import."""

TRANSLATORS = {
    "gateway/searchers/translate.py": ("gateway.bodies", "protos"),
    "searcher/serving/translate.py": ("searcher.engine.position", "protos"),
}
"""The only file, among those of its room, that knows both of two vocabularies."""

FOLDERS = ("estimation", "gateway", "searcher", "arena", "benchmarks", "infra", "tests", "docs")
"""Those with code of ours."""

LONGEST_FILE = 300
LONGEST_FUNCTION = 60


def sources(folder: str) -> list[Path]:
    """The hand-written Python files below a folder of the project."""
    return [path for path in sorted((ROOT / folder).rglob("*.py")) if "_pb2" not in path.name]


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(), str(path))


def room_of(module: str) -> str | None:
    """The innermost room that a module stands in; None for what is not ours."""
    names = module.split(".")
    prefixes = (".".join(names[:length]) for length in range(len(names), 0, -1))
    return next((prefix for prefix in prefixes if prefix in ARROWS), None)


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, anywhere in it, and what it imports from it, dotted."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def knows(path: Path, module: str) -> bool:
    """Whether a file imports a module, or something of it."""
    return any(name == module or name.startswith(f"{module}.") for name in imports(path))


@pytest.mark.parametrize("room", ARROWS)
def test_a_room_imports_only_where_its_arrows_point(room: str) -> None:
    """No file imports a room of ours that its own room has no arrow to."""
    files = [path for path in sources(room.replace(".", "/")) if room_of(module_of(path)) == room]
    strays = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files
        for name in imports(path)
        if (target := room_of(name)) and target != room and target not in ARROWS[room]
    }
    assert files
    assert not strays


def module_of(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("translator", TRANSLATORS)
def test_one_file_knows_both_vocabularies(translator: str) -> None:
    """The wire's words and the room's own meet in the translator alone."""
    inner, outer = TRANSLATORS[translator]
    files = sources(translator.partition("/")[0])
    both = [str(path.relative_to(ROOT)) for path in files if knows(path, inner) and knows(path, outer)]
    assert both == [translator]


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
