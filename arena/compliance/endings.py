"""Checks of the /end request that reports the snake's own death."""

from typing import Any

from arena.compliance.caller import Endpoint
from arena.compliance.exchanges import Exchange, converse, problems_of
from arena.compliance.requests import Request, recorded_game, recorded_games
from arena.compliance.results import CheckResult, result_of


async def check_endings(endpoint: Endpoint) -> list[CheckResult]:
    """Start games for snakes that are dead at the end, and post their /end."""
    games = [game for game, requests in recorded_games(endpoint.timeout).items() if _has_dead(requests)]
    ends = [(await _play(endpoint, game, {}))[-1] for game in games]
    dead = "/end is answered with 200 when `you` is dead and not among the board's snakes"
    [off] = [(await _play(endpoint, "standard", _beyond_the_edge()))[-1]]
    beyond = "/end is answered with 200 when `you` died beyond the board's edge"
    return [
        result_of("dead in /end", dead, problems_of(ends), f"{len(ends)} correct answers"),
        result_of("dead off the board", beyond, problems_of([off]), "a correct answer"),
    ]


def _has_dead(requests: list[Request]) -> bool:
    return any(request.phase == "end-eliminated" for request in requests)


def _beyond_the_edge() -> dict[str, Any]:
    body = [{"x": 0, "y": y} for y in (-1, 0, 1)]
    return {"head": body[0], "body": body, "length": len(body)}


async def _play(endpoint: Endpoint, game: str, changes: dict[str, Any]) -> list[Exchange]:
    """Post the /start and /end of the snake that is dead at the end, with `changes` to it in /end."""
    requests = recorded_game(game, endpoint.timeout)
    start, end = requests["start"], requests["end-eliminated"]
    snakes = {snake["id"]: snake for snake in start.body["board"]["snakes"]}
    start.body["you"] = snakes[end.body["you"]["id"]]
    end.body["you"] |= changes
    async with endpoint.caller() as caller:
        return await converse(caller, [start, end])
