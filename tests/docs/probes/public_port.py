"""One step more of each input of the gateway's public port."""

import asyncio
import json

import msgspec
import pytest

from battlesnake_search.board import Turn
from battlesnake_search.reader import read
from console.replay import official
from gateway.game.running_games import Games
from gateway.play import player
from gateway.play.budget import Budget
from tests.battlesnake_search import test_mends
from tests.battlesnake_search.ports import test_connections
from tests.console.replay.test_servers import FACTS, SNAKE, read_frames
from tests.console.store.game_samples import recording
from tests.console.store.outcome_samples import choice, recorded
from tests.docs.bounds import probe, tested
from tests.gateway import scripted_searcher
from tests.gateway.clients import playing, post_move
from tests.gateway.scripted_searcher import body

START = recorded("standard-start-0")


def _sent(size: int, **fields: object) -> bytes:
    """Return a body of a size in bytes, filled up with spaces."""
    encoded = json.dumps(body() | fields).encode()
    return encoded + b" " * (size - len(encoded))


@probe("battlesnake_search.contract.limits.LARGEST_BODY")
async def _body(most: int) -> None:
    async with playing(scripted_searcher.at_once) as client:
        for size, status in ((most, 200), (most + 1, 413)):
            async with client.post("/move", data=_sent(size)) as answer:
                assert answer.status == status


@probe("battlesnake_search.board.MOST_SIDE")
async def _side(most: int) -> None:
    service = scripted_searcher.ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(service) as target, scripted_searcher.gateway(target) as client:
        for side, searches in ((most, 1), (most + 1, 1)):
            sent = body()
            sent["board"] |= {"width": side, "height": side}
            await post_move(client, sent)
            assert len(service.requests) == searches
    for side in (most, most + 1):
        header, _ = read_frames({"ID": "g", "Width": side, "Height": side}, {"Turn": 0})
        assert (header.width, header.height) == (most, most)
    assert official.read(_file(most))[0].width == most
    with pytest.raises(official.BadFileError, match=f"a side may have {most}"):
        official.read(_file(most + 1))


def _file(side: int) -> bytes:
    """Return a file of the official engine with one turn of a game on a square board."""
    sent = body()
    sent["board"] |= {"width": side, "height": side}
    return b"".join(json.dumps(line).encode() + b"\n" for line in (sent["game"], sent))


@probe("battlesnake_search.board.MOST_SNAKES")
async def _snakes(most: int) -> None:
    sent = body()
    sent["board"]["snakes"] += [
        sent["board"]["snakes"][0] | {"id": str(number)} for number in range(most + 1)
    ]
    turn = read(json.dumps(sent).encode()).turn
    assert len(turn.board.snakes) == most
    async with recording() as records:
        await records.started(msgspec.structs.replace(turn, turn=0))
        other = msgspec.structs.replace(turn.board.snakes[-1], id="one more")
        await records.started(turn.with_board(snakes=[*turn.board.snakes[:-1], other]))
        assert [len(game.header.snakes) for game in records.live] == [most]
    snakes = [SNAKE | {"ID": str(number)} for number in range(most + 1)]
    header, _ = read_frames(FACTS, {"Turn": 0, "Snakes": snakes})
    assert [snake.id for snake in header.snakes] == [str(number) for number in range(most)]


@probe("battlesnake_search.board.LONGEST_ID")
async def _id(most: int) -> None:
    for length in (most, most + 1):
        turn = read(json.dumps(body(id="i" * length)).encode()).turn
        assert len(turn.game.id) == most
        assert (turn.game.id == "i" * most) == (length == most)


@probe("battlesnake_search.board.LONGEST_NAME")
async def _name(most: int) -> None:
    for length in (most, most + 1):
        sent = body(map="m" * length)
        sent["you"]["name"] = sent["board"]["snakes"][0]["name"] = "n" * length
        turn = read(json.dumps(sent).encode()).turn
        assert turn.game.map == "m" * most and len(turn.board.snakes[0].name) == most


@probe("gateway.play.budget.LONGEST_TIMEOUT")
async def _timeout(most: float) -> None:
    longer = msgspec.structs.replace(START.game, timeout=int(most) + 60_000)
    turn = msgspec.structs.replace(START, game=longer)
    assert Budget(longer.timeout).divide(turn, late=False).answer < most


@probe("gateway.play.player.MOST_SEARCHES")
async def _searches(most: int) -> None:
    monkey = pytest.MonkeyPatch()
    service = scripted_searcher.ScriptedService(scripted_searcher.one_depth_then_silence)
    # The default is far more than a test machine searches.
    monkey.setattr(player, "MOST_SEARCHES", most // 128)
    async with scripted_searcher.searcher(service) as target, scripted_searcher.gateway(target) as client:
        bodies = [body(id=str(number), timeout=2000) for number in range(most // 128 + 1)]
        await asyncio.gather(*(post_move(client, sent) for sent in bodies))
    monkey.undo()
    assert len(service.requests) == most // 128


def _named(game: str) -> Turn:
    return msgspec.structs.replace(START, game=msgspec.structs.replace(START.game, id=game))


@probe("gateway.game.running_games.MOST_BYTES")
async def _bytes_of_games(most: int) -> None:
    games = Games(lambda: 0.0, lambda _event: None)
    fitting = most // (2 * START.size)
    for number in range(fitting + 1):
        assert len(games) == number
        games.start(_named(str(number)), choice())
    assert len(games) <= fitting


_PORT = "battlesnake_search.ports.bounds.DEFAULT_PORT_BOUNDS"

for name in ("connections", "per_address"):
    tested(f"{_PORT}.{name}", test_connections.test_a_port_full_of_players_refuses)
tested(f"{_PORT}.bytes", test_connections.test_large_requests_are_bounded_together)
tested(f"{_PORT}.request", test_connections.test_a_request_that_does_not_arrive_is_cut_off)
tested(f"{_PORT}.idle", test_connections.test_an_idle_connection_is_closed_but_not_counted)
tested("battlesnake_search.board.LARGEST_MENDED", test_mends.test_a_large_body_is_not_mended)
