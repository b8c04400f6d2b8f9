"""A turn for which a move is wanted, as the gateway understands it."""

from dataclasses import dataclass

from battlesnake_search.board import Turn
from battlesnake_search.searchable import Searchable


@dataclass(frozen=True, slots=True)
class View:
    """A turn with the living snakes alone on its board, and its position as a search takes it.

    `late_before`: our answer of the turn before was too late to be played.
    """

    turn: Turn
    position: Searchable
    late_before: bool = False
