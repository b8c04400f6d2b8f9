"""The recorded requests, and the answers that an engine accepts."""

from pathlib import Path

import msgspec
import pytest

from arena.compliance.exchanges import Answer, converse, problem_in, recorded_game, recorded_games
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from tests.arena.compliance import checking
from tests.arena.outside_snake import OutsideSnake

RECORDED = Path(__file__).parents[2] / "fixtures" / "requests"


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


def _move(content: bytes) -> str | None:
    return problem_in("move", Answer(10.0, status=200, content=content), timeout=500)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a JSON object: ''"),
        (b"left", "not a JSON object: 'left'"),
        (b"\xff", "not a JSON object"),
        (b"[" * 100_000, "not a JSON object"),
        (b'["up"]', "not a JSON object"),
        (b"{}", "move is None"),
        (b'{"move":"north"}', "move is 'north', not one of up, down, left, right"),
        (b'{"move":"UP"}', "move is 'UP'"),
        (b'{"move":["up"]}', "move is ['up']"),
        (b'{"move":"up","shout":5}', "shout is 5, not text"),
    ],
)
def test_wrong_moves_are_invalid(content: bytes, reason: str) -> None:
    """An answer without a direction, or with a shout that is not text, is described by its content."""
    problem = _move(content)
    assert problem and problem.startswith("invalid: ") and reason in problem


def test_an_answer_after_the_timeout_is_late() -> None:
    """An answer after the timeout is late even if it is correct."""
    assert problem_in("move", Answer(512.4, status=200, content=b'{"move":"up"}'), 500) == "late: 512 ms"


async def test_the_snake_receives_its_latency() -> None:
    """Each /move contains the latency of the last one: on the board, not in `you`."""
    snake = OutsideSnake(pause=0.05)
    game = recorded_game("standard", checking.IN_TIME)
    async with checking.endpoint(snake) as endpoint, endpoint.caller() as caller:
        await converse(caller, [game[phase] for phase in ("start", "move-first", "move-early")])
    latencies = [
        [float(other["latency"]) for other in body["board"]["snakes"] if other["id"] == body["you"]["id"]]
        for _, body in snake.requests
    ]
    assert latencies[0] == latencies[1] == [0.0] and latencies[2] >= [50.0]
    assert all(body["you"]["latency"] == "0" for _, body in snake.requests)
