"""The reader of bodies: whatever a field has that a move does not need, the move is searched."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from battlesnake_search.board import LARGEST_MENDED, Point, Turn
from battlesnake_search.contract.rulesets import RULESETS
from battlesnake_search.reader import KINDS, BadBody, known_ruleset, read
from battlesnake_search.searchable import position_of
from tests.battlesnake_search.test_searchable import violations

BODY: dict[str, Any] = json.loads(Path("tests/fixtures/requests/royale-move-mid-16.json").read_bytes())

NEEDED = (
    ("board",),
    ("board", "width"),
    ("board", "height"),
    ("board", "snakes"),
    ("you",),
)
"""The fields that a move needs. Other tests cover bodies and ids of snakes."""

Path_ = tuple[str | int, ...]


def _paths(value: object, here: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of every field below a value."""
    if here:
        yield here
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _paths(each, (*here, name))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _paths(each, (*here, number))


def _is_unneeded(path: Path_) -> bool:
    return (
        path not in NEEDED and "body" not in path and not (len(path) == 3 and path[:2] == ("board", "snakes"))
    )


UNNEEDED = [path for path in _paths(BODY) if _is_unneeded(path)]

UNREADABLE: tuple[object, ...] = (None, "", "0", "timeout", "-5", "nan", "1e99", [], True)

MISSING = object()


def changed(path: Path_, value: object) -> dict[str, Any]:
    """Return the body with another value at a path, or without it."""
    body: Any = deepcopy(BODY)
    place = body
    for step in path[:-1]:
        place = place[step]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return body  # type: ignore[no-any-return]


def own_cells(turn: Turn) -> list[tuple[int, int]]:
    """Return the cells of our snake."""
    return [(part.x, part.y) for part in turn.you.body]


MINE = [(part["x"], part["y"]) for part in BODY["you"]["body"]]


@pytest.mark.parametrize("value", [None, MISSING, 2**70, "x"], ids=["null", "missing", "large", "text"])
def test_no_unneeded_field_costs_the_move(value: object) -> None:
    """With any value, or without a value, the body is read, and its position is within the contract."""
    for path in UNNEEDED:
        reading = read(json.dumps(changed(path, value)).encode())
        assert reading.mended <= set(KINDS)
        if path[-1] != "id" or value in (None, MISSING):
            assert own_cells(reading.turn) == MINE, path
        if path[-1] != "id":
            assert violations(position_of(reading.turn)) == [], path


@pytest.mark.parametrize("path", NEEDED[:3], ids=".".join)
def test_without_a_board_there_is_no_move(path: Path_) -> None:
    """The error names the field."""
    for value in (None, MISSING, [], "x"):
        with pytest.raises(BadBody) as refused:
            read(json.dumps(changed(path, value)).encode())
        assert refused.value.field == ".".join(map(str, path))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"7", b"\xff\xfe", b'"x"', b"[" * 100_000])
def test_a_body_that_is_no_object_is_refused(body: bytes) -> None:
    """There is no field to name."""
    with pytest.raises(BadBody) as refused:
        read(body)
    assert refused.value.field == ""


def test_you_is_found_by_its_id_or_its_body() -> None:
    """One of them is enough. Without both, or with neither on the board, our snake is missing."""
    assert own_cells(read(json.dumps(changed(("you", "body"), MISSING)).encode()).turn) == MINE
    assert read(json.dumps(changed(("you", "id"), MISSING)).encode()).turn.you.id == BODY["you"]["id"]
    for value in (None, MISSING, {}, []):
        with pytest.raises(BadBody, match="id or a body") as refused:
            read(json.dumps(changed(("you",), value)).encode())
        assert refused.value.field == "you"


@pytest.mark.parametrize(
    ("path", "value", "kind"),
    [
        (("game", "timeout"), 500.0, "number"),
        (("game", "timeout"), None, "null"),
        (("game", "timeout"), True, "type"),
        (("game", "timeout"), -5, "range"),
        (("board", "snakes", 0, "health"), 250, "range"),
        (("game", "ruleset", "name"), "Royale", "ruleset"),
        (("game", "ruleset"), [], "type"),
        (("game", "id"), "g" * 5000, "text"),
        (("board", "snakes", 0, "name"), "n" * 5000, "text"),
        (("board", "snakes", 0, "name"), "a\0b", "text"),
        (("board", "food"), [{"x": 99, "y": 1}, {"x": 1, "y": 1}, {"x": 1, "y": 1}], "food"),
        (("board", "snakes", 0, "body", 2), None, "body"),
        (("board", "snakes", 0), None, "snakes"),
        (("you", "body"), [{"x": 0, "y": 0}], "you"),
    ],
)
def test_mends_are_named_by_their_kind(path: Path_, value: object, kind: str) -> None:
    """Each kind that was needed is reported."""
    assert kind in read(json.dumps(changed(path, value)).encode()).mended


def test_the_values_of_mends() -> None:
    """Readable numbers are read, and a number beyond its range becomes the end of the range."""
    body = changed(("board", "food"), [{"x": "3", "y": 4.0}, {"x": 3, "y": 4}, {"x": 50, "y": 0}])
    body["game"] |= {"timeout": "350.7", "id": "i" * 500}
    body["board"]["snakes"][0]["health"] = 1e9
    turn = read(json.dumps(body).encode()).turn
    assert turn.board.food == [Point(3, 4)] and turn.timeout == 350
    assert turn.board.snakes[0].health == 100
    other = read(json.dumps(body | {"game": body["game"] | {"id": "i" * 501}}).encode()).turn
    assert len(turn.game.id) == len(other.game.id) == 128 and turn.game.id != other.game.id


@pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b""])
def test_json_that_strict_parsers_refuse_is_read(prefix: bytes) -> None:
    """A byte order mark, lone surrogates, NaN, and bytes that are no text cost no move."""
    text = json.dumps(BODY).encode()
    for before, after in (
        (b'"shout": ""', b'"shout": "\\ud83d"'),
        (b'"shout": ""', b'"shout": "\xff"'),
        (b'"squad": ""', b'"squad": NaN'),
    ):
        assert before in text
        reading = read(prefix + text.replace(before, after, 1))
        assert own_cells(reading.turn) == MINE and reading.mended <= {"json"}
    assert own_cells(read(json.dumps(BODY).encode("utf-16")).turn) == MINE


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("wrapped-constrictor", "wrapped_constrictor"),
        ("Standard", "standard"),
        ("WRAPPED", "wrapped"),
        ("wrapped-royale", "wrapped"),
        ("squad", "standard"),
        ("", "standard"),
        *((ruleset, ruleset) for ruleset in RULESETS),
    ],
)
def test_rulesets_are_known_by_all_their_names(name: str, meant: str) -> None:
    """Engines spell rulesets in several ways. An unknown ruleset is standard."""
    assert known_ruleset(name) == meant


def test_bodies_over_a_seam_are_of_a_wrapped_game() -> None:
    """Under an unknown name, bodies that cross an edge show that the board is wrapped."""
    body = changed(("game", "ruleset", "name"), "torus")
    for snake in (body["you"], body["board"]["snakes"][0]):
        snake["body"] = [{"x": 0, "y": 5}, {"x": 10, "y": 5}, {"x": 9, "y": 5}]
        snake["id"] = "me"
    assert read(json.dumps(body).encode()).turn.game.ruleset.name == "wrapped"


@pytest.mark.parametrize(
    ("latency", "milliseconds"),
    [
        *((text, 0) for text in (*UNREADABLE, 10**400)),
        *((413, 413), (41.5, 41.5), ("500.4", 500.4), ("500ms", 500), (" 12 ms", 12), ("5e2", 500)),
    ],
)
def test_latencies_are_read_in_every_form(latency: object, milliseconds: float) -> None:
    """An unreadable latency is 0, as a missing one."""
    turn = read(json.dumps(changed(("board", "snakes", 0, "latency"), latency)).encode()).turn
    assert turn.board.snakes[0].milliseconds == milliseconds


def test_a_large_body_is_not_mended() -> None:
    """A mend of it would take long. A large body that follows the API is read."""
    sent = deepcopy(BODY)
    sent["board"]["hazards"] = [{"x": 1, "y": 1}] * 8000
    assert len(json.dumps(sent)) > LARGEST_MENDED
    assert len(read(json.dumps(sent).encode()).turn.board.hazards) == 8000
    sent["turn"] = "7"
    with pytest.raises(BadBody, match=f"more than {LARGEST_MENDED} bytes"):
        read(json.dumps(sent).encode())
    sent["board"]["hazards"] = [{"x": 1, "y": 1}] * 1000
    assert read(json.dumps(sent).encode()).turn.turn == 7


@pytest.mark.parametrize("entry", [{}, None, 1, {"id": "x"}])
def test_lists_of_no_snakes_and_no_points_are_cut(entry: object) -> None:
    """A stranger may send as many bad entries as fit. The body is read in a moment."""
    sent = deepcopy(BODY)
    sent["board"]["snakes"] += [entry] * 2000
    turn = read(json.dumps(sent, separators=(",", ":")).encode()).turn
    assert len(turn.board.snakes) <= 16 and turn.own is not None
    sent = deepcopy(BODY)
    sent["board"]["hazards"] = [entry] * 5200 + [{"x": 1, "y": 1}]
    assert read(json.dumps(sent, separators=(",", ":")).encode()).turn.board.hazards == []
