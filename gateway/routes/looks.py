"""The appearance of a snake, the token in its address, and checks of such fields."""

import re
from collections.abc import Iterable

import msgspec

from battlesnake_search.board import LONGEST_NAME
from battlesnake_search.common.toml import FieldError


def check_form(field: str, text: str, form: re.Pattern[str], expected: str) -> None:
    """Raise FieldError unless the whole text has the form; `expected` describes the form."""
    if not form.fullmatch(text):
        raise FieldError(field, f"{text!r} is not {expected}")


def check_text(field: str, text: str) -> None:
    """Raise FieldError for a text that no record of a game can have."""
    if len(text) > LONGEST_NAME:
        raise FieldError(field, f"has {len(text)} characters; at most {LONGEST_NAME} are valid")
    if "\0" in text:
        raise FieldError(field, "has a null character")


def check_unique(names: Iterable[tuple[str, str]]) -> None:
    """Raise FieldError if a name occurs twice; `names` are pairs of a field and the name in it."""
    seen: dict[str, str] = {}
    for field, name in names:
        if name in seen:
            raise FieldError(field, f"{name!r} is taken by {seen[name]}")
        seen[name] = field


_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,128}")


class Looks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The appearance of a snake, as the Battlesnake API defines it, and the token in its address.

    The `token` is empty if there is none.
    """

    name: str = ""
    color: str = "#2f6f4e"
    head: str = "smart-caterpillar"
    tail: str = "weight"
    author: str = "battlesnake-search"
    token: str = ""

    def __post_init__(self) -> None:
        check_form("color", self.color, _COLOR, "a colour like #2f6f4e")
        if self.token and not _TOKEN.fullmatch(self.token):
            # Errors are logged, so this error leaves out the token.
            raise FieldError("token", "must be 16 to 128 of A-Z, a-z, 0-9, - and _")
