"""The client of a searcher for Python programs: a /move body in, the best move out.

>>> from battlesnake_search import SyncSearchClient
>>> body = {
...     "game": {"id": "g", "timeout": 500},
...     "turn": 42,
...     "you": {"id": "me", "body": [{"x": 0, "y": 1}, {"x": 0, "y": 0}]},
...     "board": {
...         "width": 11,
...         "height": 11,
...         "snakes": [{"id": "me", "health": 90, "body": [{"x": 0, "y": 1}, {"x": 0, "y": 0}]}],
...         "food": [{"x": 0, "y": 3}],
...     },
... }
>>> with SyncSearchClient("localhost:50051") as client:
...     result = client.search(body, strategy="paranoid/hungry", depth=6)
>>> result.move, result.depth
('up', 6)

`SearchClient` is the same for asynchronous programs. Both keep one connection open: create one of them when
the program starts, and use it for every move.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from battlesnake_search.client import SearchClient, SearchError, SearchResult, TurnAnalysis
    from battlesnake_search.reader import BadBody
    from battlesnake_search.sync_client import SyncSearchClient
    from battlesnake_search.translate import Ending, Evaluator, RootMove, Strategies, Weight

__all__ = [
    "BadBody",
    "Ending",
    "Evaluator",
    "RootMove",
    "SearchClient",
    "SearchError",
    "SearchResult",
    "Strategies",
    "SyncSearchClient",
    "TurnAnalysis",
    "Weight",
]

_MODULES = {
    "BadBody": "reader",
    "Ending": "translate",
    "Evaluator": "translate",
    "RootMove": "translate",
    "SearchClient": "client",
    "SearchError": "client",
    "SearchResult": "client",
    "Strategies": "translate",
    "SyncSearchClient": "sync_client",
    "TurnAnalysis": "client",
    "Weight": "translate",
}


def __getattr__(name: str) -> object:
    """Import a name of the client on its first use, because a searcher needs only this package's contract."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
