"""The addresses of games on servers."""

import json
from http import HTTPStatus
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesnake_search.board import Royale, Settings
from console.replay.remote import joined
from console.replay.servers import (
    BadFormError,
    FrameReader,
    RemoteGameError,
    frames_of,
    read_address,
    require_allowed,
)
from console.store.assembly import summary_of, whole
from console.store.records import IMPORTED, RECORDED, RUNNING, Fallen, Header, Position, encode, pack, unpack
from console.store.results import Results
from tests.console.replay.game_server import Json, first_turns, platform_game


@pytest.mark.parametrize(
    "address",
    [
        "https://a.example/games/x-1",
        "https://a.example/game/x-1",
        "https://a.example/api/games/x-1",
        "https://a.example/api/games/x-1/frames?offset=0&limit=100",
        "https://ann:secret@a.example/games/x-1?turn=7",
        "https://board.example/?game=x-1&engine=https://a.example",
        "https://board.example/?engine=https%3A%2F%2Fa.example%2F&game=x-1&autoplay=true",
        " a.example/games/x-1\n",
    ],
)
def test_a_game_is_found_in_what_people_copy(address: str) -> None:
    """Pages, paths of the API and boards lead to the same game of the same server."""
    found = read_address(address)
    assert (str(found.server).rstrip("/"), found.game, found.host) == (
        "https://a.example",
        "x-1",
        "a.example",
    )


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "is not an address"),
        ("https://a.example", "is not the address of a game"),
        ("https://a.example/games/..", "is not the address of a game"),
        ("https://a.example/games/a%2Fb", "is not the address of a game"),
        ("https://a.example/games/a b", "names no game"),
        (f"https://a.example/games/{'x' * 129}", "names no game"),
        ("https://b.example/?game=x&engine=file:///etc", "is not an address"),
        ("http://a.example/games/x", "is not encrypted"),
        ("http://2130706433/games/x", "is not encrypted"),
        ("https://b.example/?game=x&engine=http://a.example", "is not encrypted"),
        ("file:///games/x", "is not an address"),
        ("https://a.example:99999/games/x", "is not an address"),
    ],
)
def test_other_addresses_are_refused(address: str, reason: str) -> None:
    """The error has the reason."""
    with pytest.raises(RemoteGameError, match=reason) as error:
        read_address(address)
    assert error.value.status == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize(
    ("address", "servers"),
    [
        ("https://a.example/games/x", []),
        ("https://b.a.example/games/x", ["a.example"]),
        ("https://a.example.b/games/x", ["a.example"]),
        ("https://a.example:8443/games/x", ["a.example"]),
        ("https://a.example/games/x", ["a.example:8443"]),
        ("https://a.example@b.example/games/x", ["a.example"]),
        ("https://a.example/?game=x&engine=https://b.example", ["a.example"]),
        ("http://127.0.0.1:8080/games/x", ["localhost:8080", "127.0.0.1"]),
    ],
)
def test_other_servers_may_not_be_read(address: str, servers: list[str]) -> None:
    """Hosts and ports are compared exactly. A host without a port stands for the default port."""
    require_allowed(read_address("https://A.EXAMPLE:443/games/x"), ["b.example", "a.example"])
    require_allowed(read_address("https://a.example:8443/games/x"), ["A.example:8443"])
    with pytest.raises(RemoteGameError, match="does not read games from") as error:
        require_allowed(read_address(address), servers)
    assert error.value.status == HTTPStatus.FORBIDDEN


SNAKE: Json = {"ID": "a", "Name": "one", "Body": [{"X": 1, "Y": 2}, {"X": 1, "Y": 1}], "Health": 90}
FACTS: Json = {"ID": "g", "Status": "complete", "Width": 7, "Height": 7}


def read_frames(facts: object, *frames: object) -> tuple[Header, list[Position]]:
    """Return the game with these facts and frames."""
    reader = FrameReader(json.dumps({"Game": facts}).encode(), "named")
    for frame in frames:
        reader.add(msgspec.Raw(json.dumps(frame).encode()))
    return reader.game()


def _header(**facts: object) -> Header:
    return read_frames(FACTS | facts, {"Turn": 0, "Snakes": [SNAKE, SNAKE | {"ID": "b"}]})[0]


def _snake(**changes: object) -> Any:
    _, [position] = read_frames(FACTS, {"Turn": 0, "Snakes": [SNAKE | changes]})
    return position.snakes.get("a")


@pytest.mark.parametrize(
    ("facts", "ruleset", "settings"),
    [
        ({}, "standard", Settings(15, 1, 14)),
        ({"Ruleset": "wrapped-constrictor"}, "wrapped_constrictor", Settings(0, 0, 14)),
        ({"RulesetName": "royale"}, "royale", Settings(15, 1, 14, Royale(25))),
        ({"Ruleset": {"name": "solo", "foodSpawnChance": "20"}}, "solo", Settings(20, 1, 14)),
        (
            {
                "Ruleset": {
                    "Name": "royale",
                    "Settings": {"hazardDamagePerTurn": 15, "royale": {"shrinkEveryNTurns": 9}},
                }
            },
            "royale",
            Settings(15, 1, 15, Royale(9)),
        ),
        (
            {"Ruleset": {"name": "standard", "damagePerTurn": "8"}, "Map": "royale"},
            "standard",
            Settings(15, 1, 8, Royale(25)),
        ),
        ({"Ruleset": None, "Settings": None, "Map": 7}, "standard", Settings(15, 1, 14)),
    ],
)
def test_rules_are_read_in_every_form(facts: Json, ruleset: str, settings: Settings) -> None:
    """Missing settings are the official command line's."""
    header = _header(**facts)
    assert (header.ruleset, header.settings) == (ruleset, settings)


NO_END = "no end"
DEAD: Json = {"Death": {"Cause": "hazard", "Turn": 1, "EliminatedBy": ""}}


def _last(*snakes: Json, turn: int = 7) -> Json:
    """Return the last frame of a game of snakes "a", "b" and so on, with these changes."""
    return {"Turn": turn, "Snakes": [SNAKE | {"ID": "abcd"[at]} | one for at, one in enumerate(snakes)]}


@pytest.mark.parametrize(
    ("facts", "last", "source", "winner"),
    [
        ({"Status": "running"}, _last({}, DEAD), RUNNING, NO_END),
        ({"Status": "PENDING"}, _last({}, DEAD), RUNNING, NO_END),
        ({"Status": "error"}, _last({}, DEAD), IMPORTED, NO_END),
        ({"Status": None}, _last({}, DEAD), IMPORTED, "a"),
        ({}, _last({}, {}), IMPORTED, NO_END),
        ({}, _last(DEAD, {}), IMPORTED, "b"),
        ({}, _last(DEAD, DEAD), IMPORTED, None),
        ({"RulesetName": "wrapped_constrictor"}, _last({}, DEAD), IMPORTED, "a"),
        ({"RulesetName": "royale"}, _last({}, {}, {}, DEAD), IMPORTED, NO_END),
        ({"RulesetName": "solo"}, _last({}), IMPORTED, NO_END),
        ({"RulesetName": "solo"}, _last(DEAD), IMPORTED, None),
        ({}, _last({}, {}, turn=5000), IMPORTED, None),
    ],
)
def test_a_complete_game_has_an_end_by_its_last_board(
    facts: Json, last: Json, source: str, winner: str | None
) -> None:
    """A game that failed has the same status, but more living snakes than the rules leave at an end."""
    header, _ = read_frames(FACTS | facts, last)
    assert (header.source, header.ended_at is None) == (source, winner == NO_END)
    assert header.winner == (None if winner == NO_END else winner)


def test_a_failed_game_does_not_count() -> None:
    """It leaves our own record of the game without an end, and no result is counted."""
    failed, positions = read_frames(FACTS, _last({}, {}, turn=4))
    own = msgspec.structs.replace(
        failed,
        source=RECORDED,
        snakes=[msgspec.structs.replace(failed.snakes[0], ours=True), failed.snakes[1]],
    )
    header, lacking = joined(own, set(), failed, positions)
    assert header.ended_at is None and lacking == positions
    results = Results()
    results.add(summary_of(header))
    counted = msgspec.to_builtins(results.as_json())
    assert [(arm["draw"], arm["none"]) for arm in counted["arms"]] == [(0, 1)]


def test_a_server_does_not_know_of_late_answers() -> None:
    """Its causes of deaths replace ours, and our marks of late answers stay."""
    new, positions = read_frames(FACTS, _last({}, {}, turn=4))
    new.deaths = [Fallen("a", "hazard"), Fallen("b", "wall-collision")]
    kept = msgspec.structs.replace(new, source=RECORDED, deaths=[Fallen("a", "", late=True)])
    header, _ = joined(kept, set(), new, positions)
    assert header.deaths == [Fallen("a", "hazard", late=True), Fallen("b", "wall-collision")]


@pytest.mark.parametrize(
    ("death", "is_dead"),
    [
        (None, False),
        ({}, False),
        ({"Cause": "", "Turn": 0, "EliminatedBy": ""}, False),
        ({"Cause": "hazard"}, True),
        ({"turn": 7}, True),
        ("wall-collision", True),
        (False, False),
    ],
)
def test_a_death_is_told_from_an_empty_one(death: object, is_dead: bool) -> None:
    """A cause or a turn makes it one."""
    assert (_snake(Death=death) is None) == is_dead


@pytest.mark.parametrize(
    "facts", [b"", b"[]", b"<html>", b"{}", b'{"Game": null}', b'{"error": "x"}', b"[" * 9999]
)
def test_other_answers_are_no_games(facts: bytes) -> None:
    """Their form is refused, as that of pages without frames."""
    with pytest.raises(BadFormError):
        FrameReader(facts, "g")
    for page in (facts, b'{"Frames": 7}', b'{"Frames": [1}'):
        with pytest.raises(BadFormError):
            frames_of(page)


def test_a_header_of_a_former_release_has_no_deaths() -> None:
    """Games that are stored stay readable, and deaths are kept in new ones."""
    header = _header()
    old = msgspec.to_builtins(header)
    del old["deaths"]
    assert msgspec.convert(old, Header).deaths == []
    fallen = [Fallen("a", "hazard", "b")]
    kept = msgspec.structs.replace(header, deaths=fallen)
    assert msgspec.msgpack.decode(encode(kept), type=Header).deaths == fallen


_JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values in JSON but the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [each for key, inner in items for each in [(*path, key), *_paths(inner, (*path, key))]]


@given(st.data(), _JUNK)
def test_no_value_anywhere_costs_the_game(data: st.DataObject, junk: object) -> None:
    """The turns are read and can be stored, whatever a single value is."""
    game = first_turns(platform_game(), 3)
    path = data.draw(st.sampled_from([path for path in _paths(game) if path not in (("Game",), ("Frames",))]))
    inner: Any = game
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = junk
    header, positions = read_frames(game["Game"], *game["Frames"])
    assert len(positions) >= 2 and whole(header, positions).turns
    assert [unpack(pack(encode(position))) for position in positions] == positions and encode(header)
