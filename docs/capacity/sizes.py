"""The size of one cell, and what would meet where there were none."""

from collections.abc import Sequence

from docs.capacity.costs import GAME_MINUTES
from docs.capacity.measured import Round, pace
from docs.capacity.page import figure, table

SEARCHERS, CORES = 100, 2
"""Searchers of a cell, and cores of each."""

GATEWAY_LOAD = 0.5
"""Share of its core that a gateway uses. With more, moves wait for one another."""

POSITION = 4000
"""Bytes of a position."""

WORLD = 1_000_000
"""Games at once, over all cells."""


def cell_table(rounds: Sequence[Round]) -> str:
    """Return the table of what a cell has and does, by games on a core."""
    head = (
        "games a core",
        "games",
        f"cells for {WORLD:,} games",
        "gateways",
        "connections",
        "without cells",
        "outcomes a second",
        "MB a second",
    )
    return table(head, (_row(each) for each in rounds))


def _row(measured: Round) -> list[str]:
    games = measured["games a core"] * SEARCHERS * CORES
    moves = games * pace(measured)
    gateways = max(2, gateways_for(moves, measured))
    cells = WORLD / games
    return [
        f"{measured['games a core']:.0f}",
        f"{games:,.0f}",
        f"{cells:,.0f}",
        f"{gateways:,.0f}",
        f"{gateways * SEARCHERS:,.0f}",
        f"{gateways_for(moves * cells, measured) * SEARCHERS * cells:,.0f}",
        figure(games / (GAME_MINUTES * 60)),
        figure(moves * POSITION / 1e6),
    ]


def gateways_for(moves: float, measured: Round) -> int:
    """Return the gateways for so many moves a second."""
    return -int(-moves * measured["gateway ms a move"] / 1000 // GATEWAY_LOAD)
