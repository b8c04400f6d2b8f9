"""Evaluators: functions that return how good a position is for one snake. Each file here is one evaluator.

Such a file has `DESCRIPTION` (one line), `WEIGHTS` (a tuple of Weight) and the function

    evaluate(game, board, weights, snake) -> float

It returns the value of the board for a living snake, from -1 (lost) to 1 (won); values outside are clamped.
`weights.values` are in the order of `WEIGHTS`. The file may also have the function

    at_least(game, board, weights, snake, move) -> float

It returns a lower bound of what `evaluate` returns after a turn in which the snake makes a move and every
opponent any of its legal moves; NOTHING if the snake may die in that turn. It saves searches among three or
more snakes most of their work. A search errs where the bound is too high.

Modules of installed packages are evaluators as well, if they are entry points of the group
`battlesnake.evaluators`. Evaluators import `searcher.toolkit` and nothing else of this project.
"""
