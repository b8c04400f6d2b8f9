"""The right to call, as callers see it, and the lines and counters of refused calls."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2

from battlesnake_search.common.access import new_token
from battlesnake_search.common.logs import EventDict
from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2_grpc
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.serving.port import PortSettings
from searcher.serving.server import Server
from tests.battlesnake_search.serving.guarded import (
    OK,
    Reply,
    Tokens,
    bearing,
    call_with_message,
    calling,
    code_of,
    health,
    reply_of,
    search,
    serving,
)
from tests.searcher.requests import duel, search_request, stream_request
from tests.support.logs import capture_logs

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED

ASK = "this searcher asks for a token: send the metadata authorization: Bearer TOKEN"
REFUSE = "this searcher refuses the token: its operator can give you another one"

Events = list[EventDict]


@pytest.fixture
def events() -> Iterator[Events]:
    """The lines of the server's log."""
    with capture_logs() as captured:
        yield captured


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    """A file with the token of "bot"."""
    tokens = Tokens(tmp_path / "tokens.toml")
    tokens.put("bot")
    return tokens


def refused(server: Server, reason: str, token: str = "") -> float:
    """Return how many calls were refused."""
    labels = {"reason": reason, "token": token}
    return server.metrics.registry.get_sample_value("searcher_calls_refused_total", labels) or 0.0


async def reflect(channel: grpc.aio.Channel, token: str = "") -> grpc.StatusCode:
    """Ask for the services; return the status."""
    call = call_with_message(channel, "grpc.reflection.v1.ServerReflection/ServerReflectionInfo")(
        reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString(),
        metadata=bearing(token) if token else (),
    )
    return await code_of(call)


async def replies(channel: grpc.aio.Channel, token: str = "") -> dict[str, grpc.StatusCode]:
    """Make each call of the port once; return the statuses."""
    stub, analysis = (
        search_pb2_grpc.SearchServiceStub(channel),
        analysis_pb2_grpc.AnalysisServiceStub(channel),
    )
    metadata = bearing(token) if token else ()
    stream = stub.StreamSearch(stream_request(search_request(depth=1)), metadata=metadata)
    listing = stub.ListStrategies(pb.ListStrategiesRequest(), metadata=metadata)
    evaluating = analysis.Evaluate(analysis_pb2.EvaluateRequest(position=duel()), metadata=metadata)
    advancing = analysis.Advance(analysis_pb2.AdvanceRequest(position=duel()), metadata=metadata)
    return {
        "search": (await search(channel, token)).code,
        "stream": await code_of(stream),
        "strategies": (await reply_of(listing)).code,
        "evaluate": (await reply_of(evaluating)).code,
        "advance": (await reply_of(advancing)).code,
        "reflection": await reflect(channel, token),
        "health": (await health(channel)).code,
    }


async def test_every_call_but_health_needs_a_token(events: Events, tokens: Tokens) -> None:
    """Without a token only the health answers; with one everything does."""
    async with calling(PortSettings(tokens=tokens.path)) as (_, channel):
        without = await replies(channel)
        assert without.pop("health") == OK
        assert set(without.values()) == {UNAUTHENTICATED}
        assert UNAUTHENTICATED not in (await replies(channel, tokens.texts["bot"])).values()
        assert await reflect(channel, tokens.texts["bot"]) == OK


@pytest.mark.parametrize("opened", ["reflection", "strategies"])
async def test_some_calls_can_be_opened(events: Events, tokens: Tokens, opened: str) -> None:
    """Reflection and the list of strategies are open only if the settings name them."""
    settings = PortSettings(tokens=tokens.path, without_token=(opened,))
    async with serving(settings) as (_, address), grpc.aio.insecure_channel(address) as channel:
        open_calls = {name for name, code in (await replies(channel)).items() if code == OK}
        assert open_calls == {"health", opened}


async def test_a_refusal_says_only_that_a_token_is_missing(events: Events, tokens: Tokens) -> None:
    """Each fault of a token has its own counter and line in the log; its caller always reads the same."""
    tokens.put("former", "revoked = true")
    tokens.put("guest", "expires = 2020-01-01")
    wrong = f"bot.{new_token('bot')[0].partition('.')[2]}"
    another = f"guest.{tokens.texts['bot'].partition('.')[2]}"
    unknown = new_token("nobody")[0]
    sent = {
        ("missing", "", ""): "",
        ("malformed", "", ""): "nonsense",
        ("unknown", "", "nobody"): unknown,
        ("wrong", "bot", "bot"): wrong,
        ("wrong", "guest", "guest"): another,
        ("revoked", "former", "former"): tokens.texts["former"],
        ("expired", "guest", "guest"): tokens.texts["guest"],
    }
    async with calling(PortSettings(tokens=tokens.path)) as (server, channel):
        for (reason, label, name), token in sent.items():
            assert await search(channel, token) == Reply(UNAUTHENTICATED, REFUSE if token else ASK)
            assert refused(server, reason, label) == 1
            logged = events[-1]
            assert (logged["event"], logged["reason"], logged["token"]) == ("call refused", reason, name)
            assert logged["peer"].startswith("ipv4:127.0.0.1:")
    secrets = [token.partition(".")[2] for token in sent.values()]
    assert not [secret for secret in secrets if secret and secret in str(events)]


async def test_two_tokens_are_none(events: Events, tokens: Tokens) -> None:
    """A call with two authorizations is refused, whichever of them is valid."""
    async with calling(PortSettings(tokens=tokens.path)) as (_, channel):
        twice = [*bearing(tokens.texts["bot"]), *bearing("bot.nothing")]
        call = search_pb2_grpc.SearchServiceStub(channel).Search(search_request(depth=1), metadata=twice)
        assert await reply_of(call) == Reply(UNAUTHENTICATED, ASK)
