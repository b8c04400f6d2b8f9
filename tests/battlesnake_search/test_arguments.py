"""The checks of a client's arguments, without a searcher."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from battlesnake_search import BadBody, SearchClient, SyncSearchClient
from battlesnake_search.arguments import plan_of, time_of
from tests.battlesnake_search.samples import BODY

TARGET = "127.0.0.1:1"
"""No test here makes a call."""

WHOLE = "expected a whole number of 1 or more, got"
SECONDS = "time: expected seconds above 0, at most 60, for example 0.3 for 300 milliseconds; got"

SHARED: list[tuple[dict[str, Any], str]] = [
    ({"time": "0.3"}, f"{SECONDS} '0.3'"),
    ({"time": 300}, f"{SECONDS} 300"),
    ({"time": float("nan")}, f"{SECONDS} nan"),
    ({"depth": 0}, f"depth: {WHOLE} 0"),
    ({"depth": 2**32}, "depth: expected at most 4294967295, got 4294967296"),
    ({"seed": -1}, "seed: expected a whole number of 0 or more, got -1"),
    ({"strategy": None}, "strategy: expected a text, got NoneType"),
    ({"strategy": "deep"}, "strategy 'deep' is neither auto nor of the form"),
    ({"moves": ["north"]}, "moves: expected some of up, down, left, right, got 'north'"),
    ({"weights": {"hunger": "0.1"}}, "weights: expected a number for 'hunger', got '0.1'"),
]
"""Arguments of searches and of analyses, each with its error."""

OF_SEARCHES: list[tuple[dict[str, Any], str]] = [
    ({"threads": 0}, f"threads: {WHOLE} 0"),
    ({"exact": "yes"}, "exact: expected True or False, got 'yes'"),
]

OF_GAMES: list[tuple[dict[str, Any], str]] = [
    ({"bodies": BODY}, "bodies: expected a list of bodies, got one body"),
    ({"priority": "high"}, "priority: expected a whole number, got 'high'"),
    ({"ownership": "yes"}, "ownership: expected True or False, got 'yes'"),
]


@pytest.mark.parametrize(("given", "error"), [*SHARED, *OF_SEARCHES])
async def test_an_invalid_argument_of_a_search(given: dict[str, Any], error: str) -> None:
    """The error names the argument and its valid values, also for a stream."""
    async with SearchClient(TARGET) as client:
        with pytest.raises(ValueError) as raised:
            await client.search(BODY, **given)
        with pytest.raises(ValueError) as streamed:
            await anext(client.stream(BODY, **given))
    assert str(raised.value).startswith(error)
    assert str(streamed.value) == str(raised.value)


@pytest.mark.parametrize(("given", "error"), [*SHARED, *OF_GAMES])
async def test_an_invalid_argument_of_an_analysis(given: dict[str, Any], error: str) -> None:
    """The error names the argument and its valid values."""
    async with SearchClient(TARGET) as client:
        with pytest.raises(ValueError) as raised:
            await anext(client.analyze_game(**{"bodies": [BODY], **given}))
    assert str(raised.value).startswith(error)


BAD_BODIES: list[tuple[Any, str, str]] = [
    (b"{", "", "not JSON"),
    ({**BODY, "board": {}}, "board.width", "expected a number of cells"),
    ({}, "board", "missing required field"),
    ({**BODY, "you": {**BODY["you"], "id": "gone"}}, "you.id", "no snake of board.snakes has the id 'gone'"),
    ({**BODY, "you": {}}, "you", "expected a snake with an id or a body"),
    ({**BODY, "game": object()}, "", "not JSON"),
    ([], "", "expected a mapping, text or bytes, got list"),
]
"""Bodies without a move to search, each with the invalid field and the reason."""


@pytest.mark.parametrize(("body", "field", "reason"), BAD_BODIES)
async def test_an_invalid_body(body: Any, field: str, reason: str) -> None:
    """The error names the field and, in a game, the place of the body."""
    async with SearchClient(TARGET) as client:
        with pytest.raises(BadBody) as raised:
            await client.search(body)
        with pytest.raises(BadBody) as of_game:
            await anext(client.analyze_game([BODY, body]))
    assert raised.value.field == field
    assert raised.value.reason.startswith(reason)
    assert of_game.value.field == (f"bodies[1].{field}" if field else "bodies[1]")
    assert of_game.value.reason == raised.value.reason


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"token": "two words"}, "token: expected printable ASCII without spaces"),
        ({"token": b"secret"}, "token: expected a text, got bytes"),
        (
            {"key": "-----BEGIN PRIVATE KEY-----\nsecret"},
            "key: expected the path of a PEM file, not its content; got str",
        ),
    ],
)
def test_an_invalid_credential(given: dict[str, Any], error: str) -> None:
    """The error names the argument, and has no secret."""
    with pytest.raises(ValueError) as raised:
        SyncSearchClient("grpcs://localhost:1", **given)
    assert str(raised.value) == error


def test_a_missing_file(tmp_path: Path) -> None:
    """The error names the argument and the file."""
    for path in (tmp_path / "none.pem", str(tmp_path / "none.pem")):
        with pytest.raises(FileNotFoundError, match=r"key: No such file or directory: .*none\.pem"):
            SearchClient("grpcs://localhost:1", key=path)


def test_numbers_may_be_of_other_types() -> None:
    """Numbers of NumPy are numbers, too."""
    plan = plan_of("", {"depth": np.int64(4), "weights": {"hunger": np.float32(0.5)}})
    assert (plan.limits.depth, plan.evaluator_weights) == (4, {"hunger": 0.5})
    assert time_of(np.float64(0.25)) == 0.25
