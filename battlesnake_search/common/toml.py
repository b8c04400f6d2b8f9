"""Decoding of TOML into typed structs, with errors that name the line and the field."""

import re
import tomllib
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

_Kind = TypeVar("_Kind")

_PLACE = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)
_NAMED = re.compile(r"(?:missing required|unknown) field `(.*)`$", re.DOTALL)
_UNKNOWN = "Object contains unknown field"
_STEP = re.compile(r"\[\d+\]|[^.\[\]]+")
_SYNTAX = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_TYPE = re.compile(r"`([a-z |]+)`")
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text in quotes",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}
"""Types of msgspec's errors, and the words for them."""

_HINTS = (
    ("Invalid value", "a text needs quotes, and true and false are in lower case"),
    ("Cannot declare", "the table stands twice; a table of a list has double brackets, as [[snakes]] has"),
    ("Cannot overwrite", "the key stands twice"),
    ("Expected '=' after a key", "this is no line KEY = VALUE"),
)
"""Parts of the parser's errors, and the causes in words."""


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

    The error names its field like snakes[0].arms[1].weight. Two more checks may raise FieldError: a struct's
    __post_init__, and `finish`. `finish` receives the whole document and returns the result.
    """
    try:
        decoded = msgspec.toml.decode(source, type=kind)
        return finish(decoded) if finish else decoded
    except FieldError as error:
        raise TomlError(str(error), line_of(error.field, source.decode()), error.field) from error
    except UnicodeDecodeError as error:
        line = source[: error.start].count(b"\n") + 1
        raise TomlError("not UTF-8", line, "") from error
    except msgspec.ValidationError as error:
        field, reason = _field(error), _reason(error, kind)
        names = _names(inspect.type_info(kind))
        # A misspelt table is the cause of other errors, such as a missing field.
        if unknown := next((key for key in tomllib.loads(source.decode()) if key not in names), None):
            field, reason = unknown, f"unknown field `{unknown}`; valid: {', '.join(names)}"
        raise TomlError(reason, line_of(field, source.decode()), field) from error
    except msgspec.DecodeError as error:
        place = _SYNTAX.search(str(error))
        last = source.rstrip().count(b"\n") + 1
        raise TomlError(syntax_error(error), int(place[1]) if place and place[1] else last, "") from error


def syntax_error(error: Exception) -> str:
    """Return an error of the parser in words, without its place if the words tell the cause."""
    hint = next((words for part, words in _HINTS if part in str(error)), "")
    return f"not TOML: {hint or _SYNTAX.sub('', str(error))}"


def _reason(error: msgspec.ValidationError, kind: type) -> str:
    """Return the error without its place. For an unknown field, add the valid ones."""
    reason, place = _PLACE.sub("", str(error)), _PLACE.search(str(error))
    if not reason.startswith(_UNKNOWN):
        reason = _TYPE.sub(lambda found: _in_words(found[1]), reason) if "xpected" in reason else reason
        return reason.removeprefix("Object ").replace("Expected", "expected")
    found = inspect.type_info(kind)
    for step in _STEP.findall(place[1] if place else ""):
        found = _type_below(found, step)
    return f"{reason.removeprefix('Object contains ')}; valid: {', '.join(_names(found))}"


def _in_words(types: str) -> str:
    """Return the words for types like `float | null`."""
    return " or ".join(_WORDS.get(each, each) for each in types.split(" | ") if each != "null")


def _names(found: inspect.Type) -> list[str]:
    """Return the names of the fields of a struct."""
    return [field.name for field in _struct(found).fields]


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


def line_of(field: str, source: str) -> int:
    """Return the line of a field in a valid document, or else of the innermost table or key around it."""
    lines = source.replace("\r\n", "\n").split("\n")
    ends = [0, *_ends(lines)]

    def found(end: int) -> int:
        """Return the length of the longest path around the field, in the lines up to this one."""
        paths = _paths(tomllib.loads("\n".join(lines[:end])), "")
        return max(len(path) for path in paths if _is_around(path, field))

    # Each statement adds paths and removes none.
    return ends[max(bisect_left(ends, found(ends[-1]), key=found) - 1, 0)] + 1


def _is_around(path: str, field: str) -> bool:
    return not path or f"{field}.".startswith((f"{path}.", f"{path}["))


def _ends(lines: list[str]) -> Iterator[int]:
    """Yield the last line of each statement of a valid document. Empty lines and comments are statements."""
    first = 0
    for last in range(1, len(lines) + 1):
        # Only a whole statement parses, so no rule of TOML needs to be repeated here.
        with suppress(tomllib.TOMLDecodeError):
            tomllib.loads("\n".join(lines[first:last]))
            first = last
            yield last


def _paths(value: Any, path: str) -> Iterator[str]:
    """Yield the paths of a value and of all values in it."""
    yield path
    if isinstance(value, dict):
        for key, below in value.items():
            yield from _paths(below, f"{path}.{key}".lstrip("."))
    if isinstance(value, list):
        for index, below in enumerate(value):
            yield from _paths(below, f"{path}[{index}]")
