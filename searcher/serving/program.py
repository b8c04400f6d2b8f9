"""The searcher as its port knows it: its name, its open services, and the bounds of its messages."""

from battlesnake_search.contract.limits import LARGEST_GAME, LARGEST_MESSAGE
from battlesnake_search.serving.program import MessageBounds, Program

DEFAULT_PORT = 50051

MESSAGE_PATIENCE = 10.0
"""Seconds for the message of a call to arrive."""

MOST_BYTES = 8 * 1024 * 1024
"""The bytes of the messages of all running calls."""

MOST_BYTES_OF_GAMES = 2 * LARGEST_GAME
"""The bytes of the whole games of all running calls. A decoded game takes up to thirty times its bytes."""

WHOLE_GAMES = "battlesnake.search.v1.AnalysisService/AnalyzeGame"

SEARCHER = Program(
    "searcher",
    "search",
    MessageBounds(LARGEST_MESSAGE, MOST_BYTES, MESSAGE_PATIENCE),
    {WHOLE_GAMES: MessageBounds(LARGEST_GAME, MOST_BYTES_OF_GAMES, MESSAGE_PATIENCE)},
    {"reflection": "grpc.reflection.", "strategies": "battlesnake.search.v1.SearchService/ListStrategies"},
)
