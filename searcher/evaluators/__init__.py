"""Evaluators: how good a position is for one snake. One file here is one evaluator, found by its name.

Such a file has `DESCRIPTION` (one line), `WEIGHTS` (a tuple of Weight) and the function

    evaluate(game, board, weights, snake) -> float

which says from -1 (lost) to 1 (won) how a living snake stands; `weights.values` are in the order of
`WEIGHTS`. What lies outside is clamped. It may also have the function

    at_least(game, board, weights, snake, move) -> float

which looks one turn ahead, and saves searches most of their work where there are three snakes and more: what
`evaluate` says at least after a turn in which the snake makes a move and every other one any of its legal
moves; NOTHING if the snake may die in that turn. Where it promises too much, searches err.

So are modules of installed packages, which offer them under the entry point group `battlesnake.evaluators`.
"""

import math

from searcher.interface import Evaluator as Evaluator
from searcher.interface import Weight as Weight

NOTHING = -math.inf
"""What a move assures one of that may lose."""
