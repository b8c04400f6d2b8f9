"""The calls of the service, over a real connection."""

import grpc
import pytest

from battlesnake_search.contract import search_pb2 as pb
from searcher.serving import service
from tests.searcher.requests import search_request, stream_request
from tests.searcher.serving.calls import Stub, code_of, violations_in


async def test_search_responds_once_with_the_result(stub: Stub) -> None:
    """The response to a search has its result and the strategy that was used."""
    result = (await stub.Search(search_request(depth=3))).result
    assert (result.move, result.depth, result.nodes) == (pb.DIRECTION_LEFT, 3, 30)
    assert result.stop_reason == pb.STOP_REASON_DEPTH
    assert dict(result.strategy.weights) == {"space": 1.0, "food": 0.5}
    assert [dict(joint.moves) for joint in result.principal_variation] == [
        {"me": pb.DIRECTION_UP, "you": pb.DIRECTION_UP}
    ] * 3
    assert result.root_moves[0].outcome.kind == pb.OUTCOME_KIND_WIN


async def test_a_stream_responds_as_depths_complete(stub: Stub) -> None:
    """Responses arrive during the search; only the last one is final and has a stop reason."""
    responses = [response async for response in stub.StreamSearch(stream_request(search_request(depth=8)))]
    depths = [response.result.depth for response in responses]
    assert len(depths) > 2
    assert depths == sorted(depths)
    assert depths[-1] == 8
    *parts, last = responses
    assert last.final
    assert last.result.stop_reason == pb.STOP_REASON_DEPTH
    assert not any(response.final or response.result.stop_reason for response in parts)


@pytest.mark.parametrize("streamed", [False, True])
async def test_an_invalid_request_names_its_field(stub: Stub, streamed: bool) -> None:
    """The violation is in the BadRequest detail and in the message, for both calls."""
    request = search_request(depth=1)
    request.position.board.snakes[1].body[3].x = 30
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await (stub.StreamSearch(stream_request(request)).read() if streamed else stub.Search(request))
    assert violations_in(caught.value).keys() == {"position.board.snakes[1].body[3]"}
    assert "(30, 6) is off the 11x11 board" in (caught.value.details() or "")


async def test_many_long_violations_still_arrive(stub: Stub) -> None:
    """However many violations there are, the response fits into gRPC's limit of headers."""
    request = search_request(depth=1)
    request.position.you_id = "\N{SNAKE}" * 3_000
    request.position.board.food.extend([pb.Point(x=-1, y=-1)] * 1_000)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Search(request)
    assert caught.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert "position.board.food[2]" in (caught.value.details() or "")


async def test_answers_and_refusals_report_the_load(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal has its details, too. The trailer has another name here: gRPC keeps the real one."""
    monkeypatch.setattr(service, "TRAILER", "load-bin")
    for milliseconds, keys in ((200, {"load-bin"}), (4, {"load-bin", "grpc-status-details-bin"})):
        call = stub.Search(search_request(milliseconds=milliseconds))
        await code_of(call)
        assert {key for key, _ in await call.trailing_metadata() or ()} == keys


async def test_a_failed_search_affects_no_other(stub: Stub) -> None:
    """A search that fails is INTERNAL for its caller, and its worker continues."""
    request = search_request(depth=2)
    request.strategy.search = "broken"
    assert await code_of(stub.Search(request)) == grpc.StatusCode.INTERNAL
    responses = stub.StreamSearch(stream_request(request))
    first = await responses.read()
    assert (first.result.depth, first.final) == (1, False)
    assert await responses.code() == grpc.StatusCode.INTERNAL
    assert (await stub.Search(search_request(depth=2))).result.depth == 2
