"""Requests to a snake as engines send them, the answers with their times, and the results of checks.

`bodies.jsonl` has the requests that the official engine sent in recorded games, one game for each ruleset and
for some maps. Each line is a request, in the order of the engine.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass
from importlib import resources
from time import perf_counter
from typing import Literal
from uuid import uuid4

import aiohttp
import msgspec

from arena.players.url import reason_of
from battlesnake_search.common.types import Json
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX

Body = Json


class Request(msgspec.Struct, frozen=True):
    """A POST request of an engine.

    `game` names the recorded game. `phase` names the moment in it: start, move-first (the same position,
    still turn 0), move-early, move-mid, move-late, move-alone (after the game's decision), end, or
    end-eliminated (`you` is dead).
    """

    game: str
    phase: str
    body: Body

    @property
    def webhook(self) -> str:
        """The webhook: start, move or end."""
        return self.phase.partition("-")[0]

    def __str__(self) -> str:
        return f"{self.phase} of {self.game}, turn {self.body['turn']}"


def recorded_games(timeout: int) -> dict[str, list[Request]]:
    """Return the requests of all games by the game's name, with new game ids and this timeout in ms.

    The ids have the mark of test games, so that a gateway can leave the games out of its statistics.
    """
    lines = resources.files(__package__).joinpath("bodies.jsonl").read_bytes()
    games: dict[str, list[Request]] = {}
    for request in msgspec.json.Decoder(Request).decode_lines(lines):
        games.setdefault(request.game, []).append(request)
        if request.phase == "start":
            first = Request(request.game, "move-first", deepcopy(request.body))
            games[request.game].append(first)
    for requests in games.values():
        game_id = f"{TEST_GAME_PREFIX}{uuid4()}"
        for request in requests:
            request.body["game"] |= {"id": game_id, "timeout": timeout}
    return games


def recorded_game(name: str, timeout: int) -> dict[str, Request]:
    """Return the requests of one game by their phase, with a new game id and this timeout in ms."""
    return {request.phase: request for request in recorded_games(timeout)[name]}


TIMEOUTS_AWAITED = 2
"""A check waits this many timeouts for an answer. The engine waits for one timeout. A longer wait shows how
late the answer is."""

_HEADERS = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. Times are in milliseconds since the request was sent."""

    milliseconds: float
    """The time at which the body was complete, or the request failed."""
    failure: str | None = None
    """The name of the fault, and why the answer is missing or incomplete, or None for a complete answer."""
    silent: bool = False
    """Whether no answer arrived during the wait."""
    status: int = 0
    content_type: str = ""
    content: bytes = b""
    gap: float = 0.0
    """The time between headers and body, or 0 if they arrived together."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The snake to check: its URL, the timeout of games in milliseconds, and the number of parallel games."""

    url: str
    timeout: int
    games: int

    @asynccontextmanager
    async def caller(self) -> "AsyncIterator[Caller]":
        """Yield a caller of the snake without open connections."""
        caller, trace = Caller(self.url, self.timeout), aiohttp.TraceConfig()
        trace.on_connection_create_end.append(caller.count)
        patience = aiohttp.ClientTimeout(total=TIMEOUTS_AWAITED * self.timeout / 1000)
        async with aiohttp.ClientSession(
            trace_configs=[trace], timeout=patience, headers=_HEADERS
        ) as session:
            caller.session = session
            yield caller


class Caller:
    """Keep-alive connections to one snake. `connections` counts them."""

    session: aiohttp.ClientSession

    def __init__(self, url: str, timeout: int) -> None:
        self.timeout = timeout
        self.connections = 0
        self._url = url.rstrip("/")

    async def post(self, request: Request) -> Answer:
        """Post a request of an engine."""
        return await self.ask("POST", f"/{request.webhook}", msgspec.json.encode(request.body))

    async def ask(self, method: str, path: str, body: bytes | None = None) -> Answer:
        """Send a request to the snake's URL followed by `path`, as the engine does."""
        started = perf_counter()
        try:
            return await self._answer(method, path, body, started)
        except TimeoutError:
            waited = _since(started)
            return Answer(waited, failure=f"late: no answer within {waited:.0f} ms", silent=True)
        except (aiohttp.ClientError, UnicodeError) as error:
            # A host name that can't be encoded raises UnicodeError.
            return Answer(_since(started), failure=f"crashed: {reason_of(error)}")

    async def _answer(self, method: str, path: str, body: bytes | None, started: float) -> Answer:
        async with self.session.request(method, f"{self._url}{path}", data=body) as response:
            headers, whole = _since(started), response.content.is_eof()
            content = await response.read()
        end = _since(started)
        return Answer(
            milliseconds=end,
            status=response.status,
            content_type=response.content_type,
            content=content,
            gap=0.0 if whole else end - headers,
        )

    async def count(self, *_: object) -> None:
        """Count a new connection."""
        self.connections += 1


def _since(started: float) -> float:
    return (perf_counter() - started) * 1000


MOVES = ("up", "down", "left", "right")

_SHOWN = 60
"""The most characters of an answer to show."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, its answer, and the problem in the answer: the name of its fault and a reason, or None.

    Faults have the names that matches use: late, invalid, refused, crashed.
    """

    request: Request
    answer: Answer
    problem: str | None

    def __str__(self) -> str:
        return f"{self.problem or 'correct'} ({self.request})"


async def exchange(caller: Caller, request: Request) -> Exchange:
    """Post a request, and find the problem in its answer."""
    answer = await caller.post(request)
    return Exchange(request, answer, problem_in(request.webhook, answer, caller.timeout))


async def converse(caller: Caller, requests: Iterable[Request]) -> list[Exchange]:
    """Post the requests of a game in order, up to the first request that gets no answer.

    Each request contains the measured latency of the /move before it, as an engine reports it.
    """
    exchanges: list[Exchange] = []
    latency = 0.0
    for request in requests:
        _set_latency(request.body, latency)
        exchanges.append(await exchange(caller, request))
        answer = exchanges[-1].answer
        if answer.silent:
            break
        if request.webhook == "move":
            latency = min(answer.milliseconds, caller.timeout)
    return exchanges


async def converse_with(endpoint: Endpoint, requests: Iterable[Request]) -> list[Exchange]:
    """Post the requests of a game in order, over new connections."""
    async with endpoint.caller() as caller:
        return await converse(caller, requests)


def _set_latency(body: Body, latency: float) -> None:
    """Set the latency in the board's copy of the snake. In `you` the official engine always sends "0"."""
    for snake in body["board"]["snakes"]:
        if snake["id"] == body["you"]["id"] and "latency" in snake:
            snake["latency"] = str(round(latency))


def problems_of(exchanges: Sequence[Exchange]) -> list[str]:
    """Return the exchanges with a problem, as text."""
    return [str(exchange) for exchange in exchanges if exchange.problem]


def problem_in(webhook: str, answer: Answer, timeout: int) -> str | None:
    """Return why an engine with this timeout (ms) would reject the answer to a webhook (start, move, end)."""
    if answer.failure:
        return answer.failure
    if answer.milliseconds > timeout:
        return f"late: {answer.milliseconds:.0f} ms"
    if answer.status != 200:
        return f"refused: HTTP status {answer.status}"
    return _problem_in_move(answer.content) if webhook == "move" else None


def fields_of(content: bytes) -> dict[str, object] | None:
    """Return the fields of a JSON object, or None for anything else."""
    try:
        decoded = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return decoded if isinstance(decoded, dict) else None


def shown(content: bytes) -> str:
    """Return the start of the content, as text on one line."""
    text = content.decode(errors="replace")
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _problem_in_move(content: bytes) -> str | None:
    fields = fields_of(content)
    if fields is None:
        return f"invalid: not a JSON object: {shown(content)}"
    if fields.get("move") not in MOVES:
        return f"invalid: move is {fields.get('move')!r}, not one of {', '.join(MOVES)}"
    if not isinstance(fields.get("shout"), str | None):
        return f"invalid: shout is {fields['shout']!r}, not text"
    return None


Outcome = Literal["pass", "warn", "fail"]
"""The outcome is "warn" if the official engine tolerates the deviation, or if the deviation only costs
time."""

_PROBLEMS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check, with the expected and the received behaviour."""

    name: str
    outcome: Outcome
    expected: str
    came: str


def result_of(
    name: str, expected: str, problems: Sequence[str], fine: str, otherwise: Outcome = "fail"
) -> CheckResult:
    """Return a pass with the text `fine` or, if problems exist, `otherwise` with the first problems."""
    if not problems:
        return CheckResult(name, "pass", expected, fine)
    more = [f"and {len(problems) - _PROBLEMS_SHOWN} more"] if len(problems) > _PROBLEMS_SHOWN else []
    return CheckResult(name, otherwise, expected, "; ".join([*problems[:_PROBLEMS_SHOWN], *more]))
