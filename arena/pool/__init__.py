"""The pool: opponents with different tempers. One file here is one opponent, found by its name.

Such an opponent looks one turn ahead. Its file has `DESCRIPTION` (one line) and the function

    rate(game, board, snake, cell) -> float

The function returns how much the snake likes to enter a cell: the highest value wins. `board` is the board
before the turn. The function is compiled like an evaluator, and imports `searcher.toolkit` and the features
that opponents share. It ignores safety and hunger, because `arena.players.one_turn` passes only the safest
cells, and lets a hungry snake eat.

A module whose name starts with an underscore is not an opponent: it holds code that opponents share.
`SEARCHES` are the opponents of the pool that search. Imports searcher.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PoolSearch:
    """A search of the pool: the text of its entrant, without limits, and a line that describes it."""

    text: str
    description: str


SEARCHES: Mapping[str, PoolSearch] = {
    "feeder": PoolSearch(
        "brs/balanced,weight.length=1,weight.food=0.6,weight.area=0.05,weight.share=0.05",
        "Best-reply search; length above all.",
    ),
    "gambler": PoolSearch("mcts/balanced", "Monte Carlo tree search; every snake plays for itself."),
    "glutton": PoolSearch(
        "paranoid/hungry,weight.length=1.5,weight.area=0.1,weight.share=0.1",
        "Paranoid search; growth above all.",
    ),
    "landlord": PoolSearch("paranoid/area", "Paranoid search; area above all."),
    "maxn": PoolSearch("maxn/balanced", "MaxN search; every snake plays for itself."),
    "measurer": PoolSearch("paranoid/length", "Paranoid search; nothing but length and health."),
    "replier": PoolSearch("brs/balanced", "Best-reply search; the default evaluator."),
    "slitherer": PoolSearch("brs/slither", "Best-reply search; room, food and heads in its own sector."),
}
