"""An engine by hand: it posts bodies one by one, and moves the snakes on them by no rules but their steps."""

from typing import Any

import aiohttp

from battlesnake_search.record.outcome import Outcome
from tests.support.watched import Watched, assert_searched

STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}

Body = dict[str, Any]


class Engine:
    """Posts the requests of one game to the gateway, each with the status 200."""

    def __init__(self, gateway: Watched, session: aiohttp.ClientSession) -> None:
        self.gateway, self.session = gateway, session

    async def post(self, webhook: str, body: Body) -> Body:
        """Post a body and return the answer."""
        async with self.session.post(f"{self.gateway.url}/{webhook}", json=body) as answer:
            assert answer.status == 200, await answer.text()
            answered: Body = await answer.json()
            return answered

    async def move(self, body: Body) -> str:
        """Post a /move and return the direction."""
        word: str = (await self.post("move", body))["move"]
        assert word in STEPS
        return word

    async def searched_move(self, body: Body) -> str:
        """Post a /move that must be searched, and return the direction."""
        word, refused = await self.move(body), self.gateway.refused()
        moves = self.gateway.entries("move", {body["game"]["id"]})
        assert moves
        assert_searched(moves)
        assert self.gateway.refused() == refused
        return word

    async def outcome(self, body: Body) -> Outcome:
        """Return the one outcome of the body's snake in its game."""
        rows = await self.gateway.outcomes({body["game"]["id"]}, 1)
        return rows[body["you"]["id"]]


def step(body: Body, id_: str, move: str) -> None:
    """Move a snake on the body's board, and in `you` if it is ours."""
    dx, dy = STEPS[move]
    for snake in [*body["board"]["snakes"], body["you"]]:
        if snake["id"] == id_:
            head = {"x": snake["head"]["x"] + dx, "y": snake["head"]["y"] + dy}
            snake["body"] = [head, *snake["body"][:-1]]
            snake["head"] = head
            snake["health"] -= 1


def report(body: Body, latency: str) -> None:
    """Set our own latency, on the board and in `you`."""
    for snake in [*body["board"]["snakes"], body["you"]]:
        if snake["id"] == body["you"]["id"]:
            snake["latency"] = latency


def other_than(body: Body, move: str) -> str:
    """Return another direction, onto a free cell of the board."""
    board, head = body["board"], body["you"]["head"]
    held = [part for snake in board["snakes"] for part in snake["body"]]
    for word, (dx, dy) in STEPS.items():
        cell = {"x": head["x"] + dx, "y": head["y"] + dy}
        on_board = 0 <= cell["x"] < board["width"] and 0 <= cell["y"] < board["height"]
        if word != move and on_board and cell not in held:
            return word
    raise AssertionError("there is no other way")
