"""The appearance of a snake."""

import re

import msgspec

from gateway.routes.fields import check_form

_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")


class Looks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The appearance of a snake, as the Battlesnake API defines it."""

    name: str = ""
    color: str = "#2f6f4e"
    head: str = "smart-caterpillar"
    tail: str = "weight"
    author: str = "battlesnake-search"

    def __post_init__(self) -> None:
        check_form("color", self.color, _COLOR, "a colour like #2f6f4e")
