"""Checks of fields, which raise FieldError."""

import re
from collections.abc import Iterable

from battlesnake_search.common.toml import FieldError


def check_form(field: str, text: str, form: re.Pattern[str], expected: str) -> None:
    """Raise FieldError unless the whole text has the form, which is described as `expected`."""
    if not form.fullmatch(text):
        raise FieldError(field, f"{text!r} is not {expected}")


def check_unique(names: Iterable[tuple[str, str]]) -> None:
    """Raise FieldError if a name occurs twice; `names` are pairs of a field and its name."""
    seen: dict[str, str] = {}
    for field, name in names:
        if name in seen:
            raise FieldError(field, f"{name!r} is taken by {seen[name]}")
        seen[name] = field
