"""A live game on a terminal, by the events of the console's API."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from http import HTTPStatus
from typing import Self
from urllib.parse import quote

import aiohttp
import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from battlesnake_search.common.drawing import FAINT, draw_board, draw_key, letter, printable
from battlesnake_search.common.types import Json

_ANSWERED_WITHIN = 10.0
"""Seconds for an answer. A stream of events may be silent for longer."""

_SILENCE = 60.0
"""Seconds without an event or a heartbeat after which a stream counts as lost."""

_LONGEST_EVENT = 2**20
"""Bytes."""


class ConsoleError(Exception):
    """The console can't be reached, or refuses the request. The text is for people."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game: its name ("turn", "decision" or "end") and its data."""

    name: str
    data: Json


class ConsoleClient:
    """A client of the console at a URL. It sends the token with each request, unless the token is empty.

    An asynchronous context manager. Every method raises ConsoleError.
    """

    def __init__(self, url: str, token: str = "") -> None:
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(read_bufsize=_LONGEST_EVENT, headers=self._headers)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def running_game(self) -> str | None:
        """Return the id of the newest running game; None without a running game."""
        games = (await self._json("/api/games"))["games"]
        return next((game["id"] for game in games if not game["over"]), None)

    async def game(self, id_: str) -> Json:
        """Return a whole game by its id or its short id of the log."""
        return await self._json(f"/api/games/{quote(id_, safe='')}")

    async def events(self, id_: str) -> AsyncGenerator[Event | None]:
        """Yield None when the stream of a game's events is open, then each event."""
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=_ANSWERED_WITHIN, sock_read=_SILENCE)
        path = f"/api/games/{quote(id_, safe='')}/events"
        try:
            async with self._session.get(self._url + path, timeout=timeout) as answer:
                await self._check(answer)
                yield None
                async for event in _parsed(answer.content):
                    yield event
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._lost() from error

    async def _json(self, path: str) -> Json:
        timeout = aiohttp.ClientTimeout(total=_ANSWERED_WITHIN)
        try:
            async with self._session.get(self._url + path, timeout=timeout) as answer:
                await self._check(answer)
                found: Json = msgspec.json.decode(await answer.read())
                return found
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._lost() from error
        except msgspec.DecodeError as error:
            raise ConsoleError(f"{self._url} is not a console: it answers {path} without JSON") from error

    async def _check(self, answer: aiohttp.ClientResponse) -> None:
        """Raise ConsoleError with the console's reason, unless the request has succeeded."""
        if answer.status == 200:
            return
        if answer.status == HTTPStatus.UNAUTHORIZED:
            demand = "refuses the token: give another one" if self._headers else "asks for a token: give one"
            raise ConsoleError(f"{self._url} {demand} with --token or ADMIN_TOKEN.")
        try:
            reason = msgspec.json.decode(await answer.read())["error"]
        except (msgspec.DecodeError, LookupError, TypeError):
            reason = f"it answers {answer.status} to {answer.url.path}"
        raise ConsoleError(f"{self._url}: {reason}")

    def _lost(self) -> ConsoleError:
        return ConsoleError(
            f"no console answers at {self._url}. A gateway tells its console's address when it starts; "
            "--admin names it here."
        )


async def _parsed(stream: aiohttp.StreamReader) -> AsyncIterator[Event]:
    """Yield the events of a stream in the HTML standard's format, limited to the console's use of it."""
    name, data = "", ""
    async for line in stream:
        field, _, value = line.decode().rstrip("\r\n").partition(":")
        if field == "event":
            name = value.removeprefix(" ")
        elif field == "data":
            data += value.removeprefix(" ")
        elif not field and not value and name:
            yield Event(name, msgspec.json.decode(data) if data else {})
            name, data = "", ""


class WatchedGame:
    """A game from the console's JSON, extended by events."""

    def __init__(self, game: Json) -> None:
        self.game = game
        self.over: bool = game["over"]
        self.result: Json | None = game["result"]
        self.turn: Json | None = None
        self.decisions: list[Json | None] = [None for _ in game["snakes"]]
        self.deaths: list[Json | None] = [None for _ in game["snakes"]]
        for turn in game["turns"]:
            self._add_turn(turn)

    def add(self, event: Event) -> None:
        """Add an event."""
        if event.name == "turn":
            self._add_turn(event.data)
        elif event.name == "decision":
            self.decisions[event.data["snake"]] = event.data["decision"]
        elif event.name == "end":
            self.over, self.result = True, event.data.get("result", self.result)

    def _add_turn(self, turn: Json) -> None:
        self.turn = turn
        for snake, decision in enumerate(turn.get("decisions") or ()):
            self.decisions[snake] = decision or self.decisions[snake]
        for death in turn.get("deaths") or ():
            self.deaths[death["snake"]] = {"turn": turn["turn"]} | death


_SHOWN_MOVES = 8
"""The most moves of an expected line that are shown."""

_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}


def screen(watched: WatchedGame) -> RenderableType:
    """Return the display of the game's newest turn."""
    turn = watched.turn
    if turn is None:
        return Text("waiting for the first turn")
    game, food, hazards = watched.game, _cells(turn["food"]), _cells(turn["hazards"])
    bodies = {index: _cells(snake["body"]) for index, snake in enumerate(turn["snakes"]) if snake}
    parts: list[RenderableType] = [
        _headline(watched, turn),
        draw_board(game["width"], game["height"], bodies, food, hazards),
    ]
    if key := draw_key(food, hazards):
        parts.append(key)
    return Group(*parts, _snakes(watched, turn), *_decisions(watched))


def _cells(points: list[list[int]]) -> list[tuple[int, int]]:
    return [(x, y) for x, y in points]


def _headline(watched: WatchedGame, turn: Json) -> Text:
    game = watched.game
    where = "" if game["map"] in ("", "standard") else f" on {game['map']}"
    kind = f"{game['ruleset']}{where}, {game['width']}x{game['height']}"
    return Text.assemble((f"Turn {turn['turn']}", "bold"), f"  {kind}  ", (_outcome(watched), "bold"))


def _outcome(watched: WatchedGame) -> str:
    if not watched.over:
        return "live"
    winner = (watched.result or {}).get("winner")
    return "over, no winner" if winner is None else f"over, {_name(watched.game['snakes'][winner])} won"


def _name(snake: Json) -> str:
    return printable(snake["name"]).plain or "unnamed"


def _snakes(watched: WatchedGame, turn: Json) -> Table:
    """Return a line for each snake."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for index, snake in enumerate(watched.game["snakes"]):
        name = Text(_name(snake), "bold" if snake["ours"] else "")
        seen = turn["snakes"][index]
        state = Text(_death(watched, index), FAINT) if seen is None else Text(_state(seen))
        table.add_row(letter(index), name, state)
    return table


def _state(seen: Json) -> str:
    return f"health {seen['health']:>3}  length {len(seen['body']):>3}"


def _death(watched: WatchedGame, snake: int) -> str:
    death = watched.deaths[snake]
    if death is None:
        return "not on the board"
    by = "" if death["by"] is None else f" of {_name(watched.game['snakes'][death['by']])}"
    # The cause is unknown if the boards allow several explanations, or allow none.
    cause = f": {death['cause'].replace('-', ' ')}{by}" if death["cause"] else ""
    late = ", late answer" if death.get("late") else ""
    return f"died in turn {death['turn']}{cause}{late}"


def _decisions(watched: WatchedGame) -> Iterator[Text]:
    """Yield a line with the last known decision of each snake."""
    for snake, decision in enumerate(watched.decisions):
        if decision is not None:
            yield Text.assemble(letter(snake), "  ", _decision(decision, snake))


def _decision(decision: Json, snake: int) -> Text:
    source = decision.get("source", "search")
    parts = [
        f"{_ARROWS[decision['move']]} {decision['move']}",
        "" if source == "search" else source,
        _known(decision, "depth", "depth {:.0f}"),
        _known(decision, "score", "score {:+.3f}"),
        _known(decision, "time_ms", "{:.0f} ms"),
        "LATE" if decision.get("late") else "",
        _expected(decision, snake),
    ]
    return Text("  ".join(filter(None, parts)), "bold bright_red" if decision.get("late") else "")


def _known(decision: Json, field: str, form: str) -> str:
    value = decision.get(field)
    return "" if value is None else form.format(value)


def _expected(decision: Json, snake: int) -> str:
    moves = [joint[snake] for joint in decision.get("pv") or ()][:_SHOWN_MOVES]
    arrows = "".join(_ARROWS[move] for move in moves if move)
    return f"expects {arrows}" if arrows else ""


_PAUSE = 1.0
"""Seconds between two searches for a running game, and between two attempts to reconnect."""

_ATTEMPTS = 10
"""The successive attempts to reach a lost console."""


async def watch(url: str, token: str, id_: str | None, console: Console) -> None:
    """Show a game, or the newest running game, until it is over. Raises ConsoleError.

    Without a terminal, only the last picture of the game is printed.
    """
    async with ConsoleClient(url, token) as client:
        chosen = id_ or await _running_game(client, console)
        # At the end, the last picture stays on the terminal.
        with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
            await follow(client, chosen, lambda game: live.update(screen(game), refresh=True))


async def _running_game(client: ConsoleClient, console: Console) -> str:
    """Wait for a running game; return the id of the newest one."""
    if (found := await client.running_game()) is not None:
        return found
    console.print("No game is being played; waiting for one.")
    while (found := await client.running_game()) is None:
        await asyncio.sleep(_PAUSE)
    return found


async def follow(client: ConsoleClient, id_: str, show: Callable[[WatchedGame], None]) -> None:
    """Show a game until it is over. If the connection is lost, connect and read the game again."""
    watched = WatchedGame(await client.game(id_))
    id_ = watched.game["id"]
    attempts = 0
    while not watched.over:
        show(watched)
        try:
            async with aclosing(client.events(id_)) as events:
                async for event in events:
                    if event is None:
                        # From here on, all changes arrive as events.
                        watched, attempts = WatchedGame(await client.game(id_)), 0
                    else:
                        watched.add(event)
                    if watched.over:
                        break
                    show(watched)
        except ConsoleError:
            attempts += 1
            if attempts > _ATTEMPTS:
                raise
            await asyncio.sleep(_PAUSE)
    show(watched)
