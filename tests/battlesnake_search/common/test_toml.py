"""Decoding TOML into structs, with errors by field."""

import msgspec
import pytest

from battlesnake_search.common import toml
from battlesnake_search.common.toml import FieldError, TomlError


class Leaf(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A struct with its own check."""

    size: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        if self.size < 0:
            raise FieldError("size", "is negative")


class Branch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A struct with leaves."""

    name: str
    leaves: list[Leaf] = []
    best: Leaf = Leaf()
    sizes: dict[str, int] = {}
    marks: list[int] = []


class Tree(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A document."""

    branches: list[Branch] = []
    best: Leaf = Leaf()


@pytest.mark.parametrize(
    ("source", "field"),
    [
        pytest.param('[best]\nsize = "1"', "best.size", id="type"),
        pytest.param("[best]\nsize = -1", "best.size", id="own check"),
        pytest.param('[["unknown"]]', "unknown", id="unknown table"),
        pytest.param('[[branches]]\nname = "a"\n[[branches]]', "branches[1].name", id="missing key"),
        pytest.param(
            '[[branches]]\nname = "a"\n[[branches.leaves]]\n[[branches.leaves]]\nsize = 0.5',
            "branches[0].leaves[1].size",
            id="array in array",
        ),
        pytest.param('[[branches]]\nname = "a"\nbest = { size = -1 }', "branches[0].best.size", id="inline"),
        pytest.param('[[branches]]\nname = "a"\nsizes.x = "1"', "branches[0].sizes[...]", id="map"),
        pytest.param("branches = 1", "branches", id="no array"),
    ],
)
def test_an_error_names_its_field(source: str, field: str) -> None:
    """The path leads from the document to the invalid field."""
    with pytest.raises(TomlError) as caught:
        toml.decode(source.encode(), Tree)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ")


@pytest.mark.parametrize(
    ("source", "valid"),
    [
        ("[[branches]]\n[[branch.leaves]]", "branches, best"),
        ('[[branches]]\nname = "a"\nleaf = 1', "name, leaves, best, sizes, marks"),
        ('[[branches]]\nname = "a"\n[[branches.leaves]]\n[[branches.leaves]]\nweight = 1', "size, name"),
    ],
)
def test_an_unknown_field_is_answered_with_the_valid_ones(source: str, valid: str) -> None:
    """The error lists the fields of the table with the unknown field. A misspelt table comes before the field
    that is missing because of it.
    """
    with pytest.raises(TomlError, match=f"unknown field `.*`; valid: {valid}$"):
        toml.decode(source.encode(), Tree)


@pytest.mark.parametrize("source", [b"[best]\nsize = ", b"[best\n", b"best = yes", b"name = '\xff'"])
def test_a_text_that_is_not_toml_is_refused(source: bytes) -> None:
    """The error has no field."""
    with pytest.raises(TomlError, match=r"^not ") as caught:
        toml.decode(source, Tree)
    assert caught.value.field == ""
