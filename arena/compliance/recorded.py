"""Checks with the recorded games: one by one, several concurrently, and the ends of dead snakes."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from statistics import median, quantiles

from arena.compliance.exchanges import (
    Answer,
    Caller,
    CheckResult,
    Endpoint,
    Exchange,
    Outcome,
    Request,
    converse,
    converse_with,
    fields_of,
    problems_of,
    recorded_game,
    recorded_games,
    result_of,
)

LONGEST_SHOUT = 256
"""The largest number of characters that the API allows in a shout."""

_TWO_PACKETS_COST = 45
"""Milliseconds that an answer in two packets costs in each turn with the official engine (Nagle, delayed
ACK)."""

_COMFORTABLE_SHARE = 0.95
"""The share of the timeout that a snake next to its engine may use. The rest is for the network."""


async def check_recorded(endpoint: Endpoint) -> list[CheckResult]:
    """Post the recorded requests of a surviving snake, over keep-alive connections."""
    games = {
        name: [request for request in requests if request.phase != "end-eliminated"]
        for name, requests in recorded_games(endpoint.timeout).items()
    }
    async with endpoint.caller() as caller:
        played = {name: await converse(caller, requests) for name, requests in games.items()}
        everything = [exchange for exchanges in played.values() for exchange in exchanges]
        kept = _keep_alive(caller, everything)
    expected = f"/start and /end answer with 200, /move with a direction, within {endpoint.timeout} ms"
    results = [_game(name, games[name], exchanges, expected) for name, exchanges in played.items()]
    return [*results, _lone_survivor(everything), *_move_results(everything, endpoint), kept]


def _game(name: str, requests: list[Request], exchanges: list[Exchange], expected: str) -> CheckResult:
    """Return the result of a game. The extra move of a lone survivor is judged separately."""
    problems = problems_of([exchange for exchange in exchanges if not _is_alone(exchange)])
    if len(exchanges) < len(requests):
        problems.append(f"{len(requests) - len(exchanges)} requests not sent after that")
    return result_of(f"recorded game: {name}", expected, problems, f"{len(exchanges)} correct answers")


def _is_alone(exchange: Exchange) -> bool:
    return exchange.request.phase == "move-alone"


def _lone_survivor(exchanges: Sequence[Exchange]) -> CheckResult:
    alone = [exchange for exchange in exchanges if _is_alone(exchange)]
    expected = "the /move that a survivor gets after the last turn is answered like any other"
    return result_of("lone survivor", expected, problems_of(alone), f"{len(alone)} correct answers", "warn")


def _move_results(exchanges: Sequence[Exchange], endpoint: Endpoint) -> list[CheckResult]:
    moves = [exchange for exchange in exchanges if exchange.request.webhook == "move"]
    answers = [move.answer for move in moves if move.answer.status]
    return [*_form(answers), _latency(moves, endpoint), _packets(answers)]


def _form(answers: Sequence[Answer]) -> list[CheckResult]:
    """Check the requirements of the API that the official engine ignores."""
    answered = [answer for answer in answers if answer.status == 200]
    types = Counter(answer.content_type for answer in answered)
    other = [f"{kind} ({count} times)" for kind, count in types.items() if kind != "application/json"]
    shouts = [(fields_of(answer.content) or {}).get("shout") for answer in answered]
    longest = max((len(shout) for shout in shouts if isinstance(shout, str)), default=0)
    lengths = [f"{longest} characters"] if longest > LONGEST_SHOUT else []
    of_type = "answers to /move are of the type application/json"
    short = f"shouts have at most {LONGEST_SHOUT} characters"
    return [
        result_of("content type", of_type, other, "application/json", "warn"),
        result_of("shouts", short, lengths, f"at most {longest}" if longest else "none", "warn"),
    ]


def _latency(moves: Sequence[Exchange], endpoint: Endpoint) -> CheckResult:
    comfortable = _COMFORTABLE_SHARE * endpoint.timeout
    expected = f"/move takes at most {endpoint.timeout} ms, for 95 % of moves {comfortable:.0f} ms"
    times = sorted(move.answer.milliseconds for move in moves if move.answer.status or move.answer.silent)
    if not times:
        return CheckResult("latency", "fail", expected, "no answer at all")
    # `quantiles` needs at least two values.
    percentiles = quantiles([*times, times[-1]], n=20, method="inclusive")
    p50, p95, longest = median(times), percentiles[-1], times[-1]
    outcome: Outcome = "warn" if p95 > comfortable else "pass"
    if longest > endpoint.timeout:
        outcome = "fail"
    came = f"p50 {p50:.0f} ms, p95 {p95:.0f} ms, longest {longest:.0f} ms in {len(times)} moves"
    return CheckResult("latency", outcome, expected, came)


def _packets(answers: Sequence[Answer]) -> CheckResult:
    gaps = [answer.gap for answer in answers if answer.gap]
    apart = []
    if gaps:
        apart = [
            f"{len(gaps)} of {len(answers)} bodies came {median(gaps):.1f} ms (median) after their headers; "
            f"with the official engine that costs up to {_TWO_PACKETS_COST} ms a turn, which no latency shows"
        ]
    expected = "headers and body of an answer arrive together"
    return result_of("one packet", expected, apart, f"{len(answers)} answers in one piece", "warn")


def _keep_alive(caller: Caller, exchanges: Sequence[Exchange]) -> CheckResult:
    """Check that only failed answers close their connection."""
    failed = sum(exchange.answer.failure is not None for exchange in exchanges)
    counts = f"{len(exchanges)} requests, connections opened: {caller.connections}"
    problems = [counts] if caller.connections > failed + 1 else []
    return result_of("keep-alive", "the connection stays open between requests", problems, counts, "warn")


async def check_endings(endpoint: Endpoint) -> list[CheckResult]:
    """Start games for snakes that are dead at the end, and post their /end."""
    ends = []
    for requests in recorded_games(endpoint.timeout).values():
        by_phase = {request.phase: request for request in requests}
        start, end = by_phase["start"], by_phase.get("end-eliminated")
        if end is not None:
            snakes = {snake["id"]: snake for snake in start.body["board"]["snakes"]}
            start.body["you"] = snakes[end.body["you"]["id"]]
            ends.append((await converse_with(endpoint, [start, end]))[-1])
    expected = "/end is answered with 200 when `you` is dead and not among the board's snakes"
    return [result_of("dead in /end", expected, problems_of(ends), f"{len(ends)} correct answers")]


_PHASES = ("start", "move-first", "move-early", "move-mid", "move-late", "end")


async def check_parallel_games(endpoint: Endpoint) -> list[CheckResult]:
    """Play several recorded games concurrently, each over separate connections."""
    names = islice(cycle(recorded_games(endpoint.timeout)), endpoint.games)
    games = [recorded_game(name, endpoint.timeout) for name in names]
    played = await asyncio.gather(
        *(converse_with(endpoint, [game[phase] for phase in _PHASES]) for game in games)
    )
    exchanges = [exchange for game in played for exchange in game]
    longest = max(exchange.answer.milliseconds for exchange in exchanges)
    expected = f"{endpoint.games} games at once: every answer correct and within {endpoint.timeout} ms"
    fine = f"{len(exchanges)} correct answers, the longest after {longest:.0f} ms"
    return [result_of("parallel games", expected, problems_of(exchanges), fine)]
