"""The reader of other servers' games: it makes a game from an engine's facts and frames, and reads addresses.

Names of fields may have small or capital letters. A missing or null value, or a value of another type, gets
its default.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from math import isfinite
from typing import Any

import msgspec
from yarl import URL

from battlesnake_search.board import (
    DEFAULT_TIMEOUT,
    LONGEST_ID,
    LONGEST_NAME,
    MOST,
    MOST_SIDE,
    MOST_SNAKES,
    Royale,
    Settings,
)
from battlesnake_search.common.types import Json
from battlesnake_search.ports.bounds import is_loopback
from console.replay import goes_on, set_end
from console.store.records import IMPORTED, RUNNING, Fallen, Header, LivingSnake, Position
from console.store.values import Cell, GameSnake

Fields = Json

_UNFINISHED = ("pending", "running")
_BROKEN_OFF = ("error", "stopped")

_PATH = re.compile(r"(?P<prefix>.*?)(/api)?/games?/(?P<game>[^/]+)(/frames)?/?")
_ID = re.compile(r"(?!\.+$)[\w.:~-]{1,128}", re.ASCII)


class RemoteGameError(Exception):
    """A game can't be read from a server. The text is for people, `status` for the console's clients."""

    def __init__(self, reason: str, status: HTTPStatus = HTTPStatus.BAD_GATEWAY) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class GameAddress:
    """A game of a server. `server` is the URL to which the paths of the REST form are appended."""

    server: URL
    game: str

    @property
    def host(self) -> str:
        """The server's host, with its port unless it is the scheme's default."""
        return self.server.host_port_subcomponent or ""


def read_address(text: str) -> GameAddress:
    """Read https://SERVER/games/ID, also with /game/ or /api/games/, or a board's ?game=ID&engine=SERVER.

    The default scheme is https. Raises RemoteGameError for other forms, and for http to other machines.
    """
    url = _url(text)
    if engine := url.query.get("engine"):
        server, game = _url(engine), url.query.get("game", "")
    else:
        found = _PATH.fullmatch(url.path)
        if not found:
            raise _bad(f"{text!r} is not the address of a game like https://SERVER/games/ID")
        server, game = url.with_path(found["prefix"]), found["game"]
    if not _ID.fullmatch(game):
        raise _bad(f"{text!r} names no game")
    return GameAddress(server.with_query(None).with_fragment(None).with_user(None), game)


def require_allowed(address: GameAddress, servers: Collection[str]) -> None:
    """Raise RemoteGameError unless the game's server is one of these, as HOST or HOST:PORT.

    HOST alone stands for the default port.
    """
    host = address.server.host_subcomponent or ""
    names = {f"{host}:{address.server.port}", *([host] if address.server.is_default_port() else [])}
    if names.isdisjoint(server.lower() for server in servers):
        known = ", ".join(servers) or "none"
        raise RemoteGameError(
            f"the console does not read games from {address.host}; servers of --replay-servers: {known}",
            HTTPStatus.FORBIDDEN,
        )


def _url(text: str) -> URL:
    try:
        url = URL(text.strip() if "://" in text else f"https://{text.strip()}")
        host, _port = url.host, url.port
    except ValueError as error:
        raise _bad(f"{text!r} is not an address: {error}") from error
    if not host or url.scheme not in ("https", "http"):
        raise _bad(f"{text!r} is not an address that begins with https://")
    if url.scheme == "http" and not is_loopback(host):
        raise _bad(f"{text!r} is not encrypted: use https://")
    return url


def _bad(reason: str) -> RemoteGameError:
    return RemoteGameError(reason, HTTPStatus.BAD_REQUEST)


class BadFormError(ValueError):
    """An answer without the form of an engine's answer."""


class FrameReader:
    """The reader of a game, first from the facts about it, then from its frames in order."""

    def __init__(self, facts: bytes, game: str) -> None:
        """Read the answer with the facts about a game. Raises BadFormError."""
        answer = fields(_decoded(facts))
        self._facts = fields(answer.get("game")) or answer
        # A console answers at the platform's path, too, but with the turns and in a form of its own.
        if not self._facts.keys() & {"id", "status", "width"} or isinstance(self._facts.get("turns"), list):
            raise BadFormError
        self._game = game
        self._width, self._height = (_side(self._facts.get(side)) for side in ("width", "height"))
        self._snakes: dict[str, GameSnake] = {}
        self._deaths: dict[str, Fallen] = {}
        self._positions: dict[int, Position] = {}
        self._cells: dict[Cell, Cell] = {}
        self._next = 0

    @property
    def turns(self) -> int:
        """The number of turns so far."""
        return len(self._positions)

    def add(self, frame: msgspec.Raw) -> None:
        """Add a frame. An unreadable frame, or a second frame of a turn, is left out."""
        try:
            found = fields(_decoded(frame))
        except BadFormError:
            return
        turn = int(_number(found.get("turn"), self._next))
        if turn < 0 or turn in self._positions or not found:
            return
        self._next = turn + 1
        standing = dict(filter(None, map(self._standing, _list(found.get("snakes")))))
        self._positions[turn] = Position(
            turn, self._cells_of(found.get("food")), self._cells_of(found.get("hazards")), standing
        )

    def game(self) -> tuple[Header, list[Position]]:
        """Return the game with the turns so far. Raises BadFormError without turns."""
        positions = [self._positions[turn] for turn in sorted(self._positions)]
        if not positions:
            raise BadFormError
        header = self._header(positions[-1].turn)
        status = _text(self._facts.get("status")).lower()
        if status in _UNFINISHED or (not status and goes_on(header, positions[-1])):
            header.source = RUNNING
        elif status not in _BROKEN_OFF:
            set_end(header, positions[-1])
        return header, positions

    def _header(self, turns: int) -> Header:
        name, settings = _rules(self._facts, len(self._snakes))
        timeout = self._facts.get("snaketimeout", self._facts.get("timeout"))
        return Header(
            id=_text(self._facts.get("id"), LONGEST_ID) or self._game,
            source=IMPORTED,
            ruleset=name,
            version="",
            settings=settings,
            map=_text(self._facts.get("map")),
            width=self._width or 1 + max((x for x, _ in self._cells), default=0),
            height=self._height or 1 + max((y for _, y in self._cells), default=0),
            timeout_ms=int(_number(timeout)) or DEFAULT_TIMEOUT,
            seen_at=datetime.now(UTC),
            snakes=list(self._snakes.values()),
            turns=turns,
            deaths=list(self._deaths.values()),
        )

    def _standing(self, value: object) -> tuple[str, LivingSnake] | None:
        """Record a frame's snake. Return its id and its place; None for a dead snake."""
        snake = fields(value)
        name = _text(snake.get("name"))
        id_ = _text(snake.get("id"), LONGEST_ID) or name
        if not id_ or (id_ not in self._snakes and len(self._snakes) >= MOST_SNAKES):
            return None
        if id_ not in self._snakes:
            custom = fields(snake.get("customizations"))
            color, head, tail = (
                _text(snake.get(own, custom.get(other)))
                for own, other in (("color", "color"), ("headtype", "head"), ("tailtype", "tail"))
            )
            self._snakes[id_] = GameSnake(id_, name, color, head, tail)
        if self._is_dead(id_, snake.get("death")):
            return None
        body = self._cells_of(snake.get("body"))
        health = min(max(int(_number(snake.get("health"), 100)), 0), 100)
        return (id_, LivingSnake(body, health, max(_number(snake.get("latency")), 0.0))) if body else None

    def _is_dead(self, snake: str, value: object) -> bool:
        """Return whether the snake is dead, by its field Death; record the cause."""
        # Some servers send an empty Death for the living.
        death = fields(value)
        cause = _text(death.get("cause", value if isinstance(value, str) else None))
        if cause and snake not in self._deaths:
            by = _text(death.get("eliminatedby"), LONGEST_ID)
            self._deaths[snake] = Fallen(snake, cause, by or None)
        return bool(cause) or _number(death.get("turn")) > 0

    def _cells_of(self, value: object) -> list[Cell]:
        """Return cells on the board. Equal cells are the same object, to save memory."""
        cells = []
        for each in _list(value):
            if isinstance(each, dict):
                x, y = each.get("X", each.get("x")), each.get("Y", each.get("y"))
            else:
                x, y = each if isinstance(each, list) and len(each) == 2 else (None, None)
            # An engine in Go may leave out a coordinate that is 0.
            cell = int(_number(x, 0 if y is not None else -1)), int(_number(y, 0 if x is not None else -1))
            if 0 <= cell[0] < (self._width or MOST_SIDE) and 0 <= cell[1] < (self._height or MOST_SIDE):
                cells.append(self._cells.setdefault(cell, cell))
        return cells


def frames_of(page: bytes) -> list[msgspec.Raw]:
    """Return the frames of a page, undecoded, so that each is decoded separately. Raises BadFormError."""
    try:
        answer = msgspec.json.decode(page, type=dict[str, msgspec.Raw])
        [frames] = [value for name, value in answer.items() if name.lower() == "frames"]
        return msgspec.json.decode(frames, type=list[msgspec.Raw] | None) or []
    except (ValueError, RecursionError) as error:
        raise BadFormError from error


def fields(value: object) -> Fields:
    """Return an object's fields that are not null, named in small letters; empty for another type."""
    if not isinstance(value, dict):
        return {}
    return {name.replace("_", "").lower(): each for name, each in value.items() if each is not None}


def _rules(facts: Fields, snakes: int) -> tuple[str, Settings]:
    """Return the ruleset's name and settings. Missing settings get the official command line's defaults."""
    stated = facts.get("ruleset")
    ruleset = fields(stated)
    name = _text(facts.get("rulesetname", ruleset.get("name", stated))).lower().replace("-", "_")
    name = name or ("solo" if snakes == 1 else "standard")
    values = ruleset | fields(ruleset.get("settings")) | fields(facts.get("settings"))
    values |= fields(values.get("royale"))
    food = (0, 0) if name.endswith("constrictor") else (15, 1)
    shrink = 25 if "royale" in (name, _text(facts.get("map"))) else 0
    return name, Settings(
        int(_number(values.get("foodspawnchance"), food[0])),
        int(_number(values.get("minimumfood"), food[1])),
        int(_number(values.get("hazarddamageperturn", values.get("damageperturn")), 14)),
        Royale(int(_number(values.get("shrinkeverynturns"), shrink))),
    )


def _decoded(data: bytes | msgspec.Raw) -> object:
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError) as error:
        raise BadFormError from error


def _side(value: object) -> int:
    return min(max(int(_number(value)), 0), MOST_SIDE)


def _number(value: object, otherwise: float = 0.0) -> float:
    """Return a number, or the number in a text."""
    if not isinstance(value, int | float | str):
        return otherwise
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return otherwise
    return number if isfinite(number) and abs(number) <= MOST else otherwise


def _text(value: object, most: int = LONGEST_NAME) -> str:
    """Return a text or a number as bounded text."""
    return str(value).replace("\0", "")[:most] if isinstance(value, str | int) else ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
