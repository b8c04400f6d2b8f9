"""Names for types that many modules use, and that Python has no words for."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

Json: TypeAlias = dict[str, Any]
"""An object of decoded JSON or TOML. A value may be of any type of the format."""

OptionValue: TypeAlias = Any
"""The value of a command's option, of the type that click makes of it."""

Options: TypeAlias = Mapping[str, OptionValue]
"""The values of a command's options, by the names of its parameters."""

CommandT = TypeVar("CommandT", bound=Callable[..., object])
"""A command or its function. A decorator returns what it gets."""
