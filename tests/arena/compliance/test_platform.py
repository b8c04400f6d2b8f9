"""The platform's requests."""

from collections.abc import Callable

import pytest
from aiohttp import web

from arena.compliance.platform import check_platform, scripted_requests
from tests.arena.compliance.checking import results
from tests.arena.outside_snake import Body, OutsideSnake, StrictSnake


def _looks_up_heads(path: str, body: Body) -> bool:
    """Look up the cell of every head of a /move."""
    return path == "/move" and any(snake["head"]["y"] > 10 for snake in body["board"]["snakes"])


def _expects_to_live(path: str, body: Body) -> bool:
    """Expect to be alive at the /end."""
    return path == "/end" and (body["you"]["health"] == 0 or body["you"]["head"]["y"] > 10)


def _expects_opponents(path: str, body: Body) -> bool:
    """Expect opponents at the /end."""
    return path == "/end" and len(body["board"]["snakes"]) < 2


def _starts_once() -> Callable[[str, Body], bool]:
    """Return a dislike of the second /start of a snake in a game."""
    started = set[tuple[str, str]]()

    def dislikes(path: str, body: Body) -> bool:
        snake = body["game"]["id"], body["you"]["id"]
        again = path == "/start" and snake in started
        started.add(snake)
        return again

    return dislikes


class _OnlyOnce(OutsideSnake):
    """Refuses a turn while it works on it."""

    def __init__(self) -> None:
        super().__init__(pause=0.15)
        self.busy = False

    async def move(self, request: web.Request) -> web.StreamResponse:
        if self.busy:
            raise web.HTTPBadRequest
        self.busy = True
        try:
            return await super().move(request)
        finally:
            self.busy = False


@pytest.mark.parametrize(
    ("snake", "name"),
    [
        (StrictSnake(_looks_up_heads), "dead on the board"),
        (StrictSnake(_expects_to_live), "dead on the board in /end"),
        (StrictSnake(_expects_opponents), "probe"),
        (_OnlyOnce(), "same turn twice"),
        (StrictSnake(_starts_once()), "game again"),
    ],
)
async def test_a_strict_snake_fails(snake: OutsideSnake, name: str) -> None:
    """Each request that a strict snake refuses fails under its own name, and nothing else does."""
    found = await results(check_platform, snake)
    assert "refused: HTTP status 400" in found[name].came
    assert {other for other, result in found.items() if result.outcome == "fail"} == {name}


def test_the_dead_stay_as_they_died() -> None:
    """One is off the board, one without health, one in a living snake's body; none of them moves again."""
    fourth, last = (
        {one["id"]: one for one in request.body["board"]["snakes"]}
        for request in scripted_requests("", 500, [("move", 4, "you"), ("end", 9, "you")])
    )
    assert fourth["off the board"]["head"] == {"x": 1, "y": 11}
    assert fourth["starved"]["health"] == 0
    assert fourth["in a body"]["head"] in fourth["rival"]["body"][1:]
    assert all(last[id_] == fourth[id_] for id_ in ("off the board", "starved", "in a body"))
    assert last["rival"]["head"]["y"] == -1
