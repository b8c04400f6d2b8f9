"""The page for writers of clients: its table of fields is the translation that the gateway makes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict

from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode
from battlesnake_search.searchable import Searchable
from battlesnake_search.translate import search_request

ROOT = Path(__file__).parents[2]
FIELDS = re.findall(r"^\| `(\S+)` \| `(\S+)` \|", (ROOT / "docs" / "clients.md").read_text(), re.MULTILINE)
BODIES = sorted((ROOT / "tests" / "fixtures" / "requests").glob("*-move-*.json"))


def values_at(value: Any, path: str, place: tuple[int, ...] = ()) -> dict[tuple[int, ...], Any]:
    """Return the values at a path of a body, by the indices of the lists on the way to each."""
    if not path:
        return {place: value}
    name, _, below = path.partition(".")
    inside = value.get(name.removesuffix("[]")) if isinstance(value, dict) else None
    if inside is None:
        return {}
    if not name.endswith("[]"):
        return values_at(inside, below, place)
    return {
        at: found
        for index, each in enumerate(inside)
        for at, found in values_at(each, below, (*place, index)).items()
    }


def put(target: dict[str, Any], path: str, place: tuple[int, ...], value: Any) -> None:
    """Set the value at a path of a message's JSON, with one index for each [] on the way."""
    *folders, field = path.split(".")
    for folder in folders:
        if folder.endswith("[]"):
            elements = target.setdefault(folder.removesuffix("[]"), [])
            index, *rest = place
            elements.extend({} for _ in range(index + 1 - len(elements)))
            target, place = elements[index], tuple(rest)
        else:
            target = target.setdefault(folder, {})
    target[field] = value


@pytest.mark.parametrize("file", BODIES, ids=lambda file: file.stem)
def test_a_body_translated_by_the_table_is_what_the_gateway_sends(file: Path) -> None:
    """Each recorded body gives the same position in both ways, but for what the gateway adds of its own."""
    body = json.loads(file.read_text())
    message: dict[str, Any] = {}
    for source, target in FIELDS:
        for place, value in values_at(body, source).items():
            put(message, target, place, value)
    expected = search_request(Searchable(decode(file.read_bytes())), Plan()).position
    assert ParseDict(message, search_pb2.Position()) == expected


def test_the_table_has_every_field_of_a_position() -> None:
    """A field that the contract adds must be explained here, too."""
    assert {target for _, target in FIELDS} == set(fields_of(search_pb2.Position.DESCRIPTOR))


def fields_of(descriptor: Any, prefix: str = "") -> list[str]:
    """Return the paths of all plain fields of a message, with [] behind each list on the way."""
    paths: list[str] = []
    for field in descriptor.fields:
        path = f"{prefix}{field.name}{'[]' if field.is_repeated else ''}"
        paths += fields_of(field.message_type, f"{path}.") if field.message_type else [path]
    return paths
