"""Evaluators: functions that return how good a position is for one snake. Each file here is one evaluator.

Such a file has `DESCRIPTION` (one line), `WEIGHTS` (a tuple of Weight) and the function

    evaluate(game, board, weights, snake) -> float

It returns the value of the board for a living snake, from -1 (lost) to 1 (won). Values outside of this range
are clamped. `weights.values` are in the order of `WEIGHTS`.

Modules of installed packages are evaluators as well, if they are entry points of the group
`battlesnake.evaluators`. Evaluators import `searcher.toolkit` and nothing else of this project.
"""
