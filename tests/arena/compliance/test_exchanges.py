"""Which answers an engine would take."""

import pytest

from arena.compliance.caller import Answer
from arena.compliance.exchanges import converse, problem_in
from arena.compliance.requests import recorded_game
from tests.arena.compliance import checking
from tests.arena.outside_snake import Fault, OutsideSnake


def _move(content: bytes) -> str | None:
    return problem_in("move", Answer(10.0, status=200, content=content), timeout=500)


@pytest.mark.parametrize(
    "content",
    [b'{"move":"up"}', b'{"move":"left","shout":"hi","x":1}', b'{"move":"down","shout":null}'],
)
def test_right_moves_are_taken(content: bytes) -> None:
    """A direction is all that is needed; more fields don't hurt."""
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
    """An answer that holds no direction, or a shout that is no text, is named by what came."""
    problem = _move(content)
    assert problem and problem.startswith("invalid: ") and reason in problem


def test_any_content_will_do_after_start_and_end() -> None:
    """Engines ignore what /start and /end answer, but not how."""
    for webhook in ("start", "end"):
        assert problem_in(webhook, Answer(10.0, status=200, content=b"ok"), 500) is None
        assert problem_in(webhook, Answer(10.0, status=404), 500) == "refused: HTTP status 404"


def test_an_answer_after_the_timeout_is_late() -> None:
    """Even a right one, with its time."""
    assert problem_in("move", Answer(512.4, status=200, content=b'{"move":"up"}'), 500) == "late: 512 ms"


async def test_the_snake_hears_its_latency() -> None:
    """Each /move tells how long the answer to the one before took: on the board, not in `you`."""
    snake = OutsideSnake(pause=0.05)
    game = recorded_game("standard", checking.IN_TIME)
    async with checking.endpoint(snake) as endpoint, endpoint.caller() as caller:
        await converse(caller, [game[phase] for phase in ("start", "move-first", "move-early")])
    told = [
        [float(other["latency"]) for other in body["board"]["snakes"] if other["id"] == body["you"]["id"]]
        for _, body in snake.requests
    ]
    assert told[0] == told[1] == [0.0] and told[2] >= [50.0]
    assert all(body["you"]["latency"] == "0" for _, body in snake.requests)


async def test_a_silent_snake_is_asked_no_more() -> None:
    """What is waited for in vain ends the conversation."""
    snake = OutsideSnake({1: Fault.SILENT}.get)
    game = recorded_game("standard", 100)
    async with checking.endpoint(snake, timeout=100) as endpoint, endpoint.caller() as caller:
        exchanges = await converse(caller, [game[phase] for phase in ("start", "move-early", "end")])
    assert exchanges[-1].request.phase == "move-early"
    assert str(exchanges[-1]).startswith("late: no answer within 2")
