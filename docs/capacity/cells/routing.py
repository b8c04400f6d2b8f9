"""The cell of each game, by rendezvous hashing (Thaler and Ravishankar, 1998).

Every pair of a game and a cell has a weight, and a game is played in the cell with the largest one. So a cell
that fails moves its own games alone, and they spread over all others; when it is back, it gets the same games
again. Whoever knows the names of the cells finds the same cell, without asking anybody.
"""

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]

_BLOCK = 1 << 14
"""Games whose weights are in memory at once."""


def key(name: str) -> int:
    """Return the key of a game's id or a cell's name: 64 bits that look random."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest())


def cell_keys(count: int) -> Keys:
    """Return the keys of so many cells."""
    return np.array([key(f"cell-{number}") for number in range(count)], dtype=np.uint64)


def route(games: Keys, cells: Keys, is_up: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """Return the index of each game's cell, among those that are up; all, by default."""
    up = np.arange(len(cells)) if is_up is None else np.flatnonzero(is_up)
    blocks = [games[at : at + _BLOCK] for at in range(0, len(games), _BLOCK)]
    best = [_mixed(block[:, None] ^ cells[up][None, :]).argmax(axis=1) for block in blocks]
    return up[np.concatenate(best)] if best else np.zeros(0, dtype=np.int64)


def _mixed(values: Keys) -> Keys:
    """Return other values that look random, each input's own: the end of the generator splitmix64."""
    mixed = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
