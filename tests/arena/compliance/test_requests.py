"""The recorded requests that are part of the package."""

from pathlib import Path

import msgspec

from arena.compliance.exchanges import recorded_game, recorded_games
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX

RECORDED = Path(__file__).parents[2] / "fixtures" / "requests"

ORDER = [
    "start",
    "move-first",
    "move-early",
    "move-mid",
    "move-late",
    "move-alone",
    "end",
    "end-eliminated",
]


def test_every_recorded_request_is_packaged() -> None:
    """The packaged requests are the recorded ones, except for the game's id and timeout."""
    shipped = {
        f"{request.game}-{request.phase}-{request.body['turn']}": request.body
        for requests in recorded_games(500).values()
        for request in requests
        if request.phase != "move-first"
    }
    recorded = {path.stem: msgspec.json.decode(path.read_bytes()) for path in RECORDED.glob("*.json")}
    assert shipped.keys() == recorded.keys()
    for name, body in recorded.items():
        body["game"] |= {"id": shipped[name]["game"]["id"]}
        assert shipped[name] == body


def test_requests_come_in_the_order_of_a_game() -> None:
    """A game starts with /start and ends with /end, with its moves between them, turn by turn."""
    for requests in recorded_games(500).values():
        phases = [request.phase for request in requests]
        turns = [request.body["turn"] for request in requests]
        assert phases == [phase for phase in ORDER if phase in phases]
        assert turns == sorted(turns) and phases[:2] == ["start", "move-first"]


def test_a_game_has_a_unique_id() -> None:
    """All requests of a game have one id, marked and new in each call, and the given timeout."""
    ids = set()
    for _ in range(2):
        games = [request.body["game"] for request in recorded_game("royale", 300).values()]
        assert {game["timeout"] for game in games} == {300}
        assert len({game["id"] for game in games}) == 1
        ids.add(games[0]["id"])
    assert len(ids) == 2
    assert all(id_.startswith(TEST_GAME_PREFIX) for id_ in ids)
