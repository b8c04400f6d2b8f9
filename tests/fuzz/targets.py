"""The targets of fuzzing. A target takes bytes and raises if the code does anything but its contract."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TypeAlias

from google.protobuf.message import DecodeError

from battlesnake_search.board import Turn
from battlesnake_search.common import toml
from battlesnake_search.common.access import Refusal, TokenFile, read_tokens
from battlesnake_search.contract import analysis_pb2, record_pb2, search_pb2
from battlesnake_search.plan import Plan
from battlesnake_search.reader import BadBody, decode
from battlesnake_search.record import wire
from battlesnake_search.translate import search_request
from console.gateway import together
from console.store.feed import server_event
from console.store.live import LiveGames
from console.store.recorder import Recorder
from console.store.records import Header
from gateway import reflex
from gateway.app import RESERVED_PATHS
from gateway.routes import loading
from gateway.routes.draw import choose_arm
from searcher.engine.position import Position
from searcher.engine.rules.packing import pack
from searcher.errors import InvalidRequestError, Violations
from searcher.serving import analysis, translate
from tests.fuzz.services import GatewayPort, SearcherPort
from tests.searcher.fakes import FakeStrategies

Target: TypeAlias = Callable[[bytes], None]

MOVES = ("up", "down", "left", "right")
FIXTURES = Path(__file__).parents[1] / "fixtures" / "requests"


@cache
def _turn() -> Turn:
    return decode((FIXTURES / "standard-move-mid-42.json").read_bytes())


def body(data: bytes) -> None:
    """Read a body of the Battlesnake API; if it can be read, choose a move and translate its position."""
    try:
        turn = decode(data)
    except BadBody as error:
        assert str(error)
        return
    assert reflex.choose(turn) in MOVES
    if not turn.can_move:
        # There is no position to search.
        return
    request = search_request(turn, Plan())
    assert search_pb2.StreamSearchRequest.FromString(request.SerializeToString()) == request
    violations = Violations()
    translate.position_of(request.position, violations)
    assert not violations, list(violations)


def routes(data: bytes) -> None:
    """Read a routes file; if it is valid, route a game by it."""
    file = _file("routes.toml")
    file.write_bytes(data)
    try:
        loaded = loading.load(file, "", RESERVED_PATHS)
    except toml.TomlError:
        return
    for snake in loaded.snakes:
        plan = choose_arm(loaded, snake, _turn(), "").arm.plan(_turn())
        search_request(_turn(), plan)
        assert all(name.isascii() and value.isascii() for name, value in plan.metadata)


def tokens(data: bytes) -> None:
    """Read a file of tokens, and check the first line of the data as a token by it."""
    file = _file("tokens.toml")
    file.write_bytes(data)
    try:
        read_tokens(file)
    except ValueError:
        return
    check = TokenFile(file).check(data.partition(b"\n")[0].decode(errors="surrogateescape"))
    # No digest of a file is that of the file itself.
    assert check.token is None and isinstance(check.refusal, Refusal)


def translator(data: bytes) -> None:
    """Read a message of each kind; a valid one becomes a position that the engine takes."""
    offer = _strategies().offer
    try:
        request = search_pb2.SearchRequest.FromString(data)
        evaluation = analysis_pb2.EvaluateRequest.FromString(data)
        turn = analysis_pb2.AdvanceRequest.FromString(data)
    except DecodeError:
        return
    readings: tuple[Callable[[], Position], ...] = (
        lambda: translate.task_of(request, offer).position,
        lambda: analysis.task_of(evaluation, offer).position,
        lambda: analysis.turn_of(turn)[0],
    )
    for read in readings:
        try:
            position = read()
        except InvalidRequestError as error:
            assert error.violations and error.status().details
        else:
            pack(position)


def record(data: bytes) -> None:
    """Read a request of a gateway. The console records each valid event, and shows a valid status."""
    try:
        request = record_pb2.RecordRequest.FromString(data)
    except DecodeError:
        return
    with suppress(ValueError):
        status = wire.status_of(request.gateway.status)
        assert together([status, status]).port == status.port
    _loop().run_until_complete(_record(request))


async def _record(request: record_pb2.RecordRequest) -> None:
    recorder = Recorder(LiveGames(), _not_stored)
    for message in request.events:
        try:
            event = wire.decode(message)
        except ValueError as error:
            assert str(error)
            continue
        changes = await recorder.take(event)
        assert all(server_event(name, data) for _, name, data in changes.news)


async def _not_stored(_game: str) -> Header | None:
    return None


def searcher(data: bytes) -> None:
    """Send bytes to each method of a searcher."""
    _searcher_port().send(data)


def gateway(data: bytes) -> None:
    """Post bytes to each path of the Battlesnake API."""
    _gateway_port().post(data)


def http(data: bytes) -> None:
    """Send bytes to the gateway's port as they are."""
    _gateway_port().send_raw(data)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    return asyncio.new_event_loop()


@cache
def _strategies() -> FakeStrategies:
    return FakeStrategies()


@cache
def _searcher_port() -> SearcherPort:
    return SearcherPort(_strategies())


@cache
def _gateway_port() -> GatewayPort:
    return GatewayPort()


def _file(name: str) -> Path:
    return Path(_folder().name) / name


@cache
def _folder() -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="battlesnake-fuzz-")


TARGETS: Mapping[str, Target] = MappingProxyType(
    {
        target.__name__: target
        for target in (body, routes, tokens, translator, record, searcher, gateway, http)
    }
)
