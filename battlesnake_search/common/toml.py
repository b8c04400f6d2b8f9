"""Decoding of TOML into typed structs, with errors that name the field."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import inspect

_Kind = TypeVar("_Kind")

_PLACE = re.compile(r" - at `\$\.?(.*)`$", re.DOTALL)
_NAMED = re.compile(r"(?:missing required|unknown) field `(.*)`$", re.DOTALL)
_UNKNOWN = "Object contains unknown field"
_STEP = re.compile(r"\[\d+\]|[^.\[\]]+")


class TomlError(ValueError):
    """An invalid document. `field` is a path, empty for the whole document."""

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(f"{field}: {reason}" if field else reason)
        self.field = field


class FieldError(ValueError):
    """The error of a struct's own check. `field` is the path of the invalid field, relative to the struct."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


def read(file: Path, kind: type[_Kind], finish: Callable[[_Kind], object] = lambda _document: None) -> _Kind:
    """Decode a file as `decode` does. Raises TomlError also if the file can't be read."""
    try:
        source = file.read_bytes()
    except OSError as error:
        raise TomlError(f"can't be read: {error.strerror}") from error
    return decode(source, kind, finish)


def decode(
    source: bytes, kind: type[_Kind], finish: Callable[[_Kind], object] = lambda _document: None
) -> _Kind:
    """Decode a document as a struct. Raises TomlError if it is invalid.

    The error names its field like snakes[0].arms[1].weight. Two more checks may raise FieldError, which
    becomes a TomlError: a struct's __post_init__, and `finish`, which receives the whole document.
    """
    try:
        decoded = msgspec.toml.decode(source, type=kind)
        finish(decoded)
        return decoded
    except FieldError as error:
        raise TomlError(str(error), error.field) from error
    except UnicodeDecodeError as error:
        raise TomlError("not UTF-8") from error
    except msgspec.ValidationError as error:
        field, reason = _field(error), _reason(error, kind)
        names = _names(inspect.type_info(kind))
        # A misspelt table is the cause of other errors, such as a missing field.
        if unknown := next((key for key in tomllib.loads(source.decode()) if key not in names), None):
            field, reason = unknown, f"unknown field `{unknown}`; valid: {', '.join(names)}"
        raise TomlError(reason, field) from error
    except msgspec.DecodeError as error:
        raise TomlError(f"not TOML: {error}") from error


def _reason(error: msgspec.ValidationError, kind: type) -> str:
    """Return the error without its place. For an unknown field, add the valid ones."""
    reason, place = _PLACE.sub("", str(error)), _PLACE.search(str(error))
    if not reason.startswith(_UNKNOWN):
        return reason.removeprefix("Object ").replace("Expected", "expected").replace(" | null", "")
    found = inspect.type_info(kind)
    for step in _STEP.findall(place[1] if place else ""):
        found = _type_below(found, step)
    return f"{reason.removeprefix('Object contains ')}; valid: {', '.join(_names(found))}"


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
