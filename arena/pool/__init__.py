"""The pool: opponents with different tempers. One file here is one opponent, found by its name.

Such an opponent looks one turn ahead. Its file has `DESCRIPTION` (one line) and the function

    rate(game, board, snake, cell) -> float

The function returns how much the snake likes to enter a cell. The snake enters the cell with the highest
value. `board` is the board before the turn. The function is compiled like an evaluator, and imports
`searcher.toolkit` and the features that opponents share. It ignores safety and hunger, because
`arena.players.one_turn` offers only the safest cells, and lets a hungry snake eat.

A module whose name starts with an underscore is not an opponent. `_searches.py` lists the opponents of the
pool that search. `_guard.py` and `_features.py` have code that opponents share. Imports searcher.
"""
