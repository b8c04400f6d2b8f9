"""Decoding of TOML into typed structs, with errors that name the line and the field."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

_Kind = TypeVar("_Kind")

_PLACE = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)
_NAMED = re.compile(r"(?:missing required|unknown) field `(.*)`$", re.DOTALL)
_UNKNOWN = "Object contains unknown field"
_STEP = re.compile(r"\[\d+\]|[^.\[\]]+")
_INDEX = re.compile(r"\[\d+\]$")
_SYNTAX = re.compile(r" \(at line (\d+), column \d+\)$")


class TomlError(ValueError):
    """An invalid document. `line` counts from 1; `field` is a path, empty for the whole document."""

    def __init__(self, reason: str, line: int, field: str) -> None:
        super().__init__(f"line {line}: {field}: {reason}" if field else f"line {line}: {reason}")
        self.line = line
        self.field = field


class FieldError(ValueError):
    """The error of a struct's own check. `field` is the path of the invalid field, relative to the struct."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


def decode(source: bytes, kind: type[_Kind], finish: Callable[[_Kind], _Kind] | None = None) -> _Kind:
    """Decode a document as a struct. Raises TomlError if it is invalid.

    The error has a field like snakes[0].arms[1].weight. Two more checks may raise FieldError: a
    struct's __post_init__, and `finish`. `finish` receives the whole document and returns the result.
    """
    try:
        decoded = msgspec.toml.decode(source, type=kind)
        return finish(decoded) if finish else decoded
    except FieldError as error:
        raise TomlError(str(error), _line_of(error.field, source.decode()), error.field) from error
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        raise TomlError("not UTF-8", line, "") from error
    except msgspec.ValidationError as error:
        field = _field(error)
        raise TomlError(_reason(error, kind), _line_of(field, source.decode()), field) from error
    except msgspec.DecodeError as error:
        place = _SYNTAX.search(str(error))
        last = source.rstrip().count(b"\n") + 1
        raise TomlError(f"not TOML: {error}", int(place[1]) if place else last, "") from error


def _reason(error: msgspec.ValidationError, kind: type) -> str:
    """Return the error without its place. For an unknown field, add the valid ones."""
    reason, place = _PLACE.sub("", str(error)), _PLACE.search(str(error))
    if not reason.startswith(_UNKNOWN):
        return reason
    found = inspect.type_info(kind)
    for step in _STEP.findall(place[1] if place else ""):
        found = _type_below(found, step)
    return f"{reason}; valid: {', '.join(field.name for field in _struct(found).fields)}"


def _type_below(found: inspect.Type, step: str) -> inspect.Type:
    """Return the type of an element, for a step like [0], or of a field."""
    if step.startswith("["):
        options = found.types if isinstance(found, inspect.UnionType) else (found,)
        return next(option.item_type for option in options if isinstance(option, inspect.ListType))
    return next(field.type for field in _struct(found).fields if field.name == step)


def _struct(found: inspect.Type) -> inspect.StructType:
    options = found.types if isinstance(found, inspect.UnionType) else (found,)
    return next(option for option in options if isinstance(option, inspect.StructType))


def _field(error: msgspec.ValidationError) -> str:
    """Return the path of the invalid field in the document."""
    place, named = _PLACE.search(str(error)), _NAMED.search(_PLACE.sub("", str(error)))
    steps = [place[1] if place else "", named[1] if named else ""]
    if isinstance(error.__cause__, FieldError):
        steps.append(error.__cause__.field)
    return ".".join(filter(None, steps))


def _line_of(field: str, source: str) -> int:
    """Return the line of the field, or else of the innermost table or key around it."""
    lines = _lines(source)
    around = [path for path in lines if not path or f"{field}.".startswith((f"{path}.", f"{path}["))]
    return lines[max(around, key=len)]


def _lines(source: str) -> dict[str, int]:
    """Return the line of each table and key of a valid document, by its path."""
    lines = {"": 1}
    sizes: Counter[str] = Counter()
    table = ""
    for line, text, statement in _statements(source):
        if text.startswith("["):
            table = _table(statement, sizes)
            lines[table] = line
            # An array of tables starts at its first table.
            lines.setdefault(_INDEX.sub("", table), line)
        else:
            for path in _paths(statement, table):
                lines[path] = line
    return lines


def _statements(source: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield each header and key of a valid document: its first line, its text and its parsed content."""
    first, text = 1, ""
    for number, line in enumerate(source.split("\n"), 1):
        text += line + "\n"
        try:
            # Only a whole statement parses, so no rule of TOML needs to be repeated here.
            statement = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        if statement:
            yield first, text.lstrip(), statement
        first, text = number + 1, ""


def _table(header: dict[str, Any], sizes: Counter[str]) -> str:
    """Return the path of the table that a header opens; `sizes` counts the tables of each array so far."""
    path, below = "", header
    while below:
        [(key, value)] = below.items()
        path = f"{path}.{key}".lstrip(".")
        is_array = isinstance(value, list)
        sizes[path] += is_array
        if sizes[path]:
            path = f"{path}[{sizes[path] - 1}]"
        below = value[0] if is_array else value
    return path


def _paths(values: dict[str, Any], table: str) -> Iterator[str]:
    """Yield the paths of all keys, including the keys of inline tables."""
    for key, value in values.items():
        path = f"{table}.{key}".lstrip(".")
        yield path
        if isinstance(value, dict):
            yield from _paths(value, path)
