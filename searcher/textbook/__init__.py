"""Minimax as textbooks write it: readable, typed Python over any game, with no compiled code.

The package teaches the algorithms. The tests of the compiled searches compare with it. It imports only the
standard library, itself, and the official engine's names of causes of death. Read it in this order:

1. `game`: games and agents. `tictactoe` and `battlesnake` are games.
2. `minimax`: from "take a winning move" to the best result of any position, with early wins and late losses.
3. `depth_limited`: stop at a depth and call an evaluator.
4. `multiplayer`: more than two players, and subtrees that need no search.
5. `simultaneous`: players who move at the same time.
6. `decoupled_uct`: samples instead of all lines.

docs/minimax.md walks through them with pictures.
"""
