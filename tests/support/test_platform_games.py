"""The engine of the platform's form plays as the platform's server does, and knows the true results."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from itertools import pairwise
from typing import Any

import aiohttp
import pytest

from tests.arena.outside_snake import STEPS, Body, Fault, OutsideSnake, running
from tests.support.platform_games import PlatformGame, Played, Seat, play, probe

TIMEOUT = 2000
"""Milliseconds: more than an immediate answer takes on a busy machine."""

CIRCLE = ("up", "left", "down", "right")


def going(*moves: str) -> OutsideSnake:
    """Return a snake that repeats these moves from turn 0 on."""
    return OutsideSnake(choose=lambda body: moves[body["turn"] % len(moves)])


Playing = Callable[..., Any]


@pytest.fixture
async def playing() -> AsyncIterator[Playing]:
    """Yield a function that serves snakes and plays a game between them."""
    async with AsyncExitStack() as stack:
        session = await stack.enter_async_context(aiohttp.ClientSession())

        async def playing(
            game: PlatformGame, *snakes: OutsideSnake, late: tuple[int, ...] = (), turns: int | None = None
        ) -> tuple[Played, ...]:
            urls = [await stack.enter_async_context(running(snake)) for snake in snakes]
            seats = [Seat(url, str(at), frozenset(late)) for at, url in enumerate(urls)]
            return await play(session, game, seats, turns)

        yield playing


def bodies(snake: OutsideSnake, path: str) -> list[Body]:
    """Return the bodies that a snake has received at a path."""
    return [body for where, body in snake.requests if where == path]


def steps(snake: OutsideSnake) -> list[tuple[int, int]]:
    """Return where a snake's head went from each turn to the next one."""
    heads = [body["you"]["head"] for body in bodies(snake, "/move")]
    return [(after["x"] - before["x"], after["y"] - before["y"]) for before, after in pairwise(heads)]


async def test_the_dead_stay_and_the_living_play_on(playing: Playing) -> None:
    """A dead snake stays as it died, off the board; it gets no more /move, and gets the /end."""
    dying, living, last = going("up"), going(*CIRCLE), going(*CIRCLE)
    truth = await playing(PlatformGame("standard", 11, TIMEOUT, health=20, food=False), dying, living, last)
    died = truth[0].moves
    assert died < 11 and len(bodies(dying, "/move")) == died
    for body in bodies(living, "/move")[died:]:
        corpse = body["board"]["snakes"][0]
        assert corpse["head"] == {"x": corpse["body"][1]["x"], "y": 11} and corpse["health"] == 20 - died
    assert [len(bodies(snake, "/end")) for snake in (dying, living, last)] == [1, 1, 1]
    assert bodies(living, "/end")[0]["board"]["snakes"][0]["latency"] == "0"
    # The others starve together.
    assert [(one.result, one.place) for one in truth] == [("loss", 3), ("draw", 1), ("draw", 1)]
    assert [one.turns for one in truth] == [20, 20, 20]


async def test_a_late_answer_is_reported_as_none(playing: Playing) -> None:
    """After an answer that is declared late, the snake goes on as it sent before, with the latency "0"."""
    snake = going(*CIRCLE)
    [truth] = await playing(PlatformGame("solo", 11, TIMEOUT, health=6, food=False), snake, late=(1, 2))
    assert steps(snake)[:4] == [STEPS["up"], STEPS["up"], STEPS["up"], STEPS["right"]]
    assert [body["you"]["latency"] for body in bodies(snake, "/move")[2:4]] == ["0", "0"]
    assert (truth.result, truth.place, truth.moves, truth.visibly_late) == (None, None, 6, 2)
    assert truth.faults == ()


@pytest.mark.parametrize("fault", [Fault.ERROR, Fault.NOT_JSON, Fault.WRONG_WORD, Fault.DROPPED])
async def test_a_bad_answer_repeats_the_direction_sent_last(playing: Playing, fault: Fault) -> None:
    """A refused, broken or missing answer is a fault, and the direction is that of the answer before."""
    snake = going("left")
    snake.faults = {0: fault, 2: fault}.get
    [truth] = await playing(PlatformGame("solo", 11, TIMEOUT, health=4, food=False, seed=3), snake)
    assert steps(snake) == [STEPS["up"], STEPS["left"], STEPS["left"]]
    assert len(truth.faults) == 2 and truth.moves == 4


async def test_a_time_out_is_a_fault(playing: Playing) -> None:
    """An answer that comes after the time-out is not played."""
    snake = going("left")
    snake.faults = {1: Fault.SILENT}.get
    [truth] = await playing(PlatformGame("solo", 11, 300, health=3, food=False), snake)
    assert truth.faults == ("turn 1: no answer within 300 ms",)


async def test_a_game_comes_again_under_its_ids(playing: Playing) -> None:
    """A game that breaks off has no /end; played again, it starts at turn 0 with the same ids."""
    snake, other = going(*CIRCLE), going(*CIRCLE)
    game = PlatformGame("constrictor", 7, TIMEOUT)
    await playing(game, snake, other, turns=3)
    await playing(game, snake, other)
    starts, moves = bodies(snake, "/start"), bodies(snake, "/move")
    assert len(starts) == 2 and len(bodies(snake, "/end")) == 1
    assert len({(body["game"]["id"], body["you"]["id"]) for body in (*starts, *moves)}) == 1
    assert [body["turn"] for body in moves[:5]] == [0, 1, 2, 0, 1]


async def test_an_end_may_never_come(playing: Playing) -> None:
    """Without an /end the game just stops."""
    snake = going("up")
    await playing(PlatformGame("solo", 7, TIMEOUT, sends_end=False), snake)
    assert bodies(snake, "/end") == [] and bodies(snake, "/move")


async def test_a_probe_is_one_body_three_times() -> None:
    """A probe posts one body of turn 0 with a single snake to the three webhooks."""
    snake = going("up")
    async with running(snake) as url, aiohttp.ClientSession() as session:
        game = await probe(session, url)
    assert [path for path, _ in snake.requests] == ["/start", "/move", "/end"]
    body = snake.requests[0][1]
    assert all(other == body for _, other in snake.requests)
    assert (body["game"]["id"], body["turn"], len(body["board"]["snakes"])) == (game, 0, 1)
