"""Checks a snake over many connections: fresh ones, and games at the same time."""

import asyncio
from itertools import cycle, islice

from arena.compliance.caller import Target
from arena.compliance.exchanges import Exchange, converse, problems_of
from arena.compliance.requests import Request, recorded_game, recorded_games
from arena.compliance.verdicts import Verdict, judge

_PHASES = ("start", "move-first", "move-early", "move-mid", "move-late", "end")


async def check_fresh_connections(target: Target) -> list[Verdict]:
    """Posts each request of a game over a connection of its own: the engine keeps but two for an address."""
    game = recorded_game("wrapped", target.timeout)
    conversations = [await _converse(target, [game[phase]]) for phase in _PHASES]
    problems = [problem for exchanges in conversations for problem in problems_of(exchanges)]
    expected = "requests over a new connection each get right answers"
    return [judge("fresh connections", expected, problems, f"{len(conversations)} right answers")]


async def check_parallel_games(target: Target) -> list[Verdict]:
    """Plays several recorded games at once, each over connections of its own."""
    names = islice(cycle(recorded_games(target.timeout)), target.games)
    games = [recorded_game(name, target.timeout) for name in names]
    played = await asyncio.gather(*(_converse(target, [game[phase] for phase in _PHASES]) for game in games))
    exchanges = [exchange for game in played for exchange in game]
    longest = max(exchange.answer.milliseconds for exchange in exchanges)
    expected = f"{target.games} games at once: every answer right and within {target.timeout} ms"
    fine = f"{len(exchanges)} right answers, the longest after {longest:.0f} ms"
    return [judge("parallel games", expected, problems_of(exchanges), fine)]


async def _converse(target: Target, requests: list[Request]) -> list[Exchange]:
    async with target.caller() as caller:
        return await converse(caller, requests)
