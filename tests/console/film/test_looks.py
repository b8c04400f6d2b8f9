"""The names, colours and shapes of snakes in a film, beside those of the viewer."""

import re

import pytest

from battlesnake_search import viewer
from battlesnake_search.viewer.colours import PALETTE
from console.film.canvas import flattened
from console.film.looks import _shapes, looks_of
from console.store.values import GameSnake

SHAPES = [
    pytest.param(shape, id=f"{kind}-{name}")
    for kind, each in _shapes().items()
    for name, shape in each.items()
]


def test_the_palette_is_the_viewers() -> None:
    """Snakes without a colour have the same colours on the page and in films."""
    found = re.search(r"PALETTE = \[(.*)\];", (viewer.FOLDER / "looks.js").read_text())
    assert found and tuple(re.findall("#[0-9a-f]{6}", found[1])) == PALETTE


def test_looks_are_the_snakes_own() -> None:
    """Official looks are kept; unknown names and members of other objects look like the default."""
    fang = GameSnake("1", "a", "#FF8800", "fang", "bolt")
    former = GameSnake("2", "b", "#00ff00", "bwc-scarf", "shac-mouse")
    odd = GameSnake("3", "c", "red", "constructor", "__proto__")
    shapes = _shapes()
    one, two, three = looks_of([fang, former, odd])
    assert (one.colour, one.head, one.tail) == ("#ff8800", shapes["heads"]["fang"], shapes["tails"]["bolt"])
    assert (two.head, two.tail) == (shapes["heads"]["scarf"], shapes["tails"]["mouse"])
    assert (three.head, three.tail) == (shapes["heads"]["default"], shapes["tails"]["default"])
    assert three.colour in PALETTE


def test_snakes_differ() -> None:
    """Namesakes are numbered, and of like colours only the first is kept."""
    looks = looks_of([GameSnake(str(each), "a", "#888888") for each in range(8)])
    assert [each.name for each in looks] == [f"a #{number}" for number in range(1, 9)]
    assert looks[0].colour == "#888888" and len({each.colour for each in looks}) == 8


def test_a_name_is_cut_and_can_be_read() -> None:
    """Invisible marks are left out, and a name without letters gets one."""
    names = ["x" * 300, "\u202e\u200b", "a\x07b"]
    assert [each.name for each in looks_of([GameSnake(name, name) for name in names])] == [
        f"{'x' * 39}…",
        "unnamed snake",
        "ab",
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_can_be_drawn(shape: dict[str, object]) -> None:
    """The paths have only commands that pixels know, and stay near their cell."""
    text = str(shape)
    for d in re.findall(r"'(M[^']*)'", text):
        assert re.fullmatch(r"[MLHVQZ\d., -]+", d)
        for points, _ in flattened(d):
            assert all(-0.6 <= x <= 1 and -0.6 <= y <= 0.6 for x, y in points)
