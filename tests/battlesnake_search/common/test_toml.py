"""Decoding TOML into structs, with errors by line and field."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ("source", "line", "field"),
    [
        pytest.param('[best]\nsize = "1"', 2, "best.size", id="type"),
        pytest.param("\n# a comment\n[best]\n\nsize = -1", 5, "best.size", id="own check"),
        pytest.param("best.size = 1\nbest.name = 2", 2, "best.name", id="dotted key"),
        pytest.param('[best]\r\n\r\nsize = "1"\r\n', 3, "best.size", id="lines of Windows"),
        pytest.param("x = 1", 1, "x", id="unknown key"),
        pytest.param("\n[unknown]\n", 2, "unknown", id="unknown table"),
        pytest.param('\n[["unknown"]]\n', 2, "unknown", id="quoted unknown table"),
        pytest.param("\n[[branches]]\n", 2, "branches[0].name", id="missing key"),
        pytest.param('[[branches]]\nname = "a"\n[[branches]]', 3, "branches[1].name", id="second table"),
        pytest.param(
            '[[branches]]\nname = "a"\n[[branches.leaves]]\n[[branches.leaves]]\nsize = 0.5',
            5,
            "branches[0].leaves[1].size",
            id="array in array",
        ),
        pytest.param(
            '[[branches]]\nname = "a"\n[[branches.leaves]]\n[[branches]]\nname = "b"\n'
            "[[branches.leaves]]\nsize = -7",
            7,
            "branches[1].leaves[0].size",
            id="arrays start anew",
        ),
        pytest.param(
            '[[branches]]\nname = "a"\n[branches.best]\nsiz = 1', 4, "branches[0].best.siz", id="below"
        ),
        pytest.param(
            '[[branches]]\nname = "a"\nbest = { size = -1 }', 3, "branches[0].best.size", id="inline"
        ),
        pytest.param(
            '[[branches]]\nname = """\n[best]\nsize = 1\n"""\nmarks = [\n  1, # ]\n  "2",\n]',
            6,
            "branches[0].marks[1]",
            id="over several lines",
        ),
        pytest.param(
            '[[branches]]\nname = "a"\n[branches.sizes]\nx = "1"', 3, "branches[0].sizes[...]", id="map"
        ),
        pytest.param('branches = [\n  { name = "a" },\n  { },\n]', 1, "branches[1].name", id="inline array"),
        pytest.param("branches = 1", 1, "branches", id="no array"),
        pytest.param("[best]\r\nsize = 1\r\nsize = 2\r\n[x]", 3, "", id="duplicate key"),
        pytest.param("[best]\nsize = ", 2, "", id="no value"),
        pytest.param("\n[best\n", 2, "", id="no header"),
        pytest.param('[best]\nname = "a', 2, "", id="unterminated string"),
    ],
)
def test_an_error_names_its_line_and_field(source: str, line: int, field: str) -> None:
    """An error names the field, and the line of the invalid value or of the innermost table around it."""
    with pytest.raises(TomlError) as caught:
        toml.decode(source.encode(), Tree)
    assert (caught.value.line, caught.value.field) == (line, field)
    assert str(caught.value).startswith(f"line {line}: {field}{': ' if field else ''}")


@pytest.mark.parametrize(
    ("source", "valid"),
    [
        ("tree = 1", "branches, best"),
        ("[[branches]]\n[[branch.leaves]]", "branches, best"),
        ('[[branches]]\nname = "a"\nleaf = 1', "name, leaves, best, sizes, marks"),
        ('[[branches]]\nname = "a"\n[[branches.leaves]]\n[[branches.leaves]]\nweight = 1', "size, name"),
        ("[best]\nheight = 1", "size, name"),
    ],
)
def test_an_unknown_field_is_answered_with_the_valid_ones(source: str, valid: str) -> None:
    """The error lists the fields of the table with the unknown field. A misspelt table comes before the field
    that is missing because of it.
    """
    with pytest.raises(TomlError, match=f"unknown field `.*`; valid: {valid}$"):
        toml.decode(source.encode(), Tree)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("best = yes", "line 1: not TOML: a text needs quotes, and true and false are in lower case"),
        ("[branches]\n[branches]", "line 2: not TOML: the table stands twice; a table of a list has double"),
        ("[best]\nsize = 1\nsize = 2", "line 3: not TOML: the key stands twice"),
        ("[best\n", "line 1: not TOML: Expected ']' at the end of a table declaration"),
        ("best = 1\nname", "line 2: not TOML: this is no line KEY = VALUE"),
        ('best = { size = "1" }', "line 1: best.size: expected a whole number, got a text in quotes"),
    ],
)
def test_errors_of_the_parser_are_in_words(source: str, words: str) -> None:
    """The place is told once, and types have no names of a library."""
    with pytest.raises(TomlError) as caught:
        toml.decode(source.encode(), Tree)
    assert str(caught.value).startswith(words)


def test_bytes_that_are_not_utf8_are_refused() -> None:
    """A document that isn't UTF-8 has its error at a line."""
    with pytest.raises(TomlError) as caught:
        toml.decode(b"[best]\nname = '\xff'", Tree)
    assert (caught.value.line, caught.value.field) == (2, "")


def test_a_valid_document_is_decoded() -> None:
    """Tables, arrays of tables and inline tables are decoded into their fields."""
    tree = toml.decode(b'best = { size = 2 }\n[[branches]]\nname = "a"\nsizes.x = 1', Tree)
    assert tree == Tree([Branch("a", sizes={"x": 1})], Leaf(2))


@st.composite
def _tree_with_one_invalid_leaf(draw: st.DrawFn) -> tuple[str, int, str]:
    """Draw a document in which one size is not a number, with its line and its field."""
    leaves = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(any))
    wrong = draw(st.sampled_from([(b, i) for b, count in enumerate(leaves) for i in range(count)]))
    filler = st.sampled_from(["", "# [[branches]]", "  "])
    lines: list[str] = []
    place = 0
    for branch, count in enumerate(leaves):
        lines += [draw(filler), "[[branches]]", draw(st.sampled_from(['name = "a"', 'name = """\n[a]\n"""']))]
        for leaf in range(count):
            lines += ["[[ branches . leaves ]]", draw(filler)]
            is_wrong = (branch, leaf) == wrong
            lines.append("size = true" if is_wrong else "size = 1")
            place = "\n".join(lines).count("\n") + 1 if is_wrong else place
    return "\n".join(lines), place, f"branches[{wrong[0]}].leaves[{wrong[1]}].size"


@given(_tree_with_one_invalid_leaf())
def test_the_line_of_an_error_is_right_in_any_document(case: tuple[str, int, str]) -> None:
    """The one invalid line is found among any number of tables."""
    source, line, field = case
    with pytest.raises(TomlError) as caught:
        toml.decode(source.encode(), Tree)
    assert (caught.value.line, caught.value.field) == (line, field)
