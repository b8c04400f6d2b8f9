"""Which answers an engine accepts."""

import pytest

from arena.compliance.exchanges import Answer, converse, problem_in, recorded_game
from tests.arena.compliance import checking
from tests.arena.outside_snake import Fault, OutsideSnake


def _move(content: bytes) -> str | None:
    return problem_in("move", Answer(10.0, status=200, content=content), timeout=500)


@pytest.mark.parametrize(
    "content",
    [b'{"move":"up"}', b'{"move":"left","shout":"hi","x":1}', b'{"move":"down","shout":null}'],
)
def test_valid_moves_are_accepted(content: bytes) -> None:
    """A direction is all that is needed; more fields are ignored."""
    assert _move(content) is None


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


def test_any_content_of_start_and_end_is_accepted() -> None:
    """Engines ignore the content of the answers to /start and /end, but not their status."""
    for webhook in ("start", "end"):
        assert problem_in(webhook, Answer(10.0, status=200, content=b"ok"), 500) is None
        assert problem_in(webhook, Answer(10.0, status=404), 500) == "refused: HTTP status 404"


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


async def test_a_silent_snake_gets_no_more_requests() -> None:
    """A request without an answer ends the conversation."""
    snake = OutsideSnake({1: Fault.SILENT}.get)
    game = recorded_game("standard", 100)
    async with checking.endpoint(snake, timeout=100) as endpoint, endpoint.caller() as caller:
        exchanges = await converse(caller, [game[phase] for phase in ("start", "move-early", "end")])
    assert exchanges[-1].request.phase == "move-early"
    assert str(exchanges[-1]).startswith("late: no answer within 2")
