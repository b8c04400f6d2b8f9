"""Requests with their answers, and whether the official engine would accept them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from arena.compliance.caller import Answer, Caller
from arena.compliance.requests import Body, Request

MOVES = ("up", "down", "left", "right")

_SHOWN = 60
"""The most characters of an answer to show."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request, its answer, and the problem in the answer: the name of its fault and a reason, or None.

    The names of faults are those of matches: late, invalid, refused, crashed.
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
    """Post the requests of a game in order, up to the first without an answer.

    Each request contains the latency of the last /move.
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


def _set_latency(body: Body, latency: float) -> None:
    """Set the latency in the board's copy of the snake; in `you` the official engine always sends "0"."""
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
    """Return the fields of a JSON object; None for anything else."""
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
