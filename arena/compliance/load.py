"""Checks of a snake over many connections: fresh connections and parallel games."""

import asyncio
from itertools import cycle, islice

from arena.compliance.caller import Endpoint
from arena.compliance.exchanges import Exchange, converse, problems_of
from arena.compliance.requests import Request, recorded_game, recorded_games
from arena.compliance.results import CheckResult, result_of

_PHASES = ("start", "move-first", "move-early", "move-mid", "move-late", "end")


async def check_fresh_connections(endpoint: Endpoint) -> list[CheckResult]:
    """Post each request of a game over a connection of its own: the engine keeps only two per address."""
    game = recorded_game("wrapped", endpoint.timeout)
    conversations = [await _converse(endpoint, [game[phase]]) for phase in _PHASES]
    problems = [problem for exchanges in conversations for problem in problems_of(exchanges)]
    expected = "requests over a new connection each get correct answers"
    return [result_of("fresh connections", expected, problems, f"{len(conversations)} correct answers")]


async def check_parallel_games(endpoint: Endpoint) -> list[CheckResult]:
    """Play several recorded games at once, each over connections of its own."""
    names = islice(cycle(recorded_games(endpoint.timeout)), endpoint.games)
    games = [recorded_game(name, endpoint.timeout) for name in names]
    played = await asyncio.gather(
        *(_converse(endpoint, [game[phase] for phase in _PHASES]) for game in games)
    )
    exchanges = [exchange for game in played for exchange in game]
    longest = max(exchange.answer.milliseconds for exchange in exchanges)
    expected = f"{endpoint.games} games at once: every answer correct and within {endpoint.timeout} ms"
    fine = f"{len(exchanges)} correct answers, the longest after {longest:.0f} ms"
    return [result_of("parallel games", expected, problems_of(exchanges), fine)]


async def _converse(endpoint: Endpoint, requests: list[Request]) -> list[Exchange]:
    async with endpoint.caller() as caller:
        return await converse(caller, requests)
