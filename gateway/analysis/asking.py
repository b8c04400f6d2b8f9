"""Questions that are put to a searcher, with its answers as the JSON of the API."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from battlesnake_search import translate
from battlesnake_search.searcher_client import SearcherClient
from gateway.analysis import answers
from gateway.analysis.answers import Json
from gateway.analysis.questions import Question, SearchQuestion, TurnQuestion, plan_of, position_asked

_LIST_TIMEOUT = 3.0


async def strategies(client: SearcherClient) -> Json:
    """Return what a searcher offers. Raises grpc.aio.AioRpcError, as all of these do."""
    return answers.strategies(await client.list_strategies(_LIST_TIMEOUT))


async def analyze(client: SearcherClient, question: SearchQuestion) -> AsyncGenerator[tuple[bool, Json]]:
    """Yield the decision of each depth, and whether it is final; closing the iterator ends the search.

    Raises BadBody for a malformed strategy.
    """
    request = translate.search_request(position_asked(question), plan_of(question))
    ids = [snake.id for snake in request.position.board.snakes]
    async with aclosing(client.depths(request, question.time_ms / 1000)) as depths:
        async for response in depths:
            yield response.final, answers.decision(response.result, ids, question.time_ms)


async def evaluate(client: SearcherClient, question: Question) -> Json:
    """Return what an evaluator makes of a position. Raises BadBody for a malformed strategy."""
    request = translate.evaluate_request(position_asked(question), plan_of(question))
    return answers.evaluation(await client.evaluate(request))


async def advance(client: SearcherClient, question: TurnQuestion) -> Json:
    """Return the position after a turn."""
    request = translate.advance_request(position_asked(question), question.moves)
    return answers.turn(await client.advance(request))
