"""Requests of games in any order: starts, moves and ends, several at once, twice, late or never."""

import asyncio
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from typing import Any

import hypothesis.strategies as st
from aiohttp.test_utils import TestClient, TestServer
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from gateway import app, webhooks
from gateway.settings import NO_CONSOLE, Settings
from tests.gateway import scripted_searcher
from tests.gateway.clients import PATIENCE
from tests.gateway.scripted_searcher import ScriptedService, body

Snake = tuple[str, str]
"""A game and a snake in it."""

SNAKES = st.tuples(st.sampled_from(["a", "b", "c"]), st.integers(0, 1))
TURNS = st.integers(0, 300)


class Games(RuleBasedStateMachine):
    """A gateway, and its expected state: the snakes with a request, and the snakes with an end."""

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self._stack = AsyncExitStack()
        self._service = ScriptedService(scripted_searcher.at_once)
        self._known: set[Snake] = set()
        self._ended: set[Snake] = set()

    @initialize()
    def serve(self) -> None:
        """Start the gateway."""
        self._run(self._serve())

    @rule(snake=SNAKES, turn=TURNS)
    def start(self, snake: tuple[str, int], turn: int) -> None:
        """Start a game, perhaps once more or in the middle."""
        started = self._run(self._post("/start", snake, turn))
        self._known.add(started)
        self._ended.discard(started)

    @rule(moves=st.lists(st.tuples(SNAKES, TURNS), min_size=1, max_size=4))
    def move(self, moves: list[tuple[tuple[str, int], int]]) -> None:
        """Request moves of one or more snakes at once, perhaps without a start, twice or out of turn."""
        posts = [self._post("/move", snake, turn) for snake, turn in moves]
        asked = set(self._run(_all(posts)))
        self._known |= asked
        self._ended -= asked

    @rule(snake=SNAKES, turn=TURNS)
    def end(self, snake: tuple[str, int], turn: int) -> None:
        """End a game, perhaps one that has never begun."""
        ended = self._run(self._post("/end", snake, turn))
        self._known.add(ended)
        self._ended.add(ended)

    @invariant()
    def nothing_is_forgotten_or_doubled(self) -> None:
        """Each snake has one game, also after its end, and it is not played between its end and a request."""
        games = self._app[webhooks.GAMES]
        assert len(games) == len(self._known)
        assert games.playing <= len(self._known - self._ended)

    @invariant()
    def every_move_is_counted(self) -> None:
        """The metrics have one move for each search; a request that comes twice is searched once."""
        self._run(self._until_counted(len(self._service.requests)))

    def teardown(self) -> None:
        """End all games and the gateway."""
        self._run(self._stack.aclose())
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(work)

    async def _serve(self) -> None:
        target = await self._stack.enter_async_context(scripted_searcher.searcher(self._service))
        self._app = app.build(Settings(searcher=target, console=NO_CONSOLE, public_metrics=True))
        client: TestClient[Any, Any] = TestClient(TestServer(self._app))
        self._client = await self._stack.enter_async_context(client)

    async def _post(self, path: str, snake: tuple[str, int], turn: int) -> Snake:
        """Post a body for a snake; check the answer, and return the snake by its id."""
        posted, name = _body(snake, turn)
        async with self._client.post(path, json=posted) as answer:
            assert answer.status == 200
            answered = await answer.json()
        if path == "/move":
            assert answered["move"] in ("up", "down", "left", "right")
        return name

    async def _until_counted(self, moves: int) -> None:
        # A move is counted after its answer has left.
        async with asyncio.timeout(PATIENCE):
            while (counted := await self._counted()) < moves:
                await asyncio.sleep(0.005)
        assert counted == moves

    async def _counted(self) -> float:
        async with self._client.get("/metrics") as answer:
            lines = (await answer.text()).splitlines()
        moves = [line for line in lines if line.startswith("gateway_moves_total{")]
        return sum(float(line.rpartition(" ")[2]) for line in moves)


def _body(snake: tuple[str, int], turn: int) -> tuple[dict[str, Any], Snake]:
    """Return the body for a snake of a game, and its name."""
    game, number = snake
    # Even on a busy machine each move is searched.
    posted = body(timeout=10_000)
    posted["game"]["id"], posted["turn"] = game, turn
    posted["you"] = posted["board"]["snakes"][number]
    return posted, (game, posted["you"]["id"])


async def _all(posts: list[Coroutine[Any, Any, Snake]]) -> list[Snake]:
    return list(await asyncio.gather(*posts))


TestGames = Games.TestCase
TestGames.settings = settings(max_examples=10, stateful_step_count=20)
